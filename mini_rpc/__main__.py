"""`python -m mini_rpc MODULE:NAME` serves a dict of methods on stdin and stdout."""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Mapping
from types import ModuleType

from .dispatcher import Methods
from .stdio import own_stdio, serve

__all__ = ["load"]


class _NoMethods(LookupError):
    """There is nothing to serve. A module may raise a `LookupError` of its own: that is no such."""


def load(target: str) -> Methods:
    """Return the dict of methods that "MODULE:NAME" names.

    Raises `LookupError` with a sentence for the learner if there is no such thing.
    """
    module_name, _, name = target.partition(":")
    if not module_name or not name or module_name.startswith("."):
        raise _NoMethods(f"{target!r} is not MODULE:NAME, as in kitchen:METHODS")
    module = _import(module_name)
    methods = getattr(module, name, None)
    if methods is None:
        dicts = ", ".join(key for key, value in vars(module).items() if _are_methods(value))
        raise _NoMethods(f"{module_name} has no {name}; its dicts of methods: {dicts or 'none'}")
    if not _are_methods(methods):
        raise _NoMethods(f"{target} is no dict from a method's name to a function")
    found: Methods = methods
    return found


def _import(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if not error.name or not f"{name}.".startswith(f"{error.name}."):
            raise  # the module is there, and what it imports is not
        hint = f"; write {name[:-3]}, without .py" if name.endswith(".py") else ""
        raise _NoMethods(f"there is no module {name} here{hint}") from None


def _are_methods(value: object) -> bool:
    if not isinstance(value, Mapping) or not value:
        return False
    return all(isinstance(key, str) and callable(value[key]) for key in value)


def _main() -> None:
    parser = argparse.ArgumentParser(prog="python -m mini_rpc", description=__doc__)
    parser.add_argument("methods", metavar="MODULE:NAME", help="as in kitchen:METHODS")
    target = parser.parse_args().methods
    stdio = own_stdio()  # before the module is imported: it may print
    try:
        methods = load(target)
    except _NoMethods as error:
        parser.error(str(error))
    serve(methods, stdio)


if __name__ == "__main__":
    _main()
