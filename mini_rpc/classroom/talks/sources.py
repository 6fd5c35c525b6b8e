"""A function of a notebook as a file of its own: its source, and the source of what it uses."""

import ast
import builtins
import inspect
import linecache
import symtable
import sys
from textwrap import dedent
from types import FunctionType, ModuleType
from typing import Any

__all__ = ["CannotKeep", "source_of"]


class CannotKeep(Exception):
    """Says in a sentence why a function cannot be written down."""


def source_of(function: Any, name: str) -> str:
    """Return a module's text that defines `name` as this function.

    What the function uses from its notebook comes along: functions, classes, imports, constants.
    Raises `CannotKeep` for what has no source, is not written yet, or uses a value of another kind.
    """
    if not isinstance(function, FunctionType):
        raise CannotKeep("it is not a function.")
    own = function.__name__
    if not name.isidentifier():
        raise CannotKeep(f'{name!r} is no name in Python: give one, as in keep({own}, "handle").')
    if function.__closure__:
        raise CannotKeep(f"{function.__name__} uses names of a function around it.")
    pieces: dict[str, str] = {}
    _collect(own, function, function.__globals__, pieces)
    alias = "" if name == own else f"\n\n{name} = {own}\n"
    imports = [text for text in pieces.values() if text.startswith(("import ", "from "))]
    rest = [text for text in pieces.values() if text not in imports]
    return "\n".join(sorted(imports)) + "\n\n" + "\n\n\n".join(rest) + f"\n{alias}"


def _collect(name: str, value: Any, names: dict[str, Any], pieces: dict[str, str]) -> None:
    """Add what defines a name to the pieces, after what that needs itself."""
    if name in pieces:
        return
    if isinstance(value, ModuleType):
        pieces[name] = f"import {_named(value.__name__, name)}"
    elif _is_here(value):
        pieces[name] = ""  # it may use itself
        text = _text_of(value)
        if "raise NotAttempted" in text:
            raise CannotKeep(f"{value.__name__} is not written yet.")
        for other in _used_in(text):
            is_builtin = hasattr(builtins, other) and not _is_here(names.get(other))
            if other in names and other != name and not is_builtin:
                _collect(other, names[other], names, pieces)
        del pieces[name]
        pieces[name] = text
    elif (module := _importable(value)) is not None:
        pieces[name] = f"from {module} import {_named(value.__name__, name)}"
    else:
        pieces[name] = f"{name} = {_constant(name, value)}"


def _is_here(value: Any) -> bool:
    return isinstance(value, (FunctionType, type)) and _importable(value) is None


def _importable(value: Any) -> str | None:
    module, name = str(getattr(value, "__module__", "")), str(getattr(value, "__name__", ""))
    found = getattr(sys.modules.get(module), name, None)
    return module if module != "__main__" and found is value else None


def _text_of(value: Any) -> str:
    try:
        if isinstance(value, type):
            return _text_of_class(value)
        return dedent(inspect.getsource(value)).strip()
    except (OSError, TypeError, ValueError, LookupError):
        sentence = f"nobody knows the source of {value.__name__}: run its cell again."
        raise CannotKeep(sentence) from None


def _text_of_class(value: type) -> str:
    """Return a class's source from the cell of one of its methods: `inspect` asks for a file."""
    methods = (one for one in vars(value).values() if isinstance(one, FunctionType))
    method = next(methods, source_of)  # which is in no cell
    cell = "".join(linecache.getlines(method.__code__.co_filename))
    found = [node for node in ast.parse(cell).body if getattr(node, "name", "") == value.__name__]
    return ast.get_source_segment(cell, found[-1]) or ""


def _used_in(text: str) -> list[str]:
    tables = [symtable.symtable(text, "a kept function", "exec")]
    found: dict[str, None] = {}
    for table in tables:  # it grows meanwhile
        tables += table.get_children()
        for symbol in table.get_symbols():
            if symbol.is_global() or (table.get_type() == "module" and symbol.is_referenced()):
                found[symbol.get_name()] = None
    return list(found)


def _named(original: str, name: str) -> str:
    return original if original == name else f"{original} as {name}"


def _constant(name: str, value: Any) -> str:
    text = repr(value)
    try:
        same = ast.literal_eval(text) == value
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        same = False
    if not same:
        raise CannotKeep(f"{name} is a value that cannot be written into a file.")
    return text
