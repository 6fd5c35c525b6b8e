"""What the dispatcher costs on top of reading and writing JSON, and that nothing grows too fast.

Run it with `python tests/benchmarks/speed.py`. It prints ratios, not times: they differ little from
one machine to the next.
"""

import json
from collections.abc import Callable
from time import perf_counter, process_time
from timeit import Timer

from mini_rpc import handle

METHODS = {"echo": lambda params: params}
LIMITS = {90: 1.25, 10_000: 1.1, 1_000_000: 1.1}


def echo_request(size: int) -> str:
    """Return an echo request of `size` bytes: an order with many dishes in it."""
    dish = '{"dish":"steak","table":6},'
    head, tail = '{"jsonrpc":"2.0","id":1,"method":"echo","params":{"note":"', '"}}'
    if size > 1000:
        head = head.replace('"note"', f'"list":[{dish * (size // len(dish) - 5)}0],"note"')
    return head + "x" * (size - len(head) - len(tail)) + tail


def best(*statements: str, seconds: float = 1.0, **names: object) -> list[float]:
    """Return the shortest time of each statement. They take turns, and so meet the same noise."""
    # process_time stands still while other programs run.
    timers = [Timer(statement, timer=process_time, globals=names) for statement in statements]
    repeats = max(1, round(0.002 / max(1e-7, timers[0].timeit(1))))
    times: list[list[float]] = [[] for _ in timers]
    end = perf_counter() + seconds * len(timers)
    while perf_counter() < end:
        for timer, row in zip(timers, times, strict=True):
            row.append(timer.timeit(repeats) / repeats)
    return [min(row) for row in times]


def ratio(answer: Callable[..., object], raw: str, *more: object) -> float:
    """Return the cost of `answer(raw, *more)`; 1 is what any dispatcher has to do, JSON alone."""
    mine, alone = best(
        f"answer(raw{', methods' * len(more)})",
        "json.loads(raw); json.dumps(reply)",
        answer=answer,
        raw=raw,
        methods=more[0] if more else None,
        json=json,
        reply=handle(raw, METHODS),
    )
    return mine / alone


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
    "an unknown method of n letters": lambda n: json.dumps(
        {"jsonrpc": "2.0", "id": 1, "method": "x" * n}
    ),
    "an unknown notification of n words": lambda n: json.dumps(
        {"jsonrpc": "2.0", "method": "x " * (n // 2)}
    ),
    "an id of n letters, unknown method": lambda n: json.dumps(
        {"jsonrpc": "2.0", "id": "x" * n, "method": "x"}
    ),
}


def growth(make: Callable[[int], str | bytes]) -> tuple[float, float]:
    """Return the time at 1 MB over `json.loads`, and how it grew from 100 KB: 10 is linear."""
    small, large, alone = best(
        "handle(small, methods)",
        "handle(large, methods)",
        "loads(valid)",
        seconds=0.3,
        handle=handle,
        small=make(100_000),
        large=make(1_000_000),
        loads=json.loads,
        valid=echo_request(1_000_000),
        methods=METHODS,
    )
    return large / alone, large / small


def main() -> None:
    print("| echo request | handle / (json.loads + json.dumps) | at most |")
    print("|---:|---:|---:|")
    for size, limit in LIMITS.items():
        raw = echo_request(size)
        print(f"| {len(raw):,} bytes | {ratio(handle, raw, METHODS):.2f} | {limit} |")
    print()
    print("| 1 MB that stops at an error | handle / json.loads | growth from 100 KB (10: linear) |")
    print("|---|---:|---:|")
    for name, make in ERRORS.items():
        cost, factor = growth(make)
        print(f"| {name} | {cost:.2f} | {factor:.1f} |")


if __name__ == "__main__":
    main()
