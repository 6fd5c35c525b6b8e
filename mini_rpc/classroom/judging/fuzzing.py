"""Hunts for a message on which a dispatcher and the core decide differently."""

from __future__ import annotations

import sys
from dataclasses import replace
from importlib.util import find_spec
from typing import Any

from ..sandbox import limit_here
from ..text import function_name
from .answers import NOTHING_YET, is_not_begun, refusal
from .dispatchers import examine, messages, report_one
from .hostile_methods import HOSTILE_METHODS
from .inventing import invent, shrink
from .outcome import Outcome
from .runs import run_dispatcher

__all__ = ["fuzz"]

_PATIENCE = 3  # a hunt may take longer than a check
_COMPARED = (
    "the replies (ids, codes, and the message and data of each RpcError) and the methods that ran "
    "(how often, and with which params). Other words were not compared"
)


def fuzz(handle: Any, tries: int = 1000) -> Outcome:
    """Hunt for a message on which a dispatcher and the course's decide differently.

    The messages of the checks come first, and what goes wrong there is described as a check does.
    Then about `tries` messages are invented, and the smallest that shows a difference is shown.
    """
    if handle is ...:
        return Outcome("fuzz", *NOTHING_YET)
    if not callable(handle):
        return Outcome("fuzz", "wrong", "fuzz wants the function itself: its name alone.")
    if why := refusal("handle", handle, ("raw", "methods")):
        return Outcome("fuzz", "wrong", why)
    if is_not_begun(run_dispatcher(handle, ["{}"])[0].run):
        return Outcome("fuzz", *NOTHING_YET)
    known, tries = messages(6, strict=True), max(0, tries)
    bar = _Bar(len(known) + tries)
    name = function_name(handle)
    found = examine(name, handle, known, strict=True, seconds=_PATIENCE * limit_here())
    bar.show(len(known))
    if found is None:
        caught = invent(handle, tries, strict=True, progress=lambda n: bar.show(len(known) + n))
        found = caught and report_one(name, shrink(handle, caught, strict=True))
    bar.close()
    total = len(known) + tries
    if found is None:
        message = f"No difference found in {total:,} tries. Compared were {_COMPARED}."
        return Outcome("fuzz", "correct", message)
    return replace(found, id="fuzz", handle=handle, methods=HOSTILE_METHODS)


class _Bar:
    """A progress bar in a notebook, and nothing elsewhere."""

    def __init__(self, total: int) -> None:
        self._widget: Any = None
        if find_spec("ipywidgets") and "IPython" in sys.modules:
            from IPython import display, get_ipython
            from ipywidgets import IntProgress  # type: ignore[import-untyped]

            if get_ipython() is not None:
                self._widget = IntProgress(max=total, description="Trying")
                display.display(self._widget)  # type: ignore[no-untyped-call]

    def show(self, tries: int) -> None:
        if self._widget:
            self._widget.value = tries
            self._widget.description = f"{tries:,} tries"

    def close(self) -> None:
        if self._widget:
            self._widget.close()
