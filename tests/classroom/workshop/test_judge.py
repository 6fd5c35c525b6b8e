"""The judge: what it sends to any server, what it finds there, and that it never hangs.

Covers connect, judge_cases, judge_report, judging_servers.
"""

import json
import shutil
import subprocess
import sys
from html import escape
from pathlib import Path

import pytest

from mini_rpc import result_response
from mini_rpc.classroom.exercises import EXERCISES
from mini_rpc.classroom.judging.hostile_messages import read_messages
from mini_rpc.classroom.talks.peers import recorded_text
from mini_rpc.classroom.talks.server_file import my_server
from mini_rpc.classroom.workshop import judging_servers
from mini_rpc.classroom.workshop.judge import judge, main
from mini_rpc.classroom.workshop.judge_cases import read_cases, say, verdict_on
from mini_rpc.classroom.workshop.judge_report import Report
from mini_rpc.classroom.workshop.judging_servers import CannotJudge, judge_server

DATA = Path(__file__).parents[2] / "data"
ANSWERS = read_messages((DATA / "judge_answers.md").read_text("utf-8"))
RECORDED = Report.from_json(recorded_text("judged_us_mcp.json"))
CASES = [case for name in ("mail", "modern", "legacy") for case in read_cases(name, mcp=True)]


@pytest.fixture(autouse=True)
def desk(tmp_path, monkeypatch):
    monkeypatch.setenv("MINI_RPC_PROGRESS", str(tmp_path / "progress.json"))
    return tmp_path


@pytest.fixture
def judged(desk):
    """Judge a server of this source."""

    def judged(source, **options):
        (desk / "server.py").write_text(source)
        return judge(desk / "server.py", **options)

    return judged


def counts(report):
    return {state: report.count_of(state) for state in ("right", "wrong", "no answer")}


# The cases.


def line(message):
    return json.dumps(message).encode() + b"\n"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.what)
def test_each_case_can_be_failed_and_says_where_its_rule_stands(case):
    silence_is_right = any("silence" in one for one in case.right)
    assert verdict_on(case, []) == ("right" if silence_is_right else "no answer")
    assert verdict_on(case, [line(result_response("nobody's", {}))]) == "wrong"
    assert verdict_on(case, [b"ready\n"]) == "wrong"
    assert case.says.endswith(".")
    assert "2.0" in case.source or "MCP 20" in case.source or "RFC 8259" in case.source
    assert len(case.sent) <= 300


def test_the_readme_counts_them():
    mail = len(read_cases("mail", mcp=True))
    text = " ".join((Path(__file__).parents[3] / "README.md").read_text("utf-8").split())
    assert f"{mail} hostile messages, with `--mcp` also {len(CASES) - mail} of both eras" in text


@pytest.mark.parametrize("group", ANSWERS)
def test_an_answer_is_held_against_all_that_counts_as_right(group):
    what, state = group.split(": ")
    case = next(case for case in CASES if case.what == what)
    for answer in ANSWERS[group]:
        assert verdict_on(case, [answer.encode()]) == state, answer
        assert verdict_on(case, [answer.encode()] * 2) == "wrong"


def test_what_came_is_said_in_few_visible_words():
    rude = line({"jsonrpc": "2.0", "id": "\u202e" * 999, "error": {"code": "\x9b" * 999}})
    assert say([rude]).isprintable()
    assert len(say([rude, rude, rude])) < 200
    both = say([line({"jsonrpc": "2.0", "id": 1, "result": None, "error": {"code": -32601}})])
    assert both == "a result and an error in one, id 1"
    assert say([b"ready\r\n"]) == "a line on stdout that is not JSON, 'ready'"
    assert say([rude, rude, b"\x1b[31m" * 99]).startswith("3 answers, one of them a line on stdout")


# Servers.


@pytest.mark.parametrize("kept", [(), ("strict_handle", "initialize", "check_meta", "call_tool")])
def test_the_learners_file_is_right_about_everything(desk, kept):
    (desk / "my_code").mkdir()
    for id in kept:
        name = id.removeprefix("strict_")
        source = f"{EXERCISES[id].solution}\n{name} = {id}\n"
        (desk / "my_code" / f"{name}.py").write_text(source)
    report = judge(my_server(), mcp=True)
    assert report.passed, report.faults
    assert len(report) == len(CASES)
    assert Report.from_json(report.as_json()) == report
    assert kept or report == RECORDED


@pytest.mark.skipif(not shutil.which("node"), reason="there is no node: a server in JavaScript")
def test_a_server_in_another_language_is_right_about_everything():
    report = judge_server(["node", str(DATA / "kitchen.mjs")], mcp=True)
    assert report.passed, report.faults


@pytest.mark.rest
def test_the_official_python_server_is_silent_where_it_should_answer():
    pytest.importorskip("mcp", reason="the official package is not installed: pip install mcp")
    report = judge_server([sys.executable, str(DATA / "official_kitchen.py")], mcp=True)
    assert counts(report) == {"right": 43, "wrong": 0, "no answer": 22}
    recorded = Report.from_json(recorded_text("judged_official.json"))
    assert report[: len(recorded)] == recorded


def test_where_nothing_can_be_started_a_recorded_report_takes_its_place(monkeypatch):
    monkeypatch.setattr(sys, "platform", "emscripten")
    assert judge(my_server(), mcp=True) == RECORDED
    assert judge("the official one").count_of("no answer") == 21


FAULTY = """
import json, sys
from mini_rpc import handle
from mini_rpc.classroom.eras import in_envelope
METHODS = in_envelope({"tools/list": lambda params: {}})
for line in sys.stdin.buffer:
    FAULT
    reply = handle(line, METHODS)
    if reply is not None:
        print(json.dumps(reply), flush=True)
"""
ANSWER = """print('{"jsonrpc": "2.0", "id": null, "result": 1}', flush=True)"""


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("fault", "what", "state", "came"),
    [
        (f'if b"nobody_knows" in line: {ANSWER}', "a notification with a list", "wrong", "a res"),
        ("json.loads(line)", "half a message", "no answer", "nothing"),
        ("line = line.replace(b'\"108\"', b'108')", "the id is a number as text", "wrong", "-326"),
        ("if len(line) > 999_999: continue", "a line of 1 MB", "no answer", "nothing"),
        ("if b'many 7\"' in line: continue", "100 requests at once", "no answer", "99 answers"),
        ("if b'many 7\"' in line: print('hm', flush=True)", "100 requests at once", "wrong", "101"),
        ("if line == b'42\\n': sys.exit('no numbers')", "a bare number", "no answer", "nothing"),
        ("if line == b'{}\\n': print('oh')", "an empty object", "wrong", "a line on stdout that"),
    ],
)
def test_a_planted_fault_is_found_at_its_message_and_the_rest_is_judged(
    judged, fault, what, state, came
):
    report = judged(FAULTY.replace("FAULT", fault))
    found = next(one for one in report if one.what == what)
    assert (found.state, found.came[: len(came)]) == (state, came)
    assert report.count_of("right") >= len(report) - 9
    assert not report.passed
    assert found.says in repr(report.faults)
    assert escape(found.says) in report.faults._repr_html_()


def test_one_era_is_enough_and_none_is_not(judged):
    neither = judged(FAULTY.replace("FAULT", "pass"), mcp=True)
    openings = {one.what: one.state for one in neither}
    assert openings["server/discover"] == openings["initialize"] == "wrong"
    text = my_server().read_text().replace('"initialize": served(initialize, "legacy"),', "")
    report = judged(text, mcp=True)
    assert report.passed
    assert report.count_of("not spoken") == len(read_cases("legacy", mcp=True))


def test_a_greeting_on_stdout_is_named_and_both_eras_are_judged_all_the_same(judged):
    report = judged(f"print('ready', flush=True)\n{my_server().read_text()}", mcp=True)
    assert report.count_of("not spoken") == 0
    assert "a line on stdout that is not JSON, 'ready'" in report[0].came
    assert "to its stdout nothing but messages" in report[0].says
    assert report.faults == report[:1]


def test_a_server_may_send_any_number_of_notifications_before_it_answers(judged):
    note = '{"jsonrpc": "2.0", "method": "notifications/message"}\n'
    assert judged(FAULTY.replace("FAULT", f"print({note!r} * 1000, end='')")).passed


def test_a_server_may_be_slow_as_long_as_something_comes(judged, monkeypatch):
    monkeypatch.setattr(judging_servers, "_PATIENCE", 1.0)
    slowly = "import time; time.sleep(0.02 * (b'many' in line))"  # a hundred of them take longer
    assert judged(FAULTY.replace("FAULT", slowly)).passed


def test_a_request_of_a_modern_server_is_wrong_and_its_notifications_are_not(judged):
    asks = """print('{"jsonrpc": "2.0", "id": 1, "method": "roots/list"}', flush=True)"""
    asks = f"if b'discover' in line or b': 301' in line: {asks}"
    answers = "reply = answer(line)"
    text = my_server().read_text().replace(answers, f"{asks}\n        {answers}")
    (found,) = judged(text, mcp=True).faults
    assert found.came == "a request of the server's own and a result, id 201"


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    "before",
    [
        "sys.exit('initialize first')",
        "continue",
        "reply = mini_rpc.error_response(reply['id'], -32600, '')",
    ],
)
def test_a_legacy_server_that_wants_initialize_first_is_judged(judged, monkeypatch, before):
    monkeypatch.setattr(judging_servers, "_START", 2.0)
    text = my_server().read_text().replace('"server/discover": served(discover, "modern"),', "")
    text = text.replace("(opened or method is initialize)", "True")
    strict = f"reply = answer(line)\n        if reply and not opened:\n            {before}"
    report = judged(text.replace("reply = answer(line)", strict), mcp=True)
    assert [one.what for one in report.faults] == []
    assert report.count_of("not spoken") == len(read_cases("modern", mcp=True))
    assert report.passed


@pytest.mark.rest
def test_a_program_that_never_answers_is_given_up_however_loud_it_is(monkeypatch):
    monkeypatch.setattr(judging_servers, "_START", 0.5)
    for source, said in (
        ("import time; time.sleep(600)", "without a word on stderr"),
        ("while 1: print('y')", "what came is a line on stdout that is not JSON, 'y'"),
        ("print('y', end='', flush=True); input(); input()", "no line break at its end, 'y'"),
        ('while 1: print(\'{"jsonrpc": "2.0", "method": "y"}\')', "without a word on stderr"),
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("pass", "it ended with exit status 0"),
    ):
        with pytest.raises(CannotJudge, match="the program answers nothing") as sentence:
            judge_server([sys.executable, "-c", source])
        assert said in str(sentence.value)
    with pytest.raises(CannotJudge, match="cannot be started"):
        judge_server(["no such program"])


def test_of_a_flood_a_few_megabytes_are_kept(monkeypatch):
    flood = iter([b"y" * 1_000_000] * 100)
    monkeypatch.setattr(judging_servers._Peer, "receive", lambda self, seconds: next(flood, None))
    peer = judging_servers._Peer([sys.executable, "-c", ""], "mail", float("inf"), set())
    assert len(peer.ask()[0]) == 5
    peer.end()


def test_a_program_that_falls_silent_for_ever_is_started_again(judged, monkeypatch):
    monkeypatch.setattr(judging_servers, "_PATIENCE", 0.5)
    stuck = "if line == b'42\\n':\n        import time; time.sleep(600)"
    (found,) = judged(FAULTY.replace("FAULT", stuck)).faults
    assert (found.what, found.remark) == ("a bare number", "and no later question was answered")


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("then", "limit", "why"),
    [
        ("import time; time.sleep(600)", "_MOST_SILENCES", "it fell silent 2 times"),
        ("sys.exit(3)", "_MOST_ENDS", "it ended 2 times"),
        ("open('gone', 'w'); sys.exit('done')", "_PATIENCE", "the program answers nothing: "),
    ],
)
def test_a_program_that_falls_again_and_again_is_given_up_and_the_rest_is_not_asked(
    judged, desk, monkeypatch, then, limit, why
):
    monkeypatch.chdir(desk)
    monkeypatch.setattr(judging_servers, "_PATIENCE", 0.5)
    monkeypatch.setattr(judging_servers, limit, 2)
    once = f"if Path('gone').exists(): break\n    if told:\n        {then}\n    told = True"
    source = FAULTY.replace("FAULT", once).replace("METHODS =", "told = False\nMETHODS =")
    report = judged(f"from pathlib import Path\n{source}", mcp=True)
    assert why in report.summary
    assert report.count_of("not asked") == len(report) - len(report.faults) > 30
    assert not report.passed
    assert {one.remark for one in report.faults} <= {
        "and no later question was answered",
        "it ended with exit status 3: without a word on stderr",
        "it ended with exit status 1: done",
    }


class Hurry:
    """A clock that runs: a second later each time that it is read."""

    now = 0.0

    def monotonic(self):
        self.now += 1
        return self.now

    def sleep(self, seconds):
        pass


def test_the_time_for_everything_is_bounded_and_what_was_found_until_then_is_told(monkeypatch):
    monkeypatch.setattr(judging_servers, "time", Hurry())
    report = judge(my_server(), mcp=True)
    assert report.summary.endswith("Given up: the 120 seconds for everything are over.")
    assert report.count_of("right") + report.count_of("not asked") == len(report)
    assert report.count_of("right") > 5


# The command.


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["--", sys.executable, "SERVER"], 0),
        ([], 2),
        ([sys.executable, "-c", FAULTY.replace("FAULT", "json.loads(line)")], 1),
        (["--mcp", "--json", sys.executable, "SERVER"], 0),
        ([sys.executable, "-c", "1 / 0"], 2),
        ([""], 2),
    ],
)
def test_the_exit_status_says_how_it_went(arguments, status, capsys):
    server = str(my_server())
    assert main([server if one == "SERVER" else one for one in arguments]) == status
    printed = capsys.readouterr()
    assert ("messages" in printed.out) == (status < 2)
    assert ("judge: " in printed.err) == (status == 2)
    assert "Traceback" not in printed.out + printed.err


@pytest.mark.skipif(not shutil.which("script"), reason="there is no `script` to make a terminal")
def test_a_terminal_sees_how_far_it_is():
    judged = f"{sys.executable} -m mini_rpc.classroom judge {sys.executable} {my_server()}"
    ran = subprocess.run(["script", "-qec", judged, "/dev/null"], capture_output=True, timeout=60)
    assert b"[###" in ran.stdout
    assert b"messages:" in ran.stdout
