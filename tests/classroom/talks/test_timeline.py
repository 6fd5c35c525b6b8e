"""The timeline: every message once, in order, and who gets a reply."""

import asyncio
import json
from itertools import chain
from pathlib import Path

import pytest

from mini_rpc import Connection, error_response, notification, request, result_response
from mini_rpc.classroom import talks
from mini_rpc.classroom.talks.memory import memory_pair
from mini_rpc.classroom.talks.talk import Logged
from mini_rpc.classroom.talks.timeline import replay, rows_of, timeline
from mini_rpc.in_flight import InFlight

DATA = Path(__file__).parents[2] / "data" / "timelines"
TABLES = {"steak": 6, "salad": 2, "soup": 9}


def order(id, dish):
    return request(id, "cook", {"dish": dish, "table": TABLES[dish]})


def log_of(*messages):
    """Return a log: the client sends what has a method, the server sends the rest."""
    return [(">" if "method" in one else "<", json.dumps(one)) for one in messages]


SALAD_FIRST = log_of(
    order(1, "steak"), order(2, "salad"), result_response(2, "salad"), result_response(1, "steak")
)


class NextReply:
    """A client that gives the next reply to whoever waits longest."""

    def __init__(self):
        self.waiting = []

    def open(self, id, waiter):
        self.waiting.append(waiter)

    def match(self, id):
        return self.waiting.pop(0)


def test_each_message_is_a_row_and_tickets_wait_from_request_to_reply():
    rows = rows_of(SALAD_FIRST)
    assert [row.sign for row in rows] == [">", ">", "<", "<"]
    assert [row.waiting for row in rows] == [("1",), ("1", "2"), ("1",), ()]
    assert [row.note for row in rows] == ["", "", "for table 2", "for table 6"]


def test_the_text_is_the_picture_in_letters():
    drawn = (DATA / "salad_first.txt").read_text("utf-8")
    assert f"{timeline(SALAD_FIRST).transcript()}\n" == drawn


def test_a_client_that_takes_the_next_reply_visibly_serves_the_wrong_table():
    rows = rows_of(SALAD_FIRST, NextReply())
    assert [row.wrong for row in rows] == [False, False, True, True]
    assert rows[2].note == "table 6 gets it, and ordered steak: WRONG"
    polite = replay(SALAD_FIRST, order=[1, 2])
    assert not any(row.wrong for row in rows_of(polite, NextReply()))
    assert not any(row.wrong for row in rows_of(SALAD_FIRST, InFlight()))


def test_strays_late_replies_and_type_are_told_apart():
    cancel = notification("notifications/cancelled", {"requestId": 1})
    replies = [result_response(id, "soup") for id in ("1", 1, 99)]
    rows = rows_of(log_of(order(1, "steak"), replies[0], cancel, *replies[1:]))
    notes = [row.note for row in rows if row.sign == "<"]
    kinds = ("unknown", "late", "unknown")
    assert notes == [f"a stray, {kind}: nobody waits for it" for kind in kinds]


def test_what_is_served_to_the_wrong_table_or_to_nobody_and_an_id_twice_are_marked():
    class Nobody(NextReply):
        def match(self, id):
            raise LookupError

    steak = order(1, "steak")
    for second, by, note in (
        (result_response(7, "soup"), NextReply(), "table 6 gets it, and ordered steak: WRONG"),
        (result_response(1, "steak"), Nobody(), "nobody gets it, and table 6 waits: WRONG"),
        (order(1, "soup"), None, "careful: the id 1 is still in flight"),
    ):
        assert rows_of(log_of(steak, second), by)[1].note == note


def test_whatever_goes_over_a_wire_has_a_row():
    odd = [(">", "{nope"), ("<", "[]"), ("<", '"hello"'), ("<", json.dumps(request(1, "ping")))]
    odd += log_of(error_response(None, -32700, "Parse error"))
    odd += [(">", json.dumps(result_response(1, {})))]
    kinds = [row.kind for row in rows_of(odd)]
    assert kinds == ["not JSON", "no message", "no message", "request", "error", "result"]


def test_a_replay_is_a_real_exchange_in_the_order_that_was_asked_for():
    dinner = log_of(
        *(order(id, dish) for id, dish in enumerate(TABLES, start=1)),
        *(result_response(id, dish) for id, dish in enumerate(TABLES, start=1)),
    )
    log = replay(dinner, order=[3, 1, 2])
    assert [json.loads(line.text).get("result") for line in log[3:]] == ["soup", "steak", "salad"]
    notes = [row.note for row in rows_of(log)[3:]]
    assert notes == ["for table 9", "for table 6", "for table 2"]
    for wrong in ([1, 1, 2], [3, 1], "321", None, [1, 2, "3"]):
        with pytest.raises(ValueError, match="the requests 1 to 3, each once") as error:
            replay(dinner, order=wrong)
        (sentence,) = error.value._render_traceback_()  # all that a notebook shows
        assert "This one is" in sentence


def test_shuffling_changes_the_order_of_replies_and_nothing_else():
    diagram = timeline(SALAD_FIRST)
    diagram.shuffle()
    assert diagram.log != timeline(SALAD_FIRST).log
    assert sorted(line.text for line in diagram.log) == sorted(text for _, text in SALAD_FIRST)


def test_a_real_connection_is_drawn_the_same_way_every_time():
    async def serve():
        ready = {dish: asyncio.Event() for dish in TABLES}

        async def cook(params):
            await ready[params["dish"]].wait()
            return params["dish"]

        log = []
        ours, theirs = memory_pair()
        client = Connection(Logged(ours, log))
        async with client, Connection(theirs, {"cook": cook}):
            waits = {
                dish: asyncio.ensure_future(client.request("cook", {"dish": dish, "table": table}))
                for dish, table in TABLES.items()
            }
            for dish in ("soup", "salad", "steak"):
                ready[dish].set()
                await waits[dish]
        return timeline(log).transcript()

    assert len({asyncio.run(serve()) for _ in range(5)}) == 1


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_what_crashes_or_hangs_is_said_and_harms_nothing():
    class Burning(NextReply):
        def match(self, id):
            return 1 / 0

    text = timeline(SALAD_FIRST, Burning).transcript()
    assert "Burning failed (ZeroDivisionError: division by zero)" in text
    assert "for table 2" in text


def test_what_was_sent_is_never_markup():
    evil = log_of(request(1, "<script>", {"table": "</text><b>&"}), result_response(1, "<b>"))
    assert "<b>" not in timeline(evil)._as_html()
    script = Path(talks.__file__).with_name("timeline.js").read_text("utf-8")
    assert not any(word in script for word in ("innerHTML", "fill", "stroke")), "colors are CSS's"


def test_the_browser_is_told_in_words_what_the_picture_shows():
    answer = timeline(SALAD_FIRST, NextReply)._answer
    assert answer["shuffles"] is True
    assert answer["sentences"][2] == (
        'Server: result 2: "salad". table 6 gets it, and ordered steak: WRONG. waiting: 1'
    )
    assert timeline([(">", "{nope")])._answer["shuffles"] is False
    assert timeline(SALAD_FIRST)._answer["from_start"] is False
    assert timeline(SALAD_FIRST, from_start=True)._answer["from_start"] is True


def many_at_once(number):
    asked = [request(id, "cook", {"dish": "soup", "table": id}) for id in range(number)]
    return log_of(*asked, *(result_response(id, "soup") for id in reversed(range(number))))


def test_a_picture_of_many_tickets_grows_with_its_length_and_counts_what_has_no_bar():
    few, many = timeline(many_at_once(100)), timeline(many_at_once(1000))
    for drawn in (lambda shown: json.dumps(shown._answer), lambda shown: shown.transcript()):
        assert len(drawn(many)) < 12 * len(drawn(few))
    assert many.rows[999].sentence.endswith("10, 11, 988 more")
    assert many.rows[-1].sentence.endswith("nobody waits")
    few.shuffle()
    assert not any(row.wrong for row in few.rows)
    assert len(few.rows) == 200


def test_nothing_that_was_sent_moves_a_terminal_or_fails_to_be_written():
    rude = "\ud800\x1b[2J\x9b\u202e\u2028" * 40
    log = log_of(request(rude, rude, {"table": rude, "dish": rude}), result_response(rude, rude))
    shown = timeline([*log, (">", rude)], table=NextReply)  # as notebooks of before write it
    told = [(row.label, row.note, *row.waiting, row.sentence) for row in shown.rows]
    for text in (shown.transcript(), *chain(*told)):
        assert all(char.isprintable() or char == "\n" for char in text)
        text.encode("utf-8")
    assert max(map(len, shown.transcript().splitlines())) < 400
