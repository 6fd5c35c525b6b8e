"""What the dispatcher costs on top of reading and writing JSON, and that nothing grows too fast.

Run it with `python tests/benchmarks/speed.py`. It prints ratios, not times: they differ little from
one machine to the next.
"""

import json
from collections.abc import Callable
from time import perf_counter, process_time

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


def best(*actions: Callable[[], object], seconds: float = 1.0) -> list[float]:
    """Return the shortest time of each action. They take turns, so that all meet the same noise."""
    repeats = max(1, round(0.002 / max(1e-7, _time(actions[0], 1))))
    times: list[list[float]] = [[] for _ in actions]
    end = perf_counter() + seconds * len(actions)
    while perf_counter() < end:
        for action, row in zip(actions, times, strict=True):
            row.append(_time(action, repeats))
    return [min(row) for row in times]


def _time(action: Callable[[], object], repeats: int) -> float:
    start = process_time()  # the clock stands still while other programs run
    for _ in range(repeats):
        action()
    return (process_time() - start) / repeats


def json_alone(raw: str) -> Callable[[], object]:
    """Return what any dispatcher has to do: read the message, write the reply."""
    reply = handle(raw, METHODS)

    def action() -> None:
        json.loads(raw)
        json.dumps(reply)

    return action


def ratio(answer: Callable[[str], object], raw: str, seconds: float = 1.0) -> float:
    """Return how many times what JSON alone needs `answer` needs for this message."""
    mine, alone = best(lambda: answer(raw), json_alone(raw), seconds=seconds)
    return mine / alone


# Messages of about n bytes that stop at an error, where a place must be found or a text cut.
ERRORS: dict[str, Callable[[int], str | bytes]] = {
    "NaN at the end": lambda n: f'{{"list": [{"1, " * (n // 3)}NaN]}}',
    "NaN after a string full of quotes": lambda n: '["' + r"\"" * (n // 2) + '", NaN]',
    "a number of n digits": lambda n: "9" * n,
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
    small, large = make(100_000), make(1_000_000)
    valid = echo_request(1_000_000)
    a, b, c = best(
        lambda: handle(small, METHODS),
        lambda: handle(large, METHODS),
        lambda: json.loads(valid),
        seconds=0.3,
    )
    return b / c, b / a


def main() -> None:
    print("| echo request | handle / (json.loads + json.dumps) | at most |")
    print("|---:|---:|---:|")
    for size, limit in LIMITS.items():
        raw = echo_request(size)
        print(f"| {len(raw):,} bytes | {ratio(lambda r: handle(r, METHODS), raw):.2f} | {limit} |")
    print()
    print("| 1 MB that stops at an error | handle / json.loads | growth from 100 KB (10: linear) |")
    print("|---|---:|---:|")
    for name, make in ERRORS.items():
        cost, factor = growth(make)
        print(f"| {name} | {cost:.2f} | {factor:.1f} |")


if __name__ == "__main__":
    main()
