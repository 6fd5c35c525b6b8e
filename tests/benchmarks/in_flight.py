"""What a request in flight costs, with 100, 1,000 and 10,000 of them: the cost should stay flat.

    python tests/benchmarks/in_flight.py

The table alone: open all, then match all, the last one first. The connection: ask all, then answer
all from the other end of a line in memory, the last one first.
"""

import asyncio
import json
from functools import partial
from timeit import timeit

from mini_rpc.classroom.talks.memory import memory_pair
from mini_rpc.connection import Connection
from mini_rpc.in_flight import InFlight
from mini_rpc.messages import result_response

SIZES = (100, 1_000, 10_000)
ROUNDS = 5


def table(size: int) -> None:
    tickets: InFlight[int] = InFlight()
    ids = [tickets.new_id() for _ in range(size)]
    for id in ids:
        tickets.open(id, id)
    for id in reversed(ids):
        tickets.match(id)


async def ask_and_answer(size: int) -> None:
    ours, theirs = memory_pair()
    async with Connection(ours, at_once=size) as client:
        waits = [asyncio.ensure_future(client.request("ping")) for _ in range(size)]
        ids = [json.loads(await theirs.receive() or "")["id"] for _ in waits]
        for id in reversed(ids):
            await theirs.send(json.dumps(result_response(id, {})))
        await asyncio.gather(*waits)


def connection(size: int) -> None:
    asyncio.run(ask_and_answer(size))


def main() -> None:
    for work in (table, connection):
        # Round by round, so that a busy machine disturbs all sizes alike.
        rounds = [
            [timeit(partial(work, size), number=max(SIZES) // size) for size in SIZES]
            for _ in range(ROUNDS)
        ]
        costs = [min(row) / max(SIZES) * 1e6 for row in zip(*rounds, strict=True)]
        for size, cost in zip(SIZES, costs, strict=True):
            print(f"{work.__name__:<10} {size:>6,} in flight: {cost:7.2f} µs a request")
        print(f"{work.__name__:<10} ratio of the last to the first: {costs[-1] / costs[0]:.2f}")


if __name__ == "__main__":
    main()
