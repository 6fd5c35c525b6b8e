"""Send any server that speaks over stdio hostile mail, and say what it does right and wrong.

    python -m mini_rpc.classroom judge [--mcp] [--json] COMMAND [ARGUMENT ...]

The exit status is 0 where all is right, 1 where something is not, and 2 where the program could
not be judged.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ..talks.peers import is_recorded, recorded_text
from ..talks.programs import python_command
from ..text import Plain
from . import parser_of
from .judge_report import Report
from .judging_servers import CannotJudge, judge_server

__all__ = ["judge", "main"]

_BAR = 30


def judge(server: str | Path, *, mcp: bool = False) -> Report:
    """Judge a server's file, or the source of a server made with the official package.

    With `mcp` also what MCP says. Where no program can be started, a recorded report comes back.
    """
    is_file = isinstance(server, Path)
    of_whom = ", of my_server.py as it was made" if is_file else ""
    if (not is_file or sys.platform == "emscripten") and is_recorded(of_whom):
        name = f"judged_{'us' if is_file else 'official'}{'_mcp' if mcp else ''}.json"
        return Report.from_json(recorded_text(name))
    try:
        return judge_server(python_command(server), mcp=mcp)
    except CannotJudge as error:
        raise Plain(f"Your server cannot be judged: {error}") from None


def main(argv: list[str]) -> int:
    """Judge the server that a command starts; return the exit status."""
    parser = parser_of("judge", __doc__)
    parser.add_argument("--mcp", action="store_true", help="also what MCP says, in both eras")
    parser.add_argument("--json", action="store_true", help="print the report for machines")
    parser.add_argument("command", nargs=argparse.REMAINDER, help="what starts the server")
    asked = parser.parse_args(argv)
    command = asked.command[1:] if asked.command[:1] == ["--"] else asked.command
    if not command or not command[0]:
        parser.print_usage(sys.stderr)
        print("judge: say which command starts the server", file=sys.stderr)
        return 2
    is_seen = sys.stderr.isatty()
    try:
        report = judge_server(command, mcp=asked.mcp, on_progress=_show if is_seen else None)
    except (CannotJudge, KeyboardInterrupt) as error:
        print(f"judge: {error if str(error) else 'interrupted'}", file=sys.stderr)
        return 2
    finally:
        print(f"\r{'':<78}\r" if is_seen else "", end="", file=sys.stderr, flush=True)
    print(report.as_json() if asked.json else report)
    return 0 if report.passed else 1


def _show(done: int, total: int, what: str) -> None:
    """Draw the bar of how far it is, over the one before."""
    full = _BAR * done // total
    bar = f"[{'#' * full}{'.' * (_BAR - full)}] {done:>2} of {total}  {what}"
    print(f"\r{bar[:78]:<78}", end="", file=sys.stderr, flush=True)
