"""Sends a server the cases of `judge` and says, for each, whether what came back is right."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import count
from typing import Any

from ...messages import is_response, notification, request
from ...wire import NotJSON, decode
from ..eras import LEGACY, META
from ..talks.programs import Ended, Speaker
from ..text import shorten, visible
from .judge_cases import Case, State, is_call, is_json, read_cases, say, verdict_on
from .judge_report import NOT_SENT, Judged, Report

__all__ = ["CannotJudge", "OnProgress", "judge_server"]

_START = 20.0  # seconds that a program has for its first answer
_PATIENCE = 5.0  # for each answer after that
_LONGEST = 120.0  # for everything
_MOST_ENDS = 25  # times that a program may end, and be started again
_MOST_SILENCES = 5  # times that it may fall silent for good
_SHORT = 1_000  # bytes of a line that is remembered
_MOST, _ROOM = 200, 4_000_000  # answers that are looked at for each message, and their bytes
_PAUSE = 0.05  # between the pieces of a message, and before one more question
_OPENING = "judge"  # the id of `initialize`, where that has to come first
_NOISE = "A server writes to its stdout nothing but messages. (Each other line is told once.)"
_STDIO = "MCP 2026-07-28, basic/transports/stdio"

OnProgress = Callable[[int, int, str], None]


class CannotJudge(Exception):
    """Says in a sentence why a program cannot be judged at all."""


def _judged(case: Case, state: State, came: str, remark: str = "") -> Judged:
    return Judged(case.what, case.sent, came, state, case.says, case.source, remark)


def judge_server(
    command: Sequence[str], *, mcp: bool = False, on_progress: OnProgress | None = None
) -> Report:
    """Start a program, send it every case, and return what came of each.

    With `mcp` also those of both eras. A program that ends or falls silent is started again, and
    given up in the end: the rest is not asked then. Raises `CannotJudge` for one that does not
    start, or never answers anything.
    """
    names = ("mail", "modern", "legacy") if mcp else ("mail",)
    sections = {name: read_cases(name, mcp=mcp) for name in names}
    total = sum(map(len, sections.values()))
    trial = _Trial(command)
    found: dict[str, list[Judged]] = {name: [] for name in names}
    done = 0
    try:
        for name, cases in sections.items():
            trial.begin(name)
            for case in cases:
                if on_progress is not None:
                    on_progress(done, total, case.what)
                done += 1
                found[name].append(trial.judge(case))
    finally:
        trial.end()
    if len(trial.unspoken) == 1:  # one era is enough: then the other's opening is no fault
        (name,) = trial.unspoken
        found[name][0] = found[name][0]._replace(state="not spoken")
    return Report(one for name in names for one in found[name])


class _Peer(Speaker):
    """A process on trial: what it is sent is followed by a question that it must answer."""

    def __init__(self, command: Sequence[str], section: str, end: float, told: set[bytes]) -> None:
        super().__init__(command)
        self._section = section
        self._end = end  # of the time for everything
        self._told = told  # lines that are no message, and need not be told again
        self._heard = False  # whether it has answered anything
        self._numbers = count(1)
        self.knows = False  # that there is no such method as it was asked for

    def open(self) -> None:
        """Open a legacy talk (MCP 2025-11-25, basic/lifecycle)."""
        about = {"capabilities": {}, "clientInfo": {"name": "judge", "version": "1"}}
        opening = request(_OPENING, "initialize", {"protocolVersion": LEGACY[-1], **about})
        for message in (opening, notification("notifications/initialized")):
            self.send(json.dumps(message).encode() + b"\n")

    def deliver(self, case: Case, came: list[bytes]) -> bool:
        """Send a case, and add what comes to `came`; tell whether later questions are answered."""
        for number, piece in enumerate(case.pieces):
            if number:
                time.sleep(_PAUSE)
            self.send(piece)
        pause = 0.0
        for _ in range(4):  # whoever works on many at a time may answer a question first
            time.sleep(pause)
            asked = time.monotonic()
            lines, alive = self.ask()
            came += lines
            if not alive or verdict_on(case, came) != "no answer":
                return alive
            pause = min(1.0, max(_PAUSE, 3 * (time.monotonic() - asked)))
        return True

    def ask(self) -> tuple[list[bytes], bool]:
        """Ask something that must be answered; return what came before, and whether it was."""
        id = f"judge {next(self._numbers)}"
        modern = request(id, "judge/are_you_there", {"_meta": META})
        asked = request(id, "ping") if self._section == "legacy" else modern
        self.send(json.dumps(asked).encode() + b"\n")
        came: list[bytes] = []
        patience = _PATIENCE if self._heard else _START
        deadline = time.monotonic() + patience
        while (line := self.receive(min(deadline, self._end) - time.monotonic())) is not None:
            if answer := _answer(line, id):
                self._heard = True
                error = answer.get("error")
                self.knows = isinstance(error, dict) and error.get("code") == -32601
                return came, True
            if line in self._told or _answer(line, _OPENING):
                continue
            if len(came) == _MOST or sum(map(len, came)) > _ROOM:
                continue
            # A modern server sends no requests (MCP 2026-07-28, basic/transports/stdio).
            if not is_call(line, also_requests=self._section != "modern"):
                came.append(line)
                deadline = time.monotonic() + patience  # it is slow, and not silent
        return came, False


class _Trial:
    """A program on trial: started, asked, and started again where it has fallen.

    `over` says why nothing more is asked, once that is so; `unspoken` are the eras whose opening
    was not answered as it should be.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self.over = ""
        self.unspoken: list[str] = []
        self._command = command
        self._peer: _Peer | None = None
        self._end = time.monotonic() + _LONGEST
        self._ends = self._silences = 0
        self._section, self._is_opening = "mail", False
        self._needs_opening: bool | None = None  # until it is found out
        self._early: list[bytes] = []  # what came before the first case
        self._told: set[bytes] = set()

    def begin(self, section: str) -> None:
        """Begin with a new process. Raises `CannotJudge` where the first one answers nothing."""
        self._section, self._is_opening = section, section != "mail"
        if self._peer is None:
            self._early = self._start_again()
        elif not self.over:
            self._try_again()

    def end(self) -> None:
        """End the program."""
        if self._peer is not None:
            self._peer.end(0.2)

    def judge(self, case: Case) -> Judged:
        """Send a case and say what came of it.

        The first case of an era is its opening: nothing more is sent of an era that is not spoken.
        """
        if self.over:
            return _judged(case, "not asked", NOT_SENT, self.over)
        if self._section in self.unspoken:
            return _judged(case, "not spoken", NOT_SENT)
        if case.fresh:
            self._fresh()
        came, self._early = self._early, []
        judged = self._send_and_wait(case, came)
        if self._is_opening and all(verdict_on(case, [line]) != "right" for line in came):
            self.unspoken.append(self._section)
        self._is_opening = False
        noise = {line for line in came if not is_json(line)}
        self._told |= {line for line in noise if len(line) <= _SHORT}
        return judged._replace(says=_NOISE, source=_STDIO) if noise else judged

    def _send_and_wait(self, case: Case, came: list[bytes]) -> Judged:
        assert self._peer is not None
        try:
            if self._peer.deliver(case, came):
                return _judged(case, verdict_on(case, came), say(came))
            if self._is_late():
                return self.judge(case)
            remark = "and no later question was answered"
            self._silences += 1
        except Ended as error:
            remark = str(error)
            self._ends += 1
        self._go_on()
        return _judged(case, "wrong" if came else "no answer", say(came), remark)

    def _go_on(self) -> None:
        """Start the program again, unless it has fallen too often."""
        if self._silences >= _MOST_SILENCES:
            self.over = f"it fell silent {self._silences} times"
        elif self._ends >= _MOST_ENDS:
            self.over = f"it ended {self._ends} times"
        elif not self._is_late():
            self._try_again()

    def _try_again(self) -> None:
        try:
            self._start_again()
        except CannotJudge as error:
            self.over = str(error)
            self._is_late()

    def _is_late(self) -> bool:
        """Tell whether the time for everything is over, and nothing more is asked then."""
        is_late = time.monotonic() >= self._end
        if is_late:
            self.over = f"the {_LONGEST:g} seconds for everything are over"
        return is_late

    def _start_again(self) -> list[bytes]:
        """Start a new process, and see that it answers something; return what it said before.

        Where an era is asked for, nothing comes before the opening of a legacy server.
        """
        if self._needs_opening is None:
            return self._find_out()
        if self._section == "legacy" or (self._section == "modern" and self._needs_opening):
            self._fresh()
            return []
        return self._first_words()

    def _find_out(self) -> list[bytes]:
        """Start, and find out whether nothing is served, or even heard, before `initialize`."""
        silence: CannotJudge | None = None
        for self._needs_opening in (False, True):
            try:
                came = self._first_words()
                if silence or (self._peer and self._peer.knows):
                    return came
            except CannotJudge as error:
                if silence:
                    raise silence from None
                silence = error
        self._needs_opening = False
        return self._first_words()

    def _first_words(self) -> list[bytes]:
        peer = self._fresh()
        if self._needs_opening:
            peer.open()
        try:
            came, alive = peer.ask()
        except Ended as error:
            raise CannotJudge(f"the program answers nothing: {error}") from None
        if alive:
            return came
        said = f"what came is {say(came[:1])}" if came else peer.words.last_line()
        if not came and (begun := peer.give_up()):
            said = f"what came has no line break at its end, {visible(shorten(begun, 30))!r}"
        raise CannotJudge(f"the program answers nothing within {_START:g} seconds: {said}")

    def _fresh(self) -> _Peer:
        """Start a new process, which nobody has asked anything yet."""
        self.end()
        try:
            self._peer = _Peer(self._command, self._section, self._end, self._told)
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            raise CannotJudge(f"{self._command[0]!r} cannot be started: {why}") from None
        return self._peer


def _answer(line: bytes, id: str) -> dict[str, Any] | None:
    """Return the message of a line where it is the answer to this question."""
    message: Any = None
    with suppress(NotJSON):
        message = decode(line)
    return message if is_response(message) and message.get("id") == id else None
