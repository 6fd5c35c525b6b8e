"""The talks that lesson 7 shows where no program can be started, as they are today:

    python tests/data/record_talks.py

It writes them into the package. The tests hold what is there against what is said today.
"""

import ast
import asyncio
import os
import tempfile
from contextlib import suppress
from pathlib import Path

from mini_rpc import RpcError
from mini_rpc.classroom.talks import peers
from mini_rpc.classroom.talks.peers import META, official_server, visit
from mini_rpc.classroom.talks.server_file import my_server
from mini_rpc.classroom.talks.talk import Line, Talk
from mini_rpc.classroom.workshop.judge import judge
from mini_rpc.classroom.workshop.judge_report import Report
from mini_rpc.classroom.workshop.lessons import committed_lessons

CELLS = {cell.id: cell.source for cell in committed_lessons()["07_real_peers"].code}
OFFICIAL = ast.literal_eval(CELLS["official"].partition(" = ")[2])  # the server's source
ORDER = {"table": 6, "dish": "steak"}
OLD = {**META, "io.modelcontextprotocol/protocolVersion": "1999-01-01"}
ASKED = (
    ("server/discover", {"_meta": META}),
    ("tools/list", {"_meta": META}),
    ("tools/call", {"name": "place_order", "arguments": ORDER, "_meta": META}),
    ("resources/list", {"_meta": META}),
    ("resources/read", {"uri": "menu://today", "_meta": META}),
    ("tools/list", {"_meta": OLD}),
)


async def talks() -> dict[str, Talk]:
    """Have each of the talks; return them by name."""
    log: list[Line] = []
    async with official_server(OFFICIAL, log=log) as server:
        for method, params in ASKED:
            with suppress(RpcError):
                await server.request(method, params)
    return {
        "official_client": (await visit(my_server(), "place_order", ORDER)).talk,
        "legacy_client": (await visit(my_server(), "place_order", ORDER, "legacy")).talk,
        "official_server": Talk(log),
    }


def reports() -> dict[str, Report]:
    """Judge the servers that lesson 7 judges; return the reports by name."""
    return {"judged_us_mcp": judge(my_server(), mcp=True), "judged_official": judge(OFFICIAL)}


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["MINI_RPC_PROGRESS"] = f"{scratch}/progress.json"
        place = Path(peers.__file__).parent / "peer_files"
        for name, talk in asyncio.run(talks()).items():
            talk.save(place / f"{name}.log")
        for name, report in reports().items():
            (place / f"{name}.json").write_text(report.as_json() + "\n", "utf-8")
