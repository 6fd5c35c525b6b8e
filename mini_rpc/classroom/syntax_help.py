"""Says under an error of Python what it means for a message that is written as raw text.

JSON inside Python needs quotes around it, and other ones than its own. Whoever forgets that gets an
error before any code of the course could run, so this looks at each cell once it is done.
"""

import re
import sys
import unicodedata
from typing import Any

from . import __all__ as _ours

__all__ = ["explain_error", "watch_cells"]

_WORDS = {"true": "True", "false": "False", "null": "None"}
_NAME = re.compile(r"""^\s*(["']?\w+["']?\s*[=:])""", re.MULTILINE)
_DOUBLE = re.compile(r"""(?<!")b?"\s*[{\[]""")
_SINGLE = re.compile(r"""(?<!')b?'\s*[{\[][^'\n]*$""", re.MULTILINE)
_BARE = re.compile(r"""[=(,]\s*[{\[]\s*"\w+"\s*:""")
_CURLY = re.compile("[“”„‘’]")
_STRANGE = re.compile(r"invalid character '(.)'")
_LOOKS_LIKE = {"−": "-", "–": "-", "—": "-", "、": ",", "。": "."}


def explain_error(source: str, error: BaseException | None) -> str:
    """Return a sentence for a cell that failed over JSON text without the right quotes, or ""."""
    if isinstance(error, NameError) and error.name and error.name in _WORDS:
        python = f"{error.name} is a word of JSON, and Python says {_WORDS[error.name]}"
        return f"{python}. A message is text, with quotes around it: {_quotes(source)}"
    if isinstance(error, NameError) and error.name in _ours:
        way = f"from mini_rpc.classroom import {error.name}"
        return f"Python does not know {error.name} yet, or no longer. This brings it: {way}"
    if not isinstance(error, SyntaxError):
        return ""
    if _DOUBLE.search(source):
        quotes = _quotes(source, error)
        return f'The text holds double quotes, so a " cannot stand around it: {quotes}'
    if _SINGLE.search(source):
        return f"A ' opens the text, and none closes it in the same line: {_quotes(source, error)}"
    if _CURLY.search(source):
        return "Python and JSON know straight quotes only: the curly ones must go."
    if _BARE.search(source):
        return f"The message is text, and text stands between quotes: {_quotes(source, error)}"
    return _strange(error.msg)


def _strange(complaint: str) -> str:
    found = _STRANGE.search(complaint)
    plain = found and (_LOOKS_LIKE.get(found[1]) or unicodedata.normalize("NFKC", found[1]))
    return f"{found[1]} only looks like {plain}" if found and plain and plain.isascii() else ""


def _quotes(source: str, error: SyntaxError | None = None) -> str:
    line = source.splitlines()[error.lineno - 1 :][:1] if error and error.lineno else []
    found = _NAME.search("".join(line)) or _NAME.search(source)
    name = found[1] if found else "message ="
    return f"put three quotes before and after it, as in {name} '''{{...}}'''"


def watch_cells() -> None:
    """From now on explain such errors below the cell. Anywhere but in a kernel, do nothing."""
    ipython: Any = sys.modules.get("IPython")
    shell = ipython and ipython.get_ipython()
    if hasattr(shell, "kernel") and _say not in shell.events.callbacks["post_run_cell"]:
        shell.events.register("post_run_cell", _say)


def _say(result: Any) -> None:
    source = getattr(result.info, "raw_cell", "") or ""
    if sentence := explain_error(source, result.error_before_exec or result.error_in_exec):
        print(sentence)
