"""The sandbox: whatever a learner's code does, the kernel lives and the run says what happened.

Covers child, clock, fork, fresh, keeper, parent, report.
"""

import faulthandler
import io
import itertools
import logging
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from enum import IntEnum
from typing import Any

import pytest

from mini_rpc.classroom import sandbox
from mini_rpc.classroom.sandbox import STRATEGIES, Opaque, parent, run, run_each, strategy_here
from mini_rpc.classroom.sandbox.report import Report
from mini_rpc.wire import Place

if hasattr(os, "fork"):
    from mini_rpc.classroom.sandbox import fork, keeper

SHORT = 0.3

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this platform")
HERE = [
    pytest.param("fork", marks=needs_fork),
    "fresh",
    pytest.param(
        "clock", marks=pytest.mark.skipif(sys.version_info < (3, 12), reason="no sys.monitoring")
    ),
]
every_strategy = pytest.mark.parametrize("strategy", HERE)
every_process = pytest.mark.parametrize("strategy", HERE[:2])


@pytest.fixture(autouse=True)
def _cloudpickle(request):
    if "fresh" in request.node.name:
        pytest.importorskip("cloudpickle")


# --- what comes back ---------------------------------------------------------------------------


class _Level(IntEnum):
    LOW = 1


class _Text(str):
    pass


def _circular():
    plate = []
    plate += [plate, 7]
    return plate


_MIXED = {"a": [1, True, 1.0, None, "é", b"x", (1,), {2}], 7: {}}


MADE = [
    (lambda: _MIXED, _MIXED),
    (lambda: OrderedDict(level=_Level.LOW, text=_Text("x")), {"level": 1, "text": "x"}),
    (lambda: Place(1, 2, 3), Place(1, 2, 3)),
    (lambda: lambda: 1, Opaque("a function")),
    (lambda: (one for one in ()), Opaque("a generator")),
    (lambda: [object()], [Opaque("an object")]),
    (lambda: ValueError, Opaque("the class ValueError")),
    (lambda: uuid.UUID(int=1), Opaque("a UUID")),
    (_circular, [Opaque("something circular or nested too deep"), 7]),
]


@every_strategy
def test_a_value_comes_back_as_what_it_is_and_anything_else_as_its_name(strategy):
    runs = run_each(lambda at: MADE[at][0](), range(len(MADE)), strategy=strategy)
    for run_, (_, expected) in zip(runs, MADE, strict=True):
        assert run_.state == "returned"
        assert (type(run_.value), repr(run_.value)) == (type(expected), repr(expected))


def _reads():
    import json

    return json.loads("{")  # this line


def _recurses():
    return _recurses()


class _Mute(Exception):
    def __str__(self):
        raise ValueError


class _Sly(Exception):
    @property
    def __traceback__(self):
        raise self


def _raises(kind):
    raise kind("gone")


CRASHES = [
    (_reads, "JSONDecodeError: Expecting property name", 'return json.loads("{")  # this line'),
    (_recurses, "RecursionError: ", "_recurses()"),  # where it is called, or where it begins
    (lambda: _raises(_Mute), "_Mute", 'raise kind("gone")'),
    (lambda: _raises(_Sly), "_Sly: gone", 'raise kind("gone")'),
    (lambda: sys.exit("bye"), "SystemExit: bye", "sys.exit"),
]


@every_strategy
def test_a_crash_names_the_error_and_the_learners_own_line(strategy):
    runs = run_each(lambda at: CRASHES[at][0](), range(len(CRASHES)), strategy=strategy)
    for run_, (_, error, line) in zip(runs, CRASHES, strict=True):
        assert run_.state == "raised"
        assert run_.error.startswith(error)
        assert line in run_.line


@every_strategy
def test_runs_come_in_the_order_of_the_inputs_each_with_its_prints(strategy):
    def answer(number):
        print("number", number)
        return 6 // number

    runs = run_each(answer, [3, 0, 2], strategy=strategy)
    assert [one.state for one in runs] == ["returned", "raised", "returned"]
    assert [one.value for one in runs] == [2, None, 3]
    assert [one.printed for one in runs] == ["number 3\n", "number 0\n", "number 2\n"]
    assert run_each(len, [], strategy=strategy) == []


# --- what is stopped ---------------------------------------------------------------------------


def _loop():
    while True:
        pass  # the loop


def _nested_bare_except():
    while True:
        try:
            while True:
                pass
        except:  # noqa: E722
            try:  # noqa: SIM105
                pass
            except:  # noqa: E722
                pass


def _print_for_ever():
    for _ in itertools.count():
        print("salad")


@every_strategy
@pytest.mark.parametrize("loop", [_loop, _nested_bare_except, _print_for_ever])
def test_a_loop_is_out_of_time(strategy, loop):
    run_ = run(loop, seconds=SHORT, strategy=strategy)
    assert run_.state == "out of time"
    assert run_.line.startswith("line ")
    assert len(run_.printed) < 11_000


@every_strategy
def test_any_number_of_seconds_is_a_limit(strategy):
    for seconds in (1e10, float("inf")):
        assert run(len, "abc", seconds=seconds, strategy=strategy).value == 3
    for seconds in (0, -1, float("nan")):
        assert run(_loop, seconds=seconds, strategy=strategy).state == "out of time"


@every_strategy
def test_the_rest_is_not_run_after_a_loop(strategy):
    def answer(number):
        print("got", number)
        while number == 2:
            pass
        return number

    runs = run_each(answer, [1, 2, 3], seconds=SHORT, strategy=strategy)
    assert [one.state for one in runs] == ["returned", "out of time", "not run"]
    assert runs[1].printed == "got 2\n"
    assert "line" in runs[1].line


def _hold_the_pipe():
    if os.fork():
        os._exit(0)
    time.sleep(60)


HANGS = [lambda: sum(range(10**11)), lambda: time.sleep(60), lambda: threading.Event().wait()]


@pytest.mark.sample(2)
@every_process
def test_a_long_call_into_c_a_stopped_process_and_a_child_left_behind_are_ended(strategy):
    for harm in (
        HANGS if strategy == "fresh" else [*HANGS, lambda: os.kill(os.getpid(), signal.SIGSTOP)]
    ):
        assert run(harm, seconds=SHORT, strategy=strategy).state == "out of time"
    if strategy == "fork":
        assert run(_hold_the_pipe, seconds=SHORT).state == "died"


# --- what dies ---------------------------------------------------------------------------------


def _close_the_way_out():
    """It would run on as a second copy of the kernel until somebody ends it."""
    os._exit = lambda code: None
    os.closerange(3, 200)


def _write_garbage_everywhere():
    for target in range(3, 50):
        try:
            os.write(target, b"\x00\x00\x00\x04ruin")
        except OSError:
            continue


@every_process
@pytest.mark.parametrize(
    "harm",
    [
        lambda: os._exit(0),
        lambda: os.kill(os.getpid(), signal.SIGTERM),
        lambda: os.closerange(0, 100),
        _close_the_way_out,
        _write_garbage_everywhere,
    ],
)
def test_a_process_that_ends_itself_died_and_nothing_is_taken_for_an_answer(strategy, harm):
    def answer(number):
        return harm() if number else "fine"

    runs = run_each(answer, [0, 1, 0], seconds=2, strategy=strategy)
    assert [one.state for one in runs] == ["returned", "died", "not run"]


@every_strategy
@pytest.mark.parametrize(
    ("function", "state", "error"),
    [
        (lambda: sys.exit("bye"), "raised", "SystemExit: bye"),
        (lambda: input("dish? "), "raised", "EOFError: code under a check cannot wait for input()"),
        (lambda: os._exit(0), "died", "it ended the process"),
    ],
)
def test_leaving_and_waiting_for_the_keyboard_are_crashes(strategy, function, state, error):
    runs = run_each(lambda _: function(), [0, 1], strategy=strategy)
    assert (runs[0].state, runs[0].error) == (state, error)
    assert runs[1].state == ("not run" if state == "died" else state)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="no sys.monitoring")
def test_the_clock_wakes_a_sleeper():
    run_ = run(lambda: time.sleep(60), seconds=SHORT, strategy="clock")
    assert run_.state == "out of time"
    assert "time.sleep(60)" in run_.line


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits memory this way")
def test_eating_memory_is_a_crash():
    run_ = run(lambda: [bytearray(10**8) for _ in itertools.count()], seconds=20)
    assert run_.error == "MemoryError"
    assert "bytearray" in run_.line


# --- what is printed ---------------------------------------------------------------------------


@every_process
def test_prints_by_every_road_are_kept(strategy):
    def answer():
        print("by print")
        print("by stderr", file=sys.stderr)
        os.write(1, b"by descriptor\n")
        os.system("echo by a program")

    printed = run(answer, strategy=strategy).printed
    assert printed == "by print\nby stderr\nby descriptor\nby a program\n"


@every_strategy
def test_megabytes_are_cut_and_the_next_run_keeps_its_own(strategy):
    runs = run_each(lambda text: print(text * 10), ["x" * 10**6, "y"], strategy=strategy)
    assert 10_000 <= len(runs[0].printed) < 10_100
    assert runs[1].printed == "yyyyyyyyyy\n"


@every_process
def test_a_closed_stdout_costs_the_prints_only(strategy):
    def answer():
        print("before")
        sys.stdout.close()
        os.close(1)
        return 7

    run_ = run(answer, strategy=strategy)
    assert (run_.state, run_.value, run_.printed) == ("returned", 7, "before\n")


@needs_fork
def test_what_was_bound_before_the_check_writes_into_it(capfd):
    handler, early = logging.StreamHandler(sys.stdout), sys.__stdout__
    log = logging.Logger("a cook's")
    log.addHandler(handler)

    def answer():
        log.warning("by a handler")
        print("by an early name", file=early)
        print("by sys.__stderr__", file=sys.__stderr__)

    printed = run(answer).printed
    assert sorted(printed.splitlines()) == ["by a handler", "by an early name", "by sys.__stderr__"]
    assert capfd.readouterr() == ("", "")


_IN_A_KERNEL = """
import logging, sys
from IPython.display import clear_output, display
from mini_rpc.classroom.sandbox import run
out, log = sys.stdout, logging.Logger("a cook's")
log.addHandler(logging.StreamHandler())
def answer():
    print("early", file=out)
    log.warning("logged")
    clear_output()
    display({"dish": "salad"})
run_ = run(answer)
print(run_.state, run_.printed.split("\\n"))
"""


@needs_fork
def test_in_a_kernel_the_streams_the_log_and_display_write_into_the_check():
    nbclient = pytest.importorskip("nbclient")
    from nbformat.v4 import new_code_cell, new_notebook

    notebook = new_notebook(cells=[new_code_cell(_IN_A_KERNEL)])
    nbclient.NotebookClient(notebook, kernel_name="python3", timeout=30).execute()
    shown = "".join(output.get("text", "") for output in notebook.cells[0].outputs)
    assert shown == "returned ['early', 'logged', \"{'dish': 'salad'}\", '']\n"


# --- what the kernel keeps ---------------------------------------------------------------------


@every_strategy
def test_what_the_code_changes_where_it_goes_and_what_it_sets_is_lost(
    strategy, tmp_path, monkeypatch
):
    monkeypatch.setenv("DISH", "salad")
    plates = []

    def answer(plates):
        plates.append(1)
        os.chdir(tmp_path)
        os.environ["DISH"] = "steak"
        os.environ["SIDE"] = "bread"

    before = os.getcwd(), dict(os.environ)
    assert run(answer, plates, strategy=strategy).state == "returned"
    assert (os.getcwd(), dict(os.environ), plates) == (*before, [])


@needs_fork
def test_code_that_forks_is_reported_once():
    runs = run_each(lambda number: (os.fork(), number)[1], [1, 2, 3])
    assert [one.value for one in runs] == [1, 2, 3]


def _too_many():
    raise BlockingIOError(11, "Resource temporarily unavailable")


@pytest.mark.skipif(not os.path.isdir("/dev/fd"), reason="no list of open files")
def test_no_file_and_no_process_is_left_open(monkeypatch):
    run(_loop, seconds=SHORT)
    before = len(os.listdir("/dev/fd"))
    for _ in range(5):
        run(len, "abc")
        run(lambda: os._exit(1))
    assert len(os.listdir("/dev/fd")) == before
    if hasattr(os, "fork"):
        with pytest.raises(ChildProcessError):
            os.waitpid(-1, os.WNOHANG)
        monkeypatch.setattr(os, "fork", _too_many)
        with pytest.raises(BlockingIOError):
            run(len, "abc")
        assert len(os.listdir("/dev/fd")) == before


@pytest.mark.filterwarnings("error")
@every_process
def test_it_works_outside_the_main_thread_and_no_warning_about_threads_is_heard(strategy):
    with ThreadPoolExecutor() as threads:
        runs = threads.map(lambda one: run(one, seconds=SHORT, strategy=strategy), (list, _loop))
    assert [one.state for one in runs] == ["returned", "out of time"]


@pytest.mark.skipif(not hasattr(signal, "SIGCHLD"), reason="no such signal on this platform")
@every_process
def test_it_works_where_the_kernel_does_not_hear_of_the_end_of_a_child(strategy):
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        runs = [run(len, "abc", strategy=strategy), run(lambda: os._exit(1), strategy=strategy)]
    finally:
        signal.signal(signal.SIGCHLD, before)
    assert [one.state for one in runs] == ["returned", "died"]
    assert runs[1].error == "it ended the process"


@needs_fork
def test_it_works_where_the_standard_streams_are_closed():
    code = (
        "import os; from mini_rpc.classroom.sandbox import run; os.closerange(0, 3);"
        "os._exit(run(len, 'abc', strategy='fork').value or 1)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 3


def _faulthandler():
    faulthandler.dump_traceback_later(60, exit=True)
    return faulthandler.cancel_dump_traceback_later


def _slow(*_):
    time.sleep(0.002)
    return _slow


def _slow_tracer():
    before = sys.gettrace()
    sys.settrace(_slow)
    return lambda: sys.settrace(before)


def _slow_profiler():
    sys.setprofile(_slow)
    return lambda: sys.setprofile(None)


def _slow_monitor():
    if sys.version_info < (3, 12):
        pytest.skip("no sys.monitoring")
    events, tool = sys.monitoring.events, sys.monitoring.PROFILER_ID
    sys.monitoring.use_tool_id(tool, "slow")
    sys.monitoring.register_callback(tool, events.LINE, _slow)
    sys.monitoring.set_events(tool, events.LINE)
    return lambda: (sys.monitoring.set_events(tool, 0), sys.monitoring.free_tool_id(tool))


def _count():
    total = 0
    for number in range(2_000):
        total += number
    return total


@pytest.mark.sample(3)
@needs_fork
@pytest.mark.parametrize("arm", [_faulthandler, _slow_tracer, _slow_profiler, _slow_monitor])
def test_what_is_armed_in_the_kernel_does_not_hold_up_an_answer(arm):
    disarm = arm()
    try:
        run_ = run(_count, seconds=2)
    finally:
        disarm()
    assert (run_.state, run_.value) == ("returned", 1_999_000)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no alarms on this platform")
def test_an_alarm_of_the_kernels_rings_after_the_check():
    rang = []
    before = signal.signal(signal.SIGALRM, lambda number, _: rang.append(number))
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        run_ = run(lambda: (time.sleep(0.2), len(rang))[1])
        assert (run_.state, run_.value) == ("returned", 0)
        assert rang == [signal.SIGALRM]
    finally:
        signal.signal(signal.SIGALRM, before)


@every_process
def test_fifty_threads_fit_into_the_memory_of_an_answer(strategy):
    def answer():
        gate = threading.Barrier(51)
        for _ in range(50):
            threading.Thread(target=gate.wait, daemon=True).start()
        gate.wait()
        return 50

    run_ = run(answer, seconds=10, strategy=strategy)
    assert (run_.state, run_.value, run_.error) == ("returned", 50, "")


@pytest.mark.parametrize("value", ["", " ", "0,5", "nan", "-1", "0", "inf", "three"])
def test_a_limit_that_is_no_number_of_seconds_is_one_sentence(value, monkeypatch, capsys):
    monkeypatch.setenv("MINI_RPC_SECONDS", value)
    assert sandbox.limit_here() == 3
    said = f"MINI_RPC_SECONDS is {value!r}: no number of seconds. A check takes 3.\n"
    assert capsys.readouterr().err == (said if value.strip() else "")


def test_a_function_that_cannot_be_carried_to_a_fresh_interpreter_is_not_run():
    pytest.importorskip("cloudpickle")
    lock = threading.Lock()
    run_ = run(lambda: lock.locked(), strategy="fresh")
    assert run_.state == "not run"
    assert run_.error.startswith("it cannot be carried to a process of its own: ")


def test_each_platform_has_a_strategy(monkeypatch):
    assert strategy_here() in STRATEGIES
    monkeypatch.delattr(os, "fork", raising=False)
    assert strategy_here() in ("fresh", "clock")
    monkeypatch.setattr(sys, "platform", "emscripten")
    assert strategy_here() == "clock"


@pytest.mark.skipif(sys.version_info < (3, 12), reason="no sys.monitoring")
def test_the_clock_stops_the_call_and_nothing_beside_it():
    """In the browser the event loop goes on while a call sleeps; here another thread does."""
    done = threading.Event()
    steps = itertools.count()

    def beside():
        while not done.is_set():
            next(steps)

    other = threading.Thread(target=beside)
    other.start()
    try:
        assert run(_loop, seconds=SHORT, strategy="clock").state == "out of time"
        other.join(0.2)
        assert other.is_alive()
    finally:
        done.set()
        other.join()


# --- what fights back --------------------------------------------------------------------------


@every_strategy
def test_a_metaclass_or_a_module_name_that_fights_back_is_a_value_like_any_other(
    strategy,
):
    def make(number):
        class Angry(type):
            def __getattribute__(cls, name):
                raise SystemExit("no")

            @property
            def __name__(cls):
                raise SystemExit("no")

        class Dish(metaclass=Angry):
            pass

        class Fake(tuple[Any, ...]):
            __module__ = "mini_rpc.wire"

            def _make(self, items):
                raise SystemExit("no")

        return [Dish, [Dish()], Fake((1, 2))][number]

    values = [one.value for one in run_each(make, [0, 1, 2], strategy=strategy)]
    assert values == [Opaque("an Angry"), [Opaque("a Dish")], (1, 2)]


@every_process
def test_a_value_too_large_to_copy_is_not_the_end_of_the_process(strategy):
    pytest.importorskip("resource")
    if not os.path.exists("/proc/self/statm"):
        pytest.skip("this platform does not limit memory")

    for function in (lambda: [_Text("x" * 200_000_000)] * 3, lambda: bytes(400_000_000)):
        value = run(function, seconds=20, strategy=strategy).value
        assert value == Opaque("something very large")


@pytest.mark.rest
def test_what_is_shared_counts_as_often_as_it_is_written():
    """Pickled it is small, and the kernel would write out all of it."""

    makers = [
        lambda: ["x" * 10**6] * 17,
        lambda: [[0] * 10**3] * 10**3,
        lambda: {1: ((1 << 3 * 10**6),) * 50},
        lambda: [[]] * (2 * 10**6),
        lambda: "x" * 10**6,
    ]
    runs = run_each(lambda number: makers[number](), range(5), seconds=60)
    very_large = Opaque("something very large")
    assert [one.value for one in runs] == [very_large] * 4 + ["x" * 10**6]
    runs = run_each(lambda _: "x" * 10**7, range(8), seconds=20)
    assert [len(one.value) for one in runs[:6]] == [10**7] * 6
    assert [one.value for one in runs[6:]] == [very_large] * 2, "all together stay small"


@every_strategy
def test_what_the_code_says_can_always_be_shown(strategy):
    def surrogate():
        print("a \ud800")
        raise ValueError("\ud800 \x1b[31m")

    one = run(surrogate, strategy=strategy)
    assert one.error == "ValueError: ⟨U+D800⟩ ⟨U+001B⟩[31m"
    assert f"{one.printed}{one.line}".encode()


def _naming(module, name):
    parts = (f"\x8c{chr(len(part))}{part}" for part in (module, name))
    return f"\x80\x04{''.join(parts)}\x93.".encode("latin-1")


_SOUND = pickle.dumps(Report("returned"), protocol=4)
GARBAGE = {
    "a name of the parent's": _naming("mini_rpc.classroom.sandbox.parent", "os.system"),
    "a name of the report's": _naming("mini_rpc.classroom.sandbox.report", "in_words"),
    "a name of the course's": _naming("mini_rpc.classroom.progress", "start_over_all"),
    "a name of a builtin": _naming("builtins", "eval"),
    "a state that is none": pickle.dumps(Report("fine")),
    "an error that is no text": pickle.dumps(Report("raised", error=7)),
    "a place that is none": pickle.dumps(Report("raised", place=("x", "y"))),
    "a table of any size": _SOUND[:-1] + b"r\x00\x00\x10\x00.",
    "a table of any size, in text": _SOUND[:-1] + b"p1048576\n.",
}


@pytest.mark.parametrize("what", GARBAGE)
def test_whoever_writes_to_the_pipe_can_name_nothing_but_sound_reports(what):
    assert parent._read_report(_SOUND) == Report("returned")
    assert parent._read_report(GARBAGE[what]) is None
    if " name" in what:
        with pytest.raises(pickle.UnpicklingError):
            parent._Unpickler(io.BytesIO(GARBAGE[what])).load()


def _leave_the_group(told):
    if not os.fork():
        os.setsid()
        _tell(told)
        time.sleep(60)
        os._exit(0)
    while not os.path.exists(told):
        time.sleep(0.01)


def _nest(told):
    def inner():
        _tell(told)
        time.sleep(60)

    run(inner, seconds=50)


def _daemon(told):
    for _ in range(2):
        if os.fork():
            return
        os.setsid()
    os.closerange(0, 100)
    _tell(told)
    time.sleep(60)


def _many(told):
    for _ in range(20):
        if not os.fork():
            os.setsid()
            _tell(told)
            time.sleep(60)
    time.sleep(60)


def _interrupt_the_keeper(told):
    _tell(told)
    os.kill(os.getppid(), signal.SIGINT)
    time.sleep(60)


def _tell(told):
    with open(told, "a", encoding="ascii") as file:
        file.write(f"{os.getpid()}\n")


@pytest.mark.sample(3)
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lets a process adopt orphans")
@pytest.mark.parametrize("start", [_leave_the_group, _nest, _daemon, _many, _interrupt_the_keeper])
def test_whatever_the_code_started_ends_with_the_check(start, tmp_path):
    told = tmp_path / "told"
    run(len, "")
    before = len(os.listdir("/dev/fd")), threading.active_count()
    run(lambda: (start(str(told)), start is _leave_the_group or time.sleep(60)), seconds=1)
    assert (len(os.listdir("/dev/fd")), threading.active_count()) == before
    pids = [int(line) for line in told.read_text().split()]
    assert pids
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


@needs_fork
def test_a_reader_that_outlives_the_check_never_reads_what_is_not_its_own(
    monkeypatch,
):
    monkeypatch.setattr(fork, "process_control", lambda: None)  # as where there is no Linux
    monkeypatch.setattr(keeper, "_children", list)

    def leave_for_a_moment():
        if not os.fork():
            os.setsid()
            time.sleep(1)
            os._exit(0)

    monkeypatch.setattr(parent, "_PATIENCE", 0.1)
    assert run(leave_for_a_moment, seconds=SHORT).state == "returned"
    source, target = os.pipe()
    os.write(target, b"the kernel's own")
    time.sleep(0.1)
    assert os.read(source, 100) == b"the kernel's own"
    os.close(source)
    os.close(target)


@every_strategy
def test_a_coroutine_that_nobody_awaits_is_left_to_the_words_of_the_check(strategy):
    def forgets():
        async def cook():
            return None

        cook()

    assert run(forgets, strategy=strategy).printed == ""
