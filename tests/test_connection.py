"""Both directions over one stream. Order is made by events, never by sleeping.

Covers asking, calls, serving, threads, transport.
"""

import asyncio
import functools
import itertools
import json
import logging
import random
import threading
import time
from contextlib import suppress

import pytest

from mini_rpc import RpcError, dispatch, error_response, notification, request, result_response
from mini_rpc.classroom.judging.hostile_messages import HOSTILE, LEFT_OPEN
from mini_rpc.classroom.judging.hostile_methods import HOSTILE_METHODS
from mini_rpc.classroom.kitchen import MESSAGES, METHODS
from mini_rpc.classroom.talks.memory import memory_pair
from mini_rpc.connection import Connection, in_thread, progress
from mini_rpc.messages import is_response
from mini_rpc.wire import decode


def in_loop(test):
    """Run an async test in an event loop of its own; a hang fails instead of lasting."""

    @functools.wraps(test)
    def run(**fixtures):
        asyncio.run(asyncio.wait_for(test(**fixtures), 30))

    return run


async def settle():
    """Let everything run that can run without anything new from outside."""
    for _ in range(200):
        await asyncio.sleep(0)


NO_SUCH_METHOD = RpcError(-32601, "Method not found: unknown")


class Peer:
    """The other side by hand: what it sends and reads is what is on the wire."""

    def __init__(self, transport):
        self.transport = transport

    async def send(self, message):
        await self.transport.send(message if isinstance(message, str) else json.dumps(message))

    async def receive(self):
        text = await self.transport.receive()
        return None if text is None else json.loads(text)

    async def ask(self, message):
        await self.send(message)
        return await self.receive()


def by_hand(methods=None, *, room=16, **options):
    """Return a connection and the peer that talks to it by hand."""
    ours, theirs = memory_pair(room)
    return Connection(ours, methods, **options), Peer(theirs)


def both(client_methods, server_methods, **options):
    """Return the connections at the two ends of one line."""
    ours, theirs = memory_pair()
    return Connection(ours, client_methods, **options), Connection(
        theirs, server_methods, **options
    )


each_mixture = pytest.mark.parametrize(
    ("mine", "yours", "line"), [(100, 100, 16), (1, 1, 1), (2, 50, 1), (50, 2, 3)]
)


def unlike(methods, mine, yours, line):
    """Return the connections at the two ends of one line, each with an `at_once` of its own."""
    ours, theirs = memory_pair(line)
    return Connection(ours, methods, at_once=mine), Connection(theirs, methods, at_once=yours)


@in_loop
async def test_salad_before_steak_replies_overtake_each_other():
    cooked = asyncio.Event()

    async def steak(params):
        await cooked.wait()
        return "steak"

    served = []
    client, kitchen = both({}, {"steak": steak, "salad": lambda params: "salad"})
    async with client, kitchen:
        slow = asyncio.ensure_future(client.request("steak"))
        served.append(await client.request("salad"))
        cooked.set()
        served.append(await slow)
    assert served == ["salad", "steak"]


@in_loop
async def test_a_plain_method_that_blocks_holds_up_nobody():
    cooked = threading.Event()
    client, kitchen = both({}, {"steak": lambda params: cooked.wait(30), **METHODS})
    async with client, kitchen:
        slow = asyncio.ensure_future(client.request("steak"))
        assert await client.request("ping") == {}
        cooked.set()
        assert await slow is True


@in_loop
async def test_both_sides_ask_and_answer_while_a_request_runs():
    async def place(params):
        return {"dish": params["dish"], "cooked": await kitchen.request("how", params)}

    client, kitchen = both({"how": lambda params: "medium"}, {"place": place})
    async with client, kitchen:
        assert await client.request("place", {"dish": "steak"}) == {
            "dish": "steak",
            "cooked": "medium",
        }


@in_loop
async def test_a_notification_arrives_and_nothing_comes_back():
    heard = asyncio.Event()

    async def wet_paint(params):
        heard.set()

    client, kitchen = both({}, {"wet_paint": wet_paint})
    async with client, kitchen:
        await client.notify("wet_paint")
        await heard.wait()
    connection, peer = by_hand(METHODS)
    async with connection:
        await peer.send(notification("kitchen/burn"))
        await peer.send(notification("nobody/knows"))
        assert await peer.ask(request(1, "ping")) == result_response(1, {})


@pytest.mark.parametrize("name", [name for name in MESSAGES if name not in ("result", "error")])
@in_loop
async def test_the_same_six_steps_as_the_dispatcher(name):
    verdict = dispatch(MESSAGES[name], METHODS)
    connection, peer = by_hand(METHODS)
    async with connection:
        await peer.send(MESSAGES[name])
        if verdict.reply is not None:
            assert await peer.receive() == verdict.reply
        assert await peer.ask(request("last", "ping")) == result_response("last", {})


@in_loop
async def test_hostile_mail_gets_the_dispatchers_answers_and_ends_nothing():
    connection, peer = by_hand(HOSTILE_METHODS)
    async with connection:
        for number, raw in enumerate([*HOSTILE, *LEFT_OPEN]):
            verdict = dispatch(raw, HOSTILE_METHODS)
            await peer.transport.send(raw)
            if verdict.sent is not None and not (verdict.step == 2 and is_response(decode(raw))):
                assert await peer.transport.receive() == verdict.sent
            await peer.send(request(f"after {number}", "ping"))
            assert await peer.receive() == result_response(f"after {number}", {}), raw


async def _async_exit(params):
    raise SystemExit(3)


async def _cancel_yourself(params):
    raise asyncio.CancelledError


async def _async_generator_exit(params):
    raise GeneratorExit


def _raises(error):
    def method(params):
        raise error

    return method


@pytest.mark.parametrize(
    "method",
    [
        _raises(KeyboardInterrupt()),
        _raises(GeneratorExit()),
        _raises(asyncio.CancelledError()),
        _async_generator_exit,
        lambda params: 1 / 0,
        lambda params: exit(3),
        lambda params: {1, 2},
        lambda params: next(iter([])),
        _async_exit,
        _cancel_yourself,
    ],
    ids=[
        "KeyboardInterrupt in a thread",
        "GeneratorExit in a thread",
        "CancelledError in a thread",
        "async GeneratorExit",
        "crashes",
        "exits",
        "returns a set",
        "stops an iteration",
        "async exit",
        "cancels itself",
    ],
)
@in_loop
async def test_a_burned_dish_ends_nothing(method):
    connection, peer = by_hand({"burn": method, **METHODS})
    async with connection:
        assert await peer.ask(request(1, "burn")) == error_response(1, -32603, "Internal error")
        assert await peer.ask(request(1, "ping")) == result_response(1, {})


@pytest.mark.parametrize("error", [KeyboardInterrupt, GeneratorExit, asyncio.CancelledError])
@in_loop
async def test_a_burned_dish_that_nobody_waits_for_ends_nothing_and_is_logged(error, caplog):
    connection, peer = by_hand({"burn": _raises(error()), **METHODS}, at_once=1)
    async with connection:
        await peer.send(notification("burn"))
        assert await peer.ask(request(1, "ping")) == result_response(1, {})
    assert caplog.records[0].getMessage().startswith("burn crashed: ")
    assert error.__name__ in caplog.records[0].getMessage()


@in_loop
async def test_an_error_on_purpose_arrives_with_code_message_and_data():
    client, kitchen = both({}, METHODS)
    async with client, kitchen:
        with pytest.raises(RpcError, match="out of that dish") as error:
            await client.request("orders/place", {"table": 6, "dish": "lobster"})
    assert (error.value.code, error.value.data) == (86, {"dish": "lobster"})


@in_loop
async def test_an_async_method_behind_a_plain_wrapper_is_awaited():
    async def salad(params):
        return "salad"

    client, kitchen = both({}, {"salad": lambda params: salad(params)})
    async with client, kitchen:
        assert await client.request("salad") == "salad"


@in_loop
async def test_ten_thousand_in_flight_get_each_their_own_answer():
    connection, peer = by_hand(at_once=10_000)
    async with connection:
        waits = [
            asyncio.ensure_future(connection.request("echo", {"table": table}))
            for table in range(10_000)
        ]
        asked = [await peer.receive() for _ in waits]
        random.Random(6).shuffle(asked)
        for message in asked:
            await peer.send(result_response(message["id"], message["params"]["table"]))
        assert await asyncio.gather(*waits) == list(range(10_000))


@each_mixture
@pytest.mark.parametrize("method", ["ping", "slow", "unknown"])
@in_loop
async def test_two_sides_that_ask_a_thousand_times_at_once_all_get_their_answers(
    mine, yours, line, method
):
    async def ping(params):
        return {}

    async def slow(params):
        await asyncio.sleep(0)
        return {}

    methods = {"ping": ping, "slow": slow}
    client, kitchen = unlike(methods, mine, yours, line)
    async with client, kitchen:
        asked = [side.request(method) for _ in range(1000) for side in (client, kitchen)]
        outcomes = await asyncio.gather(*asked, return_exceptions=True)
    answers = {repr(outcome) for outcome in outcomes}
    assert answers == ({"{}"} if method in methods else {repr(NO_SUCH_METHOD)})


@pytest.mark.parametrize("at_once", [2, 4])
@in_loop
async def test_deadlines_that_pass_on_both_sides_leave_nobody_waiting(at_once):
    def slow(params):
        time.sleep(0.01)

    async def ask(side, chance):
        for _ in range(60):
            with suppress(TimeoutError):
                await side.request("slow", timeout=chance.random() * 0.02)

    methods = {"slow": slow, "ping": lambda params: {}}
    one, other = both(methods, methods, at_once=at_once)
    async with one, other:
        sides = [side for side in (one, other) for _ in range(4 * at_once)]
        await asyncio.gather(*(ask(side, random.Random(i)) for i, side in enumerate(sides)))
        assert await one.request("ping", timeout=30) == {}
        assert await other.request("ping", timeout=30) == {}


@in_loop
async def test_requests_that_nobody_reads_do_not_pile_up():
    client, _ = by_hand(at_once=4)
    async with client:
        for _ in range(3):
            asked = [client.request("order", timeout=0.01) for _ in range(300)]
            outcomes = await asyncio.gather(*asked, return_exceptions=True)
            assert {type(outcome) for outcome in outcomes} == {TimeoutError}
        # 16 texts on the line and 4 in the queue, and a notice for each
        assert len(client._outbox) <= 2 * (16 + 4)


@each_mixture
@in_loop
async def test_notifications_by_the_thousand_both_ways_keep_no_request_waiting(mine, yours, line):
    heard = []

    async def ping(params):
        return {}

    async def note(params):
        heard.append(params)

    methods = {"ping": ping, "note": note}
    client, kitchen = unlike(methods, mine, yours, line)
    async with client, kitchen:
        told = [side.notify("note") for _ in range(1000) for side in (client, kitchen)]
        asked = [side.request("ping") for _ in range(1000) for side in (client, kitchen)]
        outcomes = await asyncio.gather(*told, *asked)
    assert outcomes == [None] * 2000 + [{}] * 2000
    assert len(heard) == 2000


@in_loop
async def test_at_most_so_many_requests_of_ours_are_on_their_way_at_once():
    connection, peer = by_hand(at_once=3, room=100)
    async with connection:
        waits = [asyncio.ensure_future(connection.request("order")) for _ in range(10)]
        await settle()
        assert peer.transport._incoming._texts.qsize() == 3
        for id in range(1, 11):
            assert (await peer.receive())["id"] == id
            await peer.send(result_response(id, {}))
        assert await asyncio.gather(*waits) == [{}] * 10


@pytest.mark.parametrize("id", ["1", True, 1.0, None, 2, [[]]])
@in_loop
async def test_a_stray_response_is_dropped_and_logged(id, caplog):
    connection, peer = by_hand(METHODS)
    async with connection:
        wait = asyncio.ensure_future(connection.request("order"))
        assert (await peer.receive())["id"] == 1
        await peer.send(result_response(id, "for somebody else"))
        await peer.send(result_response(1, "ours"))
        assert await wait == "ours"
        assert await peer.ask(request(1, "ping")) == result_response(1, {})
    assert [record.getMessage() for record in caplog.records] == [
        f"a stray reply, unknown: nobody waits for the id {id!r}"
    ]


@in_loop
async def test_a_duplicate_and_a_late_reply_serve_nobody(caplog):
    connection, peer = by_hand(METHODS)
    async with connection:
        wait = asyncio.ensure_future(connection.request("order"))
        await peer.receive()
        await peer.send(result_response(1, "first"))
        await peer.send(result_response(1, "second"))
        assert await wait == "first"
        with pytest.raises(TimeoutError, match=r"no reply to order within 0\.01 seconds"):
            await connection.request("order", timeout=0.01)
        await peer.send(result_response(2, "late"))
        await peer.send(request(1, "ping"))
        while "result" not in await peer.receive():
            pass
    assert [record.getMessage().split(":")[0] for record in caplog.records] == [
        "a stray reply, duplicate",
        "a stray reply, late",
    ]


@in_loop
async def test_a_reply_that_breaks_the_rules_ends_the_wait_and_gets_no_answer():
    connection, peer = by_hand(METHODS)
    async with connection:
        wait = asyncio.ensure_future(connection.request("order"))
        await peer.receive()
        await peer.send({"jsonrpc": "2.0", "id": 1, "result": 1, "error": {}})
        with pytest.raises(ValueError, match="never both"):
            await wait
        assert await peer.ask(request(1, "ping")) == result_response(1, {})


@in_loop
async def test_params_that_cannot_be_json_are_the_callers_error_and_send_nothing():
    connection, peer = by_hand(METHODS)
    async with connection:
        with pytest.raises(TypeError):
            await connection.request("order", {"dishes": {1, 2}})
        assert await peer.ask(request(1, "ping")) == result_response(1, {})


@in_loop
async def test_whoever_stops_waiting_says_so():
    connection, peer = by_hand()
    async with connection:
        wait = asyncio.ensure_future(connection.request("order"))
        id = (await peer.receive())["id"]
        wait.cancel()
        assert await peer.receive() == notification("notifications/cancelled", {"requestId": id})
        with pytest.raises(asyncio.CancelledError):
            await wait
        with pytest.raises(TimeoutError):
            await connection.request("order", timeout=0.01)
        id = (await peer.receive())["id"]
        assert await peer.receive() == notification("notifications/cancelled", {"requestId": id})


@in_loop
async def test_an_id_in_flight_is_refused_and_the_first_still_gets_its_answer():
    cooked = asyncio.Event()

    async def steak(params):
        await cooked.wait()
        return "steak"

    connection, peer = by_hand({"steak": steak, **METHODS})
    async with connection:
        await peer.send(request(1, "steak"))
        refused = await peer.ask(request(1, "ping"))
        assert refused == error_response(1, -32600, "Invalid Request: the id 1 is still in flight")
        assert await peer.ask(request("1", "ping")) == result_response("1", {})
        cooked.set()
        assert await peer.receive() == result_response(1, "steak")
        assert await peer.ask(request(1, "ping")) == result_response(1, {})


@in_loop
async def test_a_canceled_request_ends_and_is_never_answered():
    started, ended = asyncio.Event(), asyncio.Event()

    async def steak(params):
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    connection, peer = by_hand({"steak": steak, **METHODS})
    async with connection:
        await peer.send(request(1, "steak"))
        await started.wait()
        for nobodys in ("1", True, 1.0, [1], None):
            await peer.send(notification("notifications/cancelled", {"requestId": nobodys}))
        await peer.send(notification("notifications/cancelled", {"requestId": 1}))
        await ended.wait()
        assert await peer.ask(request(1, "ping")) == result_response(1, {})


@in_loop
async def test_a_canceled_method_that_returns_all_the_same_is_not_answered():
    started, returned = asyncio.Event(), asyncio.Event()

    async def stubborn(params):
        started.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            returned.set()
            return "too late"

    connection, peer = by_hand({"stubborn": stubborn, **METHODS})
    async with connection:
        await peer.send(request(1, "stubborn"))
        await started.wait()
        await peer.send(notification("notifications/cancelled", {"requestId": 1}))
        await returned.wait()
        assert await peer.ask(request(1, "ping")) == result_response(1, {})


@in_loop
async def test_a_thread_cannot_be_stopped_so_it_keeps_its_place_but_is_not_answered():
    started, cooked = threading.Event(), threading.Event()

    def steak(params):
        started.set()
        cooked.wait(30)

    connection, peer = by_hand({"steak": steak, **METHODS}, at_once=1)
    async with connection:
        await peer.send(request(1, "steak"))
        await in_thread(started.wait, 30)
        await peer.send(notification("notifications/cancelled", {"requestId": 1}))
        await peer.send(request(2, "ping"))
        await settle()
        assert connection._serving._line.places == 0
        cooked.set()
        assert await peer.receive() == result_response(2, {})


@in_loop
async def test_progress_reaches_who_asked_before_the_result():
    async def roast(params):
        await progress(1, 3)
        await progress(2, 3)
        await progress(2.5)
        return "done"

    heard = []
    client, kitchen = both({}, {"roast": roast})
    async with client, kitchen:
        assert await client.request("roast", on_progress=heard.append) == "done"
        assert await client.request("roast") == "done"
    assert heard == [
        {"progressToken": 1, "progress": 1, "total": 3},
        {"progressToken": 1, "progress": 2, "total": 3},
        {"progressToken": 1, "progress": 2.5},
    ]


@in_loop
async def test_progress_must_grow():
    async def roast(params):
        await progress(1)
        await progress(1)

    client, kitchen = both({}, {"roast": roast})
    async with client, kitchen:
        with pytest.raises(RpcError, match="Internal error"):
            await client.request("roast", {"_meta": {"progressToken": "mine"}})
        assert await progress(1) is None  # outside of a method nobody listens


@in_loop
async def test_a_callback_that_crashes_ends_nothing(caplog):
    async def roast(params):
        await progress(1)
        return "done"

    client, kitchen = both({}, {"roast": roast})
    async with client, kitchen:
        assert await client.request("roast", on_progress=lambda params: 1 / 0) == "done"
    assert "ZeroDivisionError" in caplog.text


@in_loop
async def test_progress_that_nobody_asked_for_goes_to_the_method_of_that_name():
    heard = asyncio.Event()

    async def listen(params):
        heard.set()

    connection, peer = by_hand({"notifications/progress": listen})
    async with connection:
        await peer.send(notification("notifications/progress", {"progressToken": 1, "progress": 1}))
        await heard.wait()


@in_loop
async def test_the_ids_of_answered_requests_are_forgotten():
    connection, peer = by_hand(METHODS)
    async with connection:
        for number in range(20):
            id = f"{number}" + "x" * 10_000
            assert await peer.ask(request(id, "ping")) == result_response(id, {})
        await settle()
        assert len(connection._serving) == 0
        assert (connection._serving.in_flight, len(connection._serving._in_flight._ended)) == (
            [],
            0,
        )


@in_loop
async def test_a_flood_of_requests_waits_in_the_stream():
    running, cooked = [], asyncio.Event()

    async def steak(params):
        running.append(params)
        await cooked.wait()
        return {}

    connection, peer = by_hand({"steak": steak}, room=3, at_once=2)
    async with connection:
        sent = []

        async def flood():
            for id in range(100):
                await peer.send(request(id, "steak"))
                sent.append(id)

        flooding = asyncio.ensure_future(flood())
        await settle()
        # Two run, one is in the reader's hand, three are on the line.
        assert (len(running), len(sent)) == (2, 6)
        cooked.set()
        answers = [(await peer.receive())["id"] for _ in range(100)]
        await flooding
    assert sorted(answers) == list(range(100))


@pytest.mark.parametrize(
    "message", ["nope", request(1, "ping"), request(1, "unknown")], ids=["bad", "ping", "unknown"]
)
@in_loop
async def test_a_peer_that_never_reads_is_not_buffered_for(message):
    async def ping(params):
        return {}

    connection, peer = by_hand({"ping": ping}, room=3, at_once=2, grace=0.01)
    async with connection:
        sent = []

        async def flood():
            while True:
                await peer.send(message)
                sent.append(message)

        flooding = asyncio.ensure_future(flood())
        await settle()
        before = len(sent)
        await settle()
        assert before == len(sent) < 20
        flooding.cancel()


@in_loop
async def test_requests_to_a_peer_that_never_reads_still_meet_their_deadline():
    connection, _ = by_hand(room=1, at_once=1, grace=0.01)
    async with connection:
        waits = [connection.request("order", timeout=0.01) for _ in range(100)]
        outcomes = await asyncio.gather(*waits, return_exceptions=True)
        assert {type(outcome) for outcome in outcomes} == {TimeoutError}
        assert len(connection._asking) == 0


@in_loop
async def test_the_end_of_the_stream_ends_every_wait():
    connection, peer = by_hand(room=1, at_once=1, grace=0.01)
    async with connection:
        waits = [asyncio.ensure_future(connection.request("order")) for _ in range(10)]
        await peer.receive()
        peer.transport.close()
        outcomes = await asyncio.gather(*waits, return_exceptions=True)
        assert all(isinstance(outcome, ConnectionError) for outcome in outcomes)
        with pytest.raises(ConnectionError):
            await connection.request("order")
        with pytest.raises(ConnectionError):
            await connection.notify("order")


@in_loop
async def test_our_own_end_ends_every_wait_and_the_other_side():
    cooked = asyncio.Event()
    client, kitchen = both({}, {"steak": lambda params: cooked.wait()}, grace=0.01)
    async with kitchen:
        async with client:
            wait = asyncio.ensure_future(client.request("steak"))
            await settle()
        with pytest.raises(ConnectionError):
            await wait
        with pytest.raises(ConnectionError):
            await kitchen.request("anything")


@in_loop
async def test_what_was_asked_before_the_end_is_still_answered():
    cooked = asyncio.Event()

    async def steak(params):
        await cooked.wait()
        return "steak"

    connection, peer = by_hand({"steak": steak}, grace=30)
    running = asyncio.ensure_future(connection.run())
    await peer.send(request(1, "steak"))
    peer.transport._outgoing.end()
    await settle()
    cooked.set()
    assert await peer.receive() == result_response(1, "steak")
    assert await peer.receive() is None
    await running


@in_loop
async def test_methods_that_never_end_do_not_outlive_the_stream():
    ended = asyncio.Event()

    async def forever(params):
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    connection, peer = by_hand(
        {"forever": forever, "loop": lambda params: threading.Event().wait()}, grace=0.01
    )
    await peer.send(request(1, "forever"))
    await peer.send(request(2, "loop"))
    peer.transport._outgoing.end()
    await connection.run()
    await ended.wait()
    assert await peer.receive() is None


@in_loop
async def test_a_broken_pipe_ends_the_connection_while_it_reads():
    connection, peer = by_hand(METHODS)
    running = asyncio.ensure_future(connection.run())
    wait = asyncio.ensure_future(connection.request("order"))
    peer.transport._incoming.end()  # nobody reads what we write, but we could still read
    with pytest.raises(BrokenPipeError):
        await running
    with pytest.raises(ConnectionError):
        await wait


@in_loop
async def test_what_is_on_its_way_goes_out_before_we_leave():
    connection, peer = by_hand()
    async with connection:
        await connection.notify("goodbye")
    assert await peer.receive() == notification("goodbye")
    assert await peer.receive() is None


@in_loop
async def test_without_threads_a_plain_method_runs_in_place(monkeypatch):
    def refuse(self):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    client, kitchen = both({}, METHODS)
    async with client, kitchen:
        assert await client.request("ping") == {}


@in_loop
async def test_the_private_log_names_the_crash_and_the_wire_does_not(caplog):
    caplog.set_level(logging.WARNING, "mini_rpc")
    connection, peer = by_hand(METHODS)
    async with connection:
        assert "password" not in str(await peer.ask(request(1, "kitchen/burn")))
    assert "password 1234" in caplog.text


# --- two sides never wait for each other -------------------------------------------------------


def talkative(me):
    """Return methods that do, while they serve, all that needs the other side; `me` asks back."""

    async def report(params):
        for done in range(5):
            await progress(done)

    async def notify(params):
        for _ in range(5):
            await me[0].notify("note")

    async def ask(params):
        return await me[0].request("plain", timeout=None)

    async def ask_twice(params):
        return await asyncio.gather(*(me[0].request("ask", timeout=None) for _ in range(2)))

    async def plain(params):
        return {}

    async def note(params):
        await asyncio.sleep(0)

    methods = (report, notify, ask, ask_twice, plain, note)
    return {method.__name__: method for method in methods}


def two_sides(line, mine, yours):
    """Return two talkative connections at the ends of one line."""
    ours, theirs = memory_pair(line)
    one, other = [], []
    one.append(Connection(ours, talkative(one), at_once=mine))
    other.append(Connection(theirs, talkative(other), at_once=yours))
    return one[0], other[0]


NOBODY = {"on_progress": lambda params: None, "timeout": None}


@pytest.mark.parametrize(("mine", "yours"), [(1, 1), (1, 2), (2, 2), (3, 1)])
@in_loop
async def test_whatever_methods_do_two_sides_never_wait_for_each_other(mine, yours):
    does = ("report", "notify", "ask", "ask_twice", "plain")
    for first, second, mine_many, yours_many in itertools.product(does, does, (1, 4), (0, 1, 4)):
        one, other = two_sides(1, mine, yours)
        async with one, other:
            asked = [one.request(first, **NOBODY) for _ in range(mine_many)]
            asked += [other.request(second, **NOBODY) for _ in range(yours_many)]
            asked += [side.notify("note") for side in (one, other) for _ in range(4)]
            await asyncio.wait_for(asyncio.gather(*asked), 5)


@pytest.mark.parametrize(("mine", "yours"), [(1, 1), (1, 2), (2, 2)])
@in_loop
async def test_two_sides_that_give_up_never_wait_for_each_other(mine, yours):
    does = ("report", "notify", "ask", "ask_twice")
    for first, second, seconds in itertools.product(does, does, (0, 0.0005, 0.002)):
        one, other = two_sides(1, mine, yours)
        hasty = {**NOBODY, "timeout": seconds}
        async with one, other:
            asked = [one.request(first, **hasty) for _ in range(6)]
            asked += [other.request(second, **hasty) for _ in range(6)]
            asked += [side.notify("note") for side in (one, other) for _ in range(4)]
            await asyncio.wait_for(asyncio.gather(*asked, return_exceptions=True), 5)
            assert await one.request("plain", timeout=5) == {}
            assert await other.request("plain", timeout=5) == {}


@in_loop
async def test_two_sides_at_the_default_limits_that_report_two_hundred_times_each():
    async def report(params):
        for done in range(200):
            await progress(done)
        return "done"

    async def note(params):
        heard.append(params)

    heard, reports = [], []
    client, kitchen = both({"report": report, "note": note}, {"report": report, "note": note})
    async with client, kitchen:
        sides = [side for side in (client, kitchen) for _ in range(100)]
        asked = [side.request("report", on_progress=reports.append) for side in sides]
        told = [side.notify("note") for side in (client, kitchen)]
        assert await asyncio.gather(*asked) == ["done"] * 200
        await asyncio.gather(*told)
    assert (len(heard), len(reports)) == (2, 40_000)


@pytest.mark.parametrize("is_over", [True, False])
@in_loop
async def test_who_asks_and_reads_no_reply_is_waited_for_only_while_it_could_go_on(is_over):
    async def long(params):
        return "x" * 1000

    connection, peer = by_hand({"long": long}, room=1, at_once=2, patience=0.01)
    connection._transport.is_over = is_over
    running = asyncio.ensure_future(connection.run())
    for id in range(10):
        with suppress(TimeoutError, BrokenPipeError):
            await asyncio.wait_for(peer.send(request(id, "long")), 0.05)
    if is_over:
        with pytest.raises(TimeoutError, match="nobody reads"):
            await running
    else:
        assert (await peer.receive())["id"] == 0
        running.cancel()


@in_loop
async def test_what_a_side_can_pile_up_is_bounded(monkeypatch):
    monkeypatch.setattr("mini_rpc.connection._MOST_WAITING", 10_000)
    forever = asyncio.Event()
    connection, peer = by_hand({"wait": lambda params: forever.wait()}, at_once=1)
    running = asyncio.ensure_future(connection.run())
    asking = asyncio.ensure_future(connection.request("order"))  # so nothing keeps it from reading
    await settle()
    for id in range(1000):
        with suppress(BrokenPipeError):
            await peer.send(request(id, "wait"))
    with pytest.raises(BlockingIOError, match="work off"):
        await running
    await settle()
    assert len(connection._serving) == 0  # nobody in line has begun since
    with pytest.raises(ConnectionError):
        await asking


@pytest.mark.parametrize("at_once", [0, -1, 1.5, None])
def test_at_once_is_a_whole_number_from_one_on(at_once):
    with pytest.raises(ValueError, match="at_once"):
        by_hand(at_once=at_once)


# --- the end, and what is too long -------------------------------------------------------------


@in_loop
async def test_what_got_no_reply_at_the_end_is_said(caplog):
    async def forever(params):
        await asyncio.Event().wait()

    connection, peer = by_hand({"forever": forever, **METHODS}, grace=0.01)
    for message in (request("a", "forever"), request(2, "ping"), notification("forever")):
        await peer.send(message)
    peer.transport._outgoing.end()
    await connection.run()
    assert connection.unanswered == ["a"]
    assert "the input ended, and no reply was sent to ['a']" in caplog.text


class Slow:
    """A transport to somebody who takes one piece after the other, and rests in between."""

    def __init__(self, requests, rests):
        self.requests, self.rests, self.written, self.taken = requests, rests, 0, []

    async def receive(self):
        return json.dumps(self.requests.pop(0)) if self.requests else None

    async def send(self, text):
        for _ in range(self.rests):
            await asyncio.sleep(0.02)
            self.written += 1
        self.taken.append(json.loads(text))

    def close(self):
        pass


@in_loop
async def test_a_reader_that_takes_a_piece_now_and_then_gets_every_reply():
    slow = Slow([request(id, "ping") for id in range(5)], rests=5)
    await Connection(slow, METHODS, at_once=2, grace=0.01, patience=0.06).run()
    assert slow.taken == [result_response(id, {}) for id in range(5)]


@in_loop
async def test_a_reader_that_takes_nothing_more_is_not_waited_for():
    class Stuck(Slow):
        async def send(self, text):
            await asyncio.Event().wait()

    connection = Connection(Stuck([request(1, "ping")], 0), METHODS, grace=0.01, patience=0.01)
    with pytest.raises(TimeoutError, match="nobody reads"):
        await connection.run()


@in_loop
async def test_a_message_that_is_too_long_is_the_senders_error():
    dishes = "x" * 1_000_000
    client, kitchen = both({}, {"long": lambda params: dishes, **METHODS})
    async with client, kitchen:
        with pytest.raises(RpcError, match="Internal error"):
            await client.request("long")
        with pytest.raises(ValueError, match="at most 1,000,000 bytes"):
            await client.request("ping", {"dish": dishes})
        with pytest.raises(ValueError, match="at most 1,000,000 bytes"):
            await client.notify("ping", {"dish": dishes})
        assert await client.request("ping") == {}


@in_loop
async def test_room_for_notifications_counts_bytes_as_well():
    client, _ = by_hand(room=1)
    async with client:
        told = [
            asyncio.ensure_future(client.notify("note", {"x": "x" * 900_000})) for _ in range(50)
        ]
        await settle()
        assert client._outbox.bytes < 6_000_000
        for task in told:
            task.cancel()


@in_loop
async def test_calls_begin_only_while_their_replies_have_room():
    begun = []

    async def long(params):
        begun.append(1)
        return "x" * 900_000

    connection, peer = by_hand({"long": long}, room=1, at_once=3)

    async def ask():
        for id in range(12):
            await peer.send(request(id, "long"))

    async with connection:
        asking = asyncio.ensure_future(ask())
        await settle()
        assert len(begun) < 12
        assert connection._outbox.bytes < 4_000_000 + 3 * 900_100
        assert {(await peer.receive())["id"] for _ in range(12)} == set(range(12))
        await asking


# --- replies that are none ---------------------------------------------------------------------


@pytest.mark.parametrize("members", [{}, {"Result": 1}, {"params": {}}, {"jsonrpc": 2}])
@in_loop
async def test_a_reply_with_neither_result_nor_error_ends_its_request_and_gets_no_answer(members):
    connection, peer = by_hand(METHODS)
    async with connection:
        wait = asyncio.ensure_future(connection.request("order"))
        await peer.receive()
        await peer.send({"jsonrpc": "2.0", "id": 1, **members})
        with pytest.raises(ValueError, match="the reply breaks the rules"):
            await wait
        await peer.send({"jsonrpc": "2.0", "id": 1, **members})  # a duplicate: no answer either
        assert await peer.ask(request(1, "ping")) == result_response(1, {})


@in_loop
async def test_a_broken_request_under_an_id_that_nobody_waits_for_is_answered():
    connection, peer = by_hand(METHODS)
    async with connection:
        assert (await peer.ask({"jsonrpc": "2.0", "id": 1}))["error"]["code"] == -32600
        wait = asyncio.ensure_future(connection.request("order"))
        await peer.receive()
        refused = await peer.ask({"jsonrpc": "2.0", "id": 1, "method": 7})
        assert (refused["id"], refused["error"]["code"]) == (1, -32600)
        await peer.send(result_response(1, "ours"))
        assert await wait == "ours"


class Trapped(dict):
    """A mapping of methods that crashes when it is asked."""

    error: BaseException = RuntimeError("trapped")

    def __contains__(self, name):
        raise self.error


@pytest.mark.parametrize("error", [RuntimeError("trapped"), SystemExit(3)])
@pytest.mark.parametrize("method", ["ping", "notifications/progress", "notifications/cancelled"])
@in_loop
async def test_a_mapping_of_methods_that_raises_ends_nothing(method, error):
    methods = Trapped(METHODS)
    methods.error = error
    connection, peer = by_hand(methods)
    async with connection:
        await peer.send(notification(method, {}))
        for id in (1, 2):
            refused = await peer.ask(request(id, method, {}))
            assert refused == error_response(id, -32603, "Internal error")


# --- progress and cancellation -----------------------------------------------------------------


def reporter(gate):
    async def roast(params):
        await progress(1)
        asyncio.get_running_loop().create_task(later())
        return "done"

    async def later():
        await gate.wait()
        await progress(2)

    return roast


def with_token(id, method, token):
    return request(id, method, {"_meta": {"progressToken": token}})


@pytest.mark.parametrize("token", [True, 1.0, None, [1], {}])
@in_loop
async def test_a_token_is_a_text_or_an_integer(token):
    connection, peer = by_hand({"roast": reporter(asyncio.Event())})
    async with connection:
        assert await peer.ask(with_token(1, "roast", token)) == result_response(1, "done")
        assert "method" in await peer.ask(with_token(2, "roast", "mine"))


@in_loop
async def test_there_is_no_progress_of_a_notification():
    connection, peer = by_hand({"roast": reporter(asyncio.Event()), **METHODS})
    async with connection:
        await peer.send(notification("roast", {"_meta": {"progressToken": 1}}))
        assert await peer.ask(request(1, "ping")) == result_response(1, {})


@in_loop
async def test_there_is_no_progress_after_the_reply():
    gate = asyncio.Event()
    connection, peer = by_hand({"roast": reporter(gate), **METHODS})
    async with connection:
        assert "method" in await peer.ask(with_token(1, "roast", 1))
        assert await peer.receive() == result_response(1, "done")
        gate.set()
        await settle()
        assert await peer.ask(request(2, "ping")) == result_response(2, {})


@in_loop
async def test_there_is_no_progress_after_the_cancellation():
    async def roast(params):
        for done in range(100):
            with suppress(asyncio.CancelledError):
                await progress(done)

    connection, peer = by_hand({"roast": roast, **METHODS}, room=1)
    async with connection:
        await peer.send(with_token(1, "roast", 1))
        await settle()  # the line is full, and so are the outbox and who waits for it
        await peer.send(notification("notifications/cancelled", {"requestId": 1}))
        await settle()
        await peer.send(request(2, "ping"))
        kept = []
        while "result" not in (message := await peer.receive()):
            kept.append(message)
        assert len(kept) <= 2  # what was on the line, and what was being written


@in_loop
async def test_two_tasks_of_one_method_report_in_an_order_that_grows():
    async def roast(params):
        async def part(numbers):
            for number in numbers:
                with suppress(ValueError):
                    await progress(number)

        await asyncio.gather(part(range(0, 200, 2)), part(range(1, 200, 2)))

    heard = []
    ours, theirs = memory_pair(1)
    client = Connection(ours, at_once=1)
    async with client, Connection(theirs, {"roast": roast}, at_once=1):
        await client.request("roast", on_progress=lambda params: heard.append(params["progress"]))
    assert heard == sorted(set(heard))
    assert len(heard) > 50


@in_loop
async def test_a_cancellation_reaches_an_async_method_behind_a_plain_wrapper():
    started, ended = asyncio.Event(), asyncio.Event()

    async def steak(params):
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    class Cook:
        async def __call__(self, params):
            return await steak(params)

    wrappers = {"plain": lambda params: steak(params), "object": Cook()}
    connection, peer = by_hand({**wrappers, **METHODS})
    async with connection:
        for id, name in enumerate(wrappers):
            await peer.send(request(id, name))
            await started.wait()
            await peer.send(notification("notifications/cancelled", {"requestId": id}))
            await ended.wait()
            started.clear(), ended.clear()
            assert await peer.ask(request(id, "ping")) == result_response(id, {})


@in_loop
async def test_a_wrapper_that_is_canceled_in_its_thread_begins_no_async_method():
    waiting, go, begun = threading.Event(), threading.Event(), []

    async def steak(params):
        begun.append(params)

    def wrapper(params):
        waiting.set()
        go.wait(30)
        return steak(params)

    connection, peer = by_hand({"steak": wrapper, **METHODS})
    async with connection:
        await peer.send(request(1, "steak"))
        await in_thread(waiting.wait, 30)
        await peer.send(notification("notifications/cancelled", {"requestId": 1}))
        assert await peer.ask(request(2, "ping")) == result_response(2, {})
        go.set()
        assert await peer.ask(request(1, "ping")) == result_response(1, {})
    assert begun == []


@in_loop
async def test_a_canceled_request_that_waits_in_line_never_begins():
    cooked, begun = asyncio.Event(), []

    async def steak(params):
        begun.append(params["table"])
        await cooked.wait()

    connection, peer = by_hand({"steak": steak, **METHODS}, at_once=1)
    async with connection:
        asking = asyncio.ensure_future(connection.request("order"))  # so the reader reads on
        await peer.receive()
        await peer.send(request(1, "steak", {"table": 6}))
        await peer.send(request(2, "steak", {"table": 2}))
        await peer.send(notification("notifications/cancelled", {"requestId": 2}))
        await settle()
        cooked.set()
        assert (await peer.receive())["id"] == 1
        assert await peer.ask(request(2, "ping")) == result_response(2, {})
        asking.cancel()
    assert begun == [6]
