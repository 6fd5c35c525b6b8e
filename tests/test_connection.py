"""Both directions over one stream. Order is made by events, never by sleeping.

Covers connection, transport.
"""

import asyncio
import functools
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
        assert client._outgoing._texts.qsize() <= 2 * (16 + 4)


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
        assert connection._room.locked()
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
        assert (len(connection._serving), len(connection._serving._ended)) == (0, 0)


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
        assert len(connection._asked) == 0


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
