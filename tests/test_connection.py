"""Both directions over one stream. Order is made by events, never by sleeping.

Covers asking, calls, serving, threads, transport.
"""

import asyncio
import functools
import io
import json
import os
import random
import threading
import time
from contextlib import asynccontextmanager, suppress
from itertools import product
from pathlib import Path

import pytest

from mini_rpc import RpcError, dispatch, error_response, notification, request, result_response
from mini_rpc.classroom.judging.hostile_messages import HOSTILE, LEFT_OPEN, read_messages
from mini_rpc.classroom.judging.hostile_methods import HOSTILE_METHODS
from mini_rpc.classroom.kitchen import MESSAGES, METHODS
from mini_rpc.classroom.talks.memory import memory_pair
from mini_rpc.connection import Connection, in_thread, progress
from mini_rpc.messages import is_response
from mini_rpc.stdio import Lines
from mini_rpc.wire import decode


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


async def still_serves(peer, id=1):
    """The next thing that comes back is the answer to a ping: nothing else was sent."""
    assert await peer.ask(request(id, "ping")) == result_response(id, {})


def at_one_end(methods=None, *, room=16, **options):
    """Return a connection that does not run yet, and the peer that talks to it by hand."""
    ours, theirs = memory_pair(room)
    return Connection(ours, methods, **options), Peer(theirs)


@asynccontextmanager
async def by_hand(methods=None, **options):
    """Run a connection, and give the peer that talks to it by hand."""
    connection, peer = at_one_end(methods, **options)
    async with connection:
        yield connection, peer


@asynccontextmanager
async def both(ours, theirs, *, line=16, at_once=(100, 100)):
    """Run the connections at the two ends of one line, each with an `at_once` of its own."""
    here, there = memory_pair(line)
    mine, yours = at_once
    async with (
        Connection(here, ours, at_once=mine) as client,
        Connection(there, theirs, at_once=yours) as kitchen,
    ):
        yield client, kitchen


each_mixture = pytest.mark.parametrize(
    ("at_once", "line"), [((100, 100), 16), ((1, 1), 1), ((2, 50), 1), ((50, 2), 3)]
)


async def ping(params):
    return {}


class Dish:
    """A method that waits until it is `cooked`. `started` and `ended` tell how far it is."""

    def __init__(self):
        self.started, self.cooked, self.ended = (asyncio.Event() for _ in range(3))
        self.begun = []

    async def cook(self, params):
        self.begun.append(params)
        self.started.set()
        try:
            await self.cooked.wait()
            return "done"
        finally:
            self.ended.set()


def reporter(gate):
    async def roast(params):
        await progress(1)
        asyncio.get_running_loop().create_task(later())
        return "done"

    async def later():
        await gate.wait()
        await progress(2)

    return roast


TALKS = read_messages((Path(__file__).parent / "data" / "two_sides.md").read_text("utf-8"))


@pytest.mark.parametrize("name", TALKS)
async def test_what_goes_to_and_fro(name, caplog):
    lines = [line.partition(" ")[::2] for line in TALKS[name]]
    steak = Dish()
    methods = {"steak": steak.cook, "roast": reporter(steak.cooked), **METHODS}
    async with by_hand(methods, at_once=1 if lines[0] == ("one", "at a time") else 100) as sides:
        await act(lines, *sides, steak)
        await still_serves(sides[1], "last")
    assert all(steak.begun == json.loads(rest) for what, rest in lines if what == "begun")
    begins = [rest for what, rest in lines if what == "log"]
    logged = [record.getMessage() for record in caplog.records if record.name == "mini_rpc"]
    assert [line[: len(begin)] for line, begin in zip(logged, begins, strict=True)] == begins


async def act(lines, connection, peer, steak):
    """Do what the lines of a talk say, one after the other."""
    wait = None
    for what, rest in lines:
        if what == ">":
            await peer.send({"jsonrpc": "2.0", **json.loads(rest)})
        elif what == "<":
            assert await peer.receive() == {"jsonrpc": "2.0", **json.loads(rest)}
        elif what == "order":
            seconds = float(rest) if rest else 30
            wait = asyncio.ensure_future(connection.request("order", timeout=seconds))
        elif what == "cancel":
            wait.cancel()
        elif what == "gets":
            (outcome,) = await asyncio.gather(wait, return_exceptions=True)
            assert repr(outcome).startswith(rest)
        elif what == "cooked":
            steak.cooked.set()
        elif what == "settle":
            await settle()
        else:
            assert what in ("log", "begun", "one"), "nobody knows what that is"


async def test_salad_before_steak_replies_overtake_each_other():
    async def salad(params):
        return "salad"

    steak, served = Dish(), []
    methods = {"steak": steak.cook, "salad": lambda params: salad(params)}  # a plain wrapper
    async with both({}, methods) as (client, _):
        slow = asyncio.ensure_future(client.request("steak"))
        served.append(await client.request("salad"))
        steak.cooked.set()
        served.append(await slow)
    assert served == ["salad", "done"]


async def test_a_plain_method_that_blocks_holds_up_nobody():
    cooked = threading.Event()
    async with both({}, {"steak": lambda params: cooked.wait(30), **METHODS}) as (client, _):
        slow = asyncio.ensure_future(client.request("steak"))
        assert await client.request("ping") == {}
        cooked.set()
        assert await slow is True


async def test_both_sides_ask_and_answer_while_a_request_runs():
    async def place(params):
        return [params["dish"], await kitchen.request("how", params)]

    async with both({"how": lambda params: "medium"}, {"place": place}) as (client, kitchen):
        assert await client.request("place", {"dish": "steak"}) == ["steak", "medium"]


async def test_hostile_mail_gets_the_dispatchers_answers_and_ends_nothing():
    async with by_hand(HOSTILE_METHODS) as (_, peer):
        for raw in (*MESSAGES.values(), *HOSTILE, *LEFT_OPEN):
            verdict = dispatch(raw, HOSTILE_METHODS)
            await peer.transport.send(raw)
            if verdict.sent is not None and not (verdict.step == 2 and is_response(decode(raw))):
                assert await peer.transport.receive() == verdict.sent
            await still_serves(peer)


def _raises(error):
    def method(params):
        raise error

    return method


def _raises_later(error):
    async def method(params):
        raise error

    return method


BURNED = {
    "KeyboardInterrupt in a thread": _raises(KeyboardInterrupt()),
    "GeneratorExit in a thread": _raises(GeneratorExit()),
    "CancelledError in a thread": _raises(asyncio.CancelledError()),
    "async GeneratorExit": _raises_later(GeneratorExit()),
    "async exit": _raises_later(SystemExit(3)),
    "cancels itself": _raises_later(asyncio.CancelledError()),
    "crashes": lambda params: 1 / 0,
    "exits": lambda params: exit(3),
    "returns a set": lambda params: {1, 2},
    "stops an iteration": lambda params: next(iter([])),
}


@pytest.mark.parametrize("how", BURNED)
async def test_a_burned_dish_ends_nothing_and_is_logged_where_nobody_waits(how, caplog):
    async with by_hand({"burn": BURNED[how], **METHODS}, at_once=1) as (_, peer):
        await peer.send(notification("burn"))
        assert await peer.ask(request(1, "burn")) == error_response(1, -32603, "Internal error")
        await still_serves(peer)
    said = [record.getMessage().partition(": ")[0] for record in caplog.records]
    no_json = "burn returned what JSON cannot carry"  # which nobody asked of a notification
    assert said == ([no_json] if how == "returns a set" else ["burn crashed"] * 2)


async def test_ten_thousand_in_flight_get_each_their_own_answer():
    async with by_hand(at_once=10_000) as (connection, peer):
        waits = [
            asyncio.ensure_future(connection.request("echo", {"table": table}))
            for table in range(10_000)
        ]
        asked = [await peer.receive() for _ in waits]
        random.Random(6).shuffle(asked)
        for message in asked:
            await peer.send(result_response(message["id"], message["params"]["table"]))
        assert await asyncio.gather(*waits) == list(range(10_000))


@pytest.mark.sample(2)
@each_mixture
@pytest.mark.parametrize("method", ["ping", "slow", "unknown"])
async def test_two_sides_that_ask_and_tell_hundreds_at_once_all_get_their_answers(
    at_once, line, method
):
    heard = []

    async def slow(params):
        await asyncio.sleep(0)
        return {}

    async def note(params):
        heard.append(params)

    methods = {"ping": ping, "slow": slow, "note": note}
    async with both(methods, methods, line=line, at_once=at_once) as (client, kitchen):
        sides = (client, kitchen) * 300
        told = [side.notify("note") for side in sides]
        asked = [side.request(method) for side in sides]
        outcomes = await asyncio.gather(*told, *asked, return_exceptions=True)
    answer = {} if method in methods else NO_SUCH_METHOD
    assert [*map(repr, outcomes)] == ["None"] * 600 + [repr(answer)] * 600
    assert len(heard) == 600


@pytest.mark.parametrize(("room", "at_once"), [(1, 1), (16, 4)])
async def test_requests_that_nobody_reads_meet_their_deadline_and_do_not_pile_up(room, at_once):
    async with by_hand(room=room, at_once=at_once, grace=0.01) as (connection, _):
        for _ in range(3):
            asked = [connection.request("order", timeout=0.01) for _ in range(100)]
            outcomes = await asyncio.gather(*asked, return_exceptions=True)
            assert {type(outcome) for outcome in outcomes} == {TimeoutError}
        assert len(connection._asking) == 0
        # texts on the line and in the queue, and a notice for each
        assert len(connection._outbox) <= 2 * (room + at_once)


async def test_at_most_so_many_requests_of_ours_are_on_their_way_at_once():
    async with by_hand(at_once=3, room=100) as (connection, peer):
        waits = [asyncio.ensure_future(connection.request("order")) for _ in range(10)]
        await settle()
        assert peer.transport._incoming._texts.qsize() == 3
        for id in range(1, 11):
            assert (await peer.receive())["id"] == id
            await peer.send(result_response(id, {}))
        assert await asyncio.gather(*waits) == [{}] * 10


class Cook:
    def __init__(self, method):
        self.method = method

    async def __call__(self, params):
        return await self.method(params)


async def stubborn(dish, params):
    with suppress(asyncio.CancelledError):
        await dish.cook(params)
    return "too late"


@pytest.mark.parametrize(
    "wrapped",
    [
        lambda dish: dish.cook,
        lambda dish: lambda params: dish.cook(params),
        lambda dish: Cook(dish.cook),
        lambda dish: functools.partial(stubborn, dish),
    ],
    ids=["async", "behind a plain wrapper", "an object", "returns all the same"],
)
async def test_a_canceled_request_ends_and_is_never_answered(wrapped):
    dish = Dish()
    async with by_hand({"dish": wrapped(dish), **METHODS}) as (_, peer):
        await peer.send(request(1, "dish"))
        await dish.started.wait()
        for nobodys in ("1", True, 1.0, [1], None):
            await peer.send(notification("notifications/cancelled", {"requestId": nobodys}))
        await settle()
        assert not dish.ended.is_set()
        await peer.send(notification("notifications/cancelled", {"requestId": 1}))
        await dish.ended.wait()
        await still_serves(peer)


async def test_a_thread_cannot_be_stopped_so_it_keeps_its_place_but_is_not_answered():
    started, cooked = threading.Event(), threading.Event()

    def steak(params):
        started.set()
        cooked.wait(30)

    async with by_hand({"steak": steak, **METHODS}, at_once=1) as (connection, peer):
        await peer.send(request(1, "steak"))
        await in_thread(started.wait, 30)
        await peer.send(notification("notifications/cancelled", {"requestId": 1}))
        await peer.send(request(2, "ping"))
        await settle()
        assert connection._serving._line.places == 0
        cooked.set()
        assert await peer.receive() == result_response(2, {})


async def test_progress_reaches_who_asked_before_the_result():
    async def roast(params):
        await progress(1, 3)
        await progress(2, 3)
        await progress(2.5)
        return "done"

    heard = []
    async with both({}, {"roast": roast}) as (client, _):
        assert await client.request("roast", on_progress=heard.append) == "done"
        assert await client.request("roast") == "done"
    assert heard == [
        {"progressToken": 1, "progress": 1, "total": 3},
        {"progressToken": 1, "progress": 2, "total": 3},
        {"progressToken": 1, "progress": 2.5},
    ]


async def test_progress_must_grow():
    async def roast(params):
        await progress(1)
        await progress(1)

    async with both({}, {"roast": roast}) as (client, _):
        with pytest.raises(RpcError, match="Internal error"):
            await client.request("roast", {"_meta": {"progressToken": "mine"}})
        assert await progress(1) is None  # outside of a method nobody listens


async def test_a_callback_that_crashes_ends_nothing(caplog):
    async with both({}, {"roast": reporter(asyncio.Event())}) as (client, _):
        assert await client.request("roast", on_progress=lambda params: 1 / 0) == "done"
    assert "ZeroDivisionError" in caplog.text


async def test_progress_that_nobody_asked_for_goes_to_the_method_of_that_name():
    listener = Dish()
    async with by_hand({"notifications/progress": listener.cook}) as (_, peer):
        await peer.send(notification("notifications/progress", {"progressToken": 1, "progress": 1}))
        await listener.started.wait()


async def test_the_ids_of_answered_requests_are_forgotten():
    async with by_hand(METHODS) as (connection, peer):
        for number in range(20):
            await still_serves(peer, f"{number}" + "x" * 10_000)
        await settle()
        serving = connection._serving
        assert (len(serving), serving.in_flight, len(serving._in_flight._ended)) == (0, [], 0)


async def test_a_flood_of_requests_waits_in_the_stream():
    steak, sent = Dish(), []
    async with by_hand({"steak": steak.cook}, room=3, at_once=2) as (_, peer):

        async def flood():
            for id in range(100):
                await peer.send(request(id, "steak"))
                sent.append(id)

        flooding = asyncio.ensure_future(flood())
        await settle()
        # Two run, one is in the reader's hand, three are on the line.
        assert (len(steak.begun), len(sent)) == (2, 6)
        steak.cooked.set()
        answers = [(await peer.receive())["id"] for _ in range(100)]
        await flooding
    assert sorted(answers) == list(range(100))


@pytest.mark.parametrize(
    "message", ["nope", request(1, "ping"), request(1, "unknown")], ids=["bad", "ping", "unknown"]
)
async def test_a_peer_that_never_reads_is_not_buffered_for(message):
    async with by_hand({"ping": ping}, room=3, at_once=2, grace=0.01) as (_, peer):
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


async def test_the_end_of_the_stream_ends_every_wait():
    async with by_hand(room=1, at_once=1, grace=0.01) as (connection, peer):
        waits = [asyncio.ensure_future(connection.request("order")) for _ in range(10)]
        await peer.receive()
        peer.transport.close()
        for wait in (*waits, connection.request("order"), connection.notify("order")):
            with pytest.raises(ConnectionError):
                await wait


async def test_our_own_end_ends_every_wait_and_the_other_side():
    cooked = asyncio.Event()
    ours, theirs = memory_pair()
    kitchen = Connection(theirs, {"steak": lambda params: cooked.wait()}, grace=0.01)
    async with kitchen:
        async with Connection(ours, grace=0.01) as client:
            wait = asyncio.ensure_future(client.request("steak"))
            await settle()
        with pytest.raises(ConnectionError):
            await wait
        with pytest.raises(ConnectionError):
            await kitchen.request("anything")


async def test_what_was_asked_before_the_end_is_still_answered():
    steak = Dish()
    connection, peer = at_one_end({"steak": steak.cook}, grace=30)
    running = asyncio.ensure_future(connection.run())
    await peer.send(request(1, "steak"))
    peer.transport._outgoing.end()
    await settle()
    steak.cooked.set()
    assert await peer.receive() == result_response(1, "done")
    assert await peer.receive() is None
    await running


async def test_a_broken_pipe_ends_the_connection_while_it_reads():
    connection, peer = at_one_end(METHODS)
    running = asyncio.ensure_future(connection.run())
    wait = asyncio.ensure_future(connection.request("order"))
    peer.transport._incoming.end()  # nobody reads what we write, but we could still read
    with pytest.raises(BrokenPipeError):
        await running
    with pytest.raises(ConnectionError):
        await wait


async def test_what_is_on_its_way_goes_out_before_we_leave():
    async with by_hand() as (connection, peer):
        await connection.notify("goodbye")
    assert await peer.receive() == notification("goodbye")
    assert await peer.receive() is None


async def test_without_threads_a_plain_method_runs_in_place(monkeypatch):
    def refuse(self):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    async with both({}, METHODS) as (client, _):
        assert await client.request("ping") == {}


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

    async def note(params):
        await asyncio.sleep(0)

    def sleep(params):
        time.sleep(0.0005)  # in a thread, which nothing stops

    methods = (report, notify, ask, ask_twice, note, sleep)
    return {"plain": ping, **{method.__name__: method for method in methods}}


@asynccontextmanager
async def two_sides(*at_once):
    """Run two talkative connections at the ends of one line with room for one message."""
    one, other = [], []
    async with both(talkative(one), talkative(other), line=1, at_once=at_once) as sides:
        for known, side in zip((one, other), sides, strict=True):
            known.append(side)
        yield sides


@pytest.mark.sample(4)
@pytest.mark.parametrize(("mine", "yours"), [(1, 1), (1, 2), (2, 2), (3, 1)])
async def test_whatever_methods_do_and_whoever_gives_up_nobody_waits_for_ever(mine, yours):
    does = ("report", "notify", "ask", "ask_twice", "sleep", "plain")
    for first, second, seconds, many in product(does, does, (None, 0, 0.001), (0, 1, 4)):
        async with two_sides(mine, yours) as (one, other):
            options = {"on_progress": lambda params: None, "timeout": seconds}
            asked = [one.request(first, **options) for _ in range(4)]
            asked += [other.request(second, **options) for _ in range(many)]
            asked += [side.notify("note") for side in (one, other) for _ in range(4)]
            outcomes = await asyncio.wait_for(asyncio.gather(*asked, return_exceptions=True), 5)
            assert seconds is not None or not any(isinstance(o, Exception) for o in outcomes)
            assert await one.request("plain", timeout=5) == {}
            assert await other.request("plain", timeout=5) == {}


async def test_two_sides_at_the_default_limits_that_report_many_times_each():
    async def report(params):
        for done in range(40):
            await progress(done)
        return "done"

    async def note(params):
        heard.append(params)

    heard, reports = [], []
    methods = {"report": report, "note": note}
    async with both(methods, methods) as sides:
        asked = [side.request("report", on_progress=reports.append) for side in sides * 100]
        outcomes = await asyncio.gather(*asked, *(side.notify("note") for side in sides))
    assert outcomes == ["done"] * 200 + [None] * 2
    assert (len(heard), len(reports)) == (2, 8_000)


@pytest.mark.parametrize("is_over", [True, False])
async def test_who_asks_and_reads_no_reply_is_waited_for_only_while_it_could_go_on(is_over):
    async def long(params):
        return "x" * 1000

    connection, peer = at_one_end({"long": long}, room=1, at_once=2, patience=0.01)
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


async def test_what_a_side_can_pile_up_is_bounded(monkeypatch):
    monkeypatch.setattr("mini_rpc.connection._MOST_WAITING", 10_000)
    forever = asyncio.Event()
    connection, peer = at_one_end({"wait": lambda params: forever.wait()}, at_once=1)
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
        at_one_end(at_once=at_once)


# --- the end, and what is too long -------------------------------------------------------------


async def test_methods_that_never_end_do_not_outlive_the_stream_and_what_got_no_reply_is_said(
    caplog,
):
    dish = Dish()
    methods = {"forever": dish.cook, "loop": lambda params: threading.Event().wait(), **METHODS}
    connection, peer = at_one_end(methods, grace=0.01)
    for message in (request("a", "forever"), request(2, "ping"), request(3, "loop")):
        await peer.send(message)
    await peer.send(notification("forever"))
    peer.transport._outgoing.end()
    await connection.run()
    await dish.ended.wait()
    assert connection.unanswered == ["a", 3]
    assert "the input ended, and no reply was sent to ['a', 3]" in caplog.text
    assert await peer.receive() == result_response(2, {})
    assert await peer.receive() is None


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


async def test_a_reader_that_takes_a_piece_now_and_then_gets_every_reply():
    slow = Slow([request(id, "ping") for id in range(5)], rests=5)
    await Connection(slow, METHODS, at_once=2, grace=0.01, patience=0.06).run()
    assert slow.taken == [result_response(id, {}) for id in range(5)]


async def test_a_reader_that_takes_nothing_more_is_not_waited_for():
    class Stuck(Slow):
        async def send(self, text):
            await asyncio.Event().wait()

    connection = Connection(Stuck([request(1, "ping")], 0), METHODS, grace=0.01, patience=0.01)
    with pytest.raises(TimeoutError, match="nobody reads"):
        await connection.run()


async def test_a_message_that_is_too_long_or_no_json_is_the_senders_error():
    dishes = {"dishes": "x" * 1_000_000}
    async with both({}, {"long": lambda params: dishes, **METHODS}) as (client, _):
        with pytest.raises(RpcError, match="Internal error"):
            await client.request("long")
        for way in (client.request, client.notify):
            with pytest.raises(ValueError, match="at most 1,000,000 bytes"):
                await way("ping", dishes)
            with pytest.raises(TypeError):
                await way("ping", {"dishes": {1, 2}})
        assert await client.request("ping") == {}


async def test_room_for_notifications_counts_bytes_as_well():
    async with by_hand(room=1, grace=0.01) as (client, _):
        long = {"x": "x" * 900_000}
        told = [asyncio.ensure_future(client.notify("note", long)) for _ in range(8)]
        await settle()
        assert client._outbox.bytes < 6_000_000
        for task in told:
            task.cancel()


async def test_calls_begin_only_while_their_replies_have_room():
    begun = []

    async def long(params):
        begun.append(1)
        return "x" * 900_000

    async def ask():
        for id in range(12):
            await peer.send(request(id, "long"))

    async with by_hand({"long": long}, room=1, at_once=3) as (connection, peer):
        asking = asyncio.ensure_future(ask())
        await settle()
        assert len(begun) < 12
        assert connection._outbox.bytes < 4_000_000 + 3 * 900_100
        assert {(await peer.receive())["id"] for _ in range(12)} == set(range(12))
        await asking


# --- replies that are none ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reply", "end"),
    [
        ('{"jsonrpc": "2.0", "id": 1, "result": "%s"}', ValueError),
        ('{"result": "%s", "id": 1, "jsonrpc": "2.0"}', ValueError),
        ('{"jsonrpc": "2.0", "id": 2, "result": "%s"}', ConnectionError),
        ('{"jsonrpc": "2.0", "result": "%s"}', ConnectionError),
    ],
)
async def test_a_reply_that_is_too_long_ends_its_request_and_gets_no_answer(reply, end, caplog):
    source, other = os.pipe()
    sink = io.BytesIO()
    sink.close = lambda: None
    with open(source, "rb") as reading, open(other, "wb") as writing:
        async with Connection(Lines(reading, sink, longest=100)) as connection:
            wait = asyncio.ensure_future(connection.request("order"))
            await settle()
            writing.write((reply % ("x" * 300)).encode() + b"\n")
            writing.close()
            with pytest.raises(end):
                await wait
    assert b"error" not in sink.getvalue()
    assert ("nobody knows whose" in caplog.text) == (end is ConnectionError)


class Trapped(dict):
    """A mapping of methods that crashes when it is asked."""

    error: BaseException = RuntimeError("trapped")

    def __contains__(self, name):
        raise self.error


@pytest.mark.parametrize("error", [RuntimeError("trapped"), SystemExit(3)])
@pytest.mark.parametrize("method", ["ping", "notifications/progress", "notifications/cancelled"])
async def test_a_mapping_of_methods_that_raises_ends_nothing(method, error):
    methods = Trapped(METHODS)
    methods.error = error
    async with by_hand(methods) as (_, peer):
        await peer.send(notification(method, {}))
        for id in (1, 2):
            refused = await peer.ask(request(id, method, {}))
            assert refused == error_response(id, -32603, "Internal error")


async def test_a_mapping_that_asks_for_the_end_is_not_silent():
    methods = Trapped(METHODS)
    methods.error = GeneratorExit()
    connection, peer = at_one_end(methods)
    await peer.send(request(1, "ping"))
    with pytest.raises(GeneratorExit):
        await connection.run()


# --- progress and cancellation -----------------------------------------------------------------


async def test_there_is_no_progress_after_the_cancellation():
    async def roast(params):
        for done in range(100):
            with suppress(asyncio.CancelledError):
                await progress(done)

    async with by_hand({"roast": roast, **METHODS}, room=1) as (_, peer):
        await peer.send(request(1, "roast", {"_meta": {"progressToken": 1}}))
        await settle()  # the line is full, and so are the outbox and who waits for it
        await peer.send(notification("notifications/cancelled", {"requestId": 1}))
        await settle()
        await peer.send(request(2, "ping"))
        kept = []
        while "result" not in (message := await peer.receive()):
            kept.append(message)
        assert len(kept) <= 2  # what was on the line, and what was being written


async def test_two_tasks_of_one_method_report_in_an_order_that_grows():
    async def roast(params):
        async def part(numbers):
            for number in numbers:
                with suppress(ValueError):
                    await progress(number)

        await asyncio.gather(part(range(0, 200, 2)), part(range(1, 200, 2)))

    heard = []
    async with both({}, {"roast": roast}, line=1, at_once=(1, 1)) as (client, _):
        await client.request("roast", on_progress=lambda params: heard.append(params["progress"]))
    assert heard == sorted(set(heard))
    assert len(heard) > 50


async def test_a_wrapper_that_is_canceled_in_its_thread_begins_no_async_method():
    waiting, go, begun = threading.Event(), threading.Event(), []

    async def steak(params):
        begun.append(params)

    def wrapper(params):
        waiting.set()
        go.wait(30)
        return steak(params)

    async with by_hand({"steak": wrapper, **METHODS}) as (_, peer):
        await peer.send(request(1, "steak"))
        await in_thread(waiting.wait, 30)
        await peer.send(notification("notifications/cancelled", {"requestId": 1}))
        await still_serves(peer, 2)
        go.set()
        await still_serves(peer)
    assert begun == []
