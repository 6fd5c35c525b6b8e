"""What a dispatcher costs on top of reading and writing JSON, and that nothing grows too fast.

    pip install -r tests/benchmarks/requirements.txt
    python tests/benchmarks/speed.py

It prints ratios, not times: they differ little from one machine to the next. 1 is what any
dispatcher has to do: `json.loads` of the message, and `json.dumps` of the reply, if there is one.
Logging is off; `*` marks a reply that differs from the course's. All read and write with the
standard library's json. Two would take ujson where it is installed, which is faster on large
messages and less strict: `--ujson` lets them.
"""

import json
import logging
import subprocess
import sys
import warnings
from collections.abc import Callable
from time import perf_counter, process_time
from timeit import Timer

from peers import Answer, installed

from mini_rpc import JSON_RPC, dispatch, handle
from mini_rpc.classroom.judging.differences import agrees
from mini_rpc.classroom.judging.hostile_methods import HOSTILE_METHODS
from mini_rpc.wire import decode


def request(size: int, method: str = "echo") -> str:
    """Return a request of `size` bytes: an order with many dishes in it."""
    dish = '{"dish":"steak","table":6},'
    head, tail = f'{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{"note":"', '"}}'
    if size > 1000:
        head = head.replace('"note"', f'"list":[{dish * (size // len(dish) - 5)}0],"note"')
    return head + "x" * (size - len(head) - len(tail)) + tail


def best(*statements: str, seconds: float = 1.0, **names: object) -> list[float]:
    """Return the shortest time of each statement. They take turns, and so meet the same noise."""
    # process_time stands still while other programs run.
    timers = [Timer(statement, timer=process_time, globals=names) for statement in statements]
    repeats = max(1, round(0.005 / max(1e-7, timers[0].timeit(1))))
    times: list[list[float]] = [[] for _ in timers]
    end = perf_counter() + seconds * len(timers)
    while perf_counter() < end:
        for timer, row in zip(timers, times, strict=True):
            timer.timeit(repeats // 10)  # warm: another one was at work
            row.append(timer.timeit(repeats) / repeats)
    return [min(row) for row in times]


WORKLOADS = {
    "echo 90 B": request(90),
    "echo 10 kB": request(10_000),
    "echo 1 MB": request(1_000_000),
    "10 kB in": request(10_000, "ping"),
    "1 MB in": request(1_000_000, "ping"),
    "notification": request(90, "ping").replace('"id":1,', ""),
    "unknown": request(90, "nobody"),
    "crash": request(90, "kitchen/burn"),
    "not JSON": request(90)[:-9],
}


def floor(raw: str, reply: object) -> None:
    """Do what any dispatcher has to do."""
    try:
        json.loads(raw)
    except ValueError:  # (`suppress` costs too much here)
        assert reply
    if reply is not None:
        json.dumps(reply)


def ratios(answers: dict[str, Answer], raw: str) -> dict[str, str]:
    """Return what each answer costs, all measured by turns; 1 is `floor`."""
    reply = dispatch(raw, HOSTILE_METHODS, rules=JSON_RPC).reply
    called = {f"answer_{number}": answer for number, answer in enumerate(answers.values())}
    statements = [f"{name}(raw)" for name in called]
    names = {**called, "floor": floor, "raw": raw, "reply": reply}
    alone, *costs = best("floor(raw, reply)", *statements, seconds=1 + len(raw) / 300_000, **names)
    found = {}
    for (name, answer), cost in zip(answers.items(), costs, strict=True):
        text = answer(raw)
        right = agrees(raw, reply, decode(text) if text else None)
        found[name] = f"{cost / alone:.2f}{'' if right else '*'}"
    return found


def import_ratio() -> float:
    """Return what `import mini_rpc` takes above bare Python; 1 is `import json, logging`."""
    programs = ["pass", "import json, logging", "import mini_rpc"]
    times: list[list[float]] = [[], [], []]
    for _ in range(15):
        for row, program in zip(times, programs, strict=True):
            start = perf_counter()
            subprocess.run([sys.executable, "-S", "-c", program], check=True)
            row.append(perf_counter() - start)
    bare, usual, ours = map(min, times)
    return (ours - bare) / (usual - bare)


def call(**members: object) -> str:
    return json.dumps({"jsonrpc": "2.0", **members})


# Messages of about n bytes that stop at an error, where a place must be found or a text cut.
ERRORS: dict[str, Callable[[int], str | bytes]] = {
    "NaN at the end": lambda n: f'{{"list": [{"1, " * (n // 3)}NaN]}}',
    "NaN after a string full of quotes": lambda n: '["' + r"\"" * (n // 2) + '", NaN]',
    "a number of n digits": lambda n: "9" * n,
    "a long number, then n quotes": lambda n: "9" * 4301 + "." + '\\"' * (n // 2),
    "a long number at the end": lambda n: f"[{'1, ' * (n // 3)}{'9' * 5000}]",
    "cut off": lambda n: f'{{"list": [{"1, " * (n // 3)}',
    "cut off in a string": lambda n: '{"dish": "' + "x" * n,
    "cut off after many lines": lambda n: "[" + "1,\n" * (n // 3),
    "more after the end": lambda n: "{}" + " " * n + "{}",
    "a bad byte at the end": lambda n: b"[" + b"1, " * (n // 3) + b"\xff]",
    "n open brackets": lambda n: "[" * n,
    "an unknown method of n letters": lambda n: call(id=1, method="x" * n),
    "an unknown notification of n words": lambda n: call(method="x " * (n // 2)),
    "an id of n letters, unknown method": lambda n: call(id="x" * n, method="x"),
}


def growth(make: Callable[[int], str | bytes]) -> tuple[float, float]:
    """Return the time at 1 MB over `json.loads`, and how it grew from 100 KB: 10 is linear."""
    names = {"handle": handle, "methods": HOSTILE_METHODS, "loads": json.loads}
    texts = {"small": make(100_000), "large": make(1_000_000), "valid": request(1_000_000)}
    statements = "handle(small, methods)", "handle(large, methods)", "loads(valid)"
    small, large, alone = best(*statements, seconds=0.3, **names, **texts)
    return large / alone, large / small


def compare() -> None:
    """Print a row for each dispatcher that is installed."""
    answers = installed()
    columns = {name: ratios(answers, raw) for name, raw in WORKLOADS.items()}
    print(f"| dispatcher | {' | '.join(columns)} |")
    print(f"|---|{'---:|' * len(columns)}")
    for name in answers:
        print(f"| {name} | {' | '.join(column[name] for column in columns.values())} |")


def main() -> None:
    if "--ujson" not in sys.argv:
        sys.modules["ujson"] = None  # type: ignore[assignment]
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    compare()
    print(f"\nimport mini_rpc takes {import_ratio():.1f} times what json and logging take.\n")
    print("| 1 MB that stops at an error | handle / json.loads | growth from 100 KB (10: linear) |")
    print("|---|---:|---:|")
    for name, make in ERRORS.items():
        cost, factor = growth(make)
        print(f"| {name} | {cost:.2f} | {factor:.1f} |")


if __name__ == "__main__":
    main()
