"""One way in for people who run or write the course: `python -m mini_rpc.classroom COMMAND`.

Each command is a module of `workshop` with a function `main(argv) -> int`. The first line of its
docstring is what `--help` says of it, and nothing is imported but the command that is asked for.
"""

import ast
import importlib
import os
import sys
from pathlib import Path

from .content import BadContent

__all__ = ["commands", "main"]

WORKSHOP = Path(__file__).with_name("workshop")
CALLED = "python -m mini_rpc.classroom"


def commands() -> dict[str, str]:
    """Return the first line of every command's docstring, by the command's name."""
    found = {}
    for path in sorted([*WORKSHOP.glob("*.py"), *WORKSHOP.glob("*/__init__.py")]):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        if any(isinstance(node, ast.FunctionDef) and node.name == "main" for node in tree.body):
            name = path.stem if path.parent == WORKSHOP else path.parent.name
            found[name.removesuffix("_")] = (ast.get_docstring(tree) or "").partition("\n")[0]
    return found


def main(argv: list[str]) -> int:
    """Run the command that `argv` names with the rest of `argv`; return its exit status."""
    known = commands()
    if not argv or argv[0] in ("-h", "--help"):
        width = max(map(len, known))
        print(f"Usage: {CALLED} COMMAND ...\n")
        print(*(f"  {name:<{width}}  {line}" for name, line in known.items()), sep="\n")
        print(f"\nMore on one of them: {CALLED} COMMAND --help")
        return 0 if argv else 2
    if argv[0] not in known:
        print(f"{argv[0]!r} is no command. There are: {', '.join(known)}.", file=sys.stderr)
        return 2
    return _run(argv[0], argv[1:])


def _run(name: str, argv: list[str]) -> int:
    # A name that Python keeps for itself has a `_` behind it.
    kept = (WORKSHOP / f"{name}_.py").exists() or (WORKSHOP / f"{name}_").is_dir()
    try:
        module = importlib.import_module(f"{__package__}.workshop.{name}{'_' * kept}")
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing == "mini_rpc":
            raise
        print(
            f"{name} needs the package {missing}. In the course's folder, run: "
            "python -m pip install -r requirements.txt",
            file=sys.stderr,
        )
        return 1
    status: int = module.main(argv)
    return status


def _started() -> int:
    if sys.stdout is None:
        print(f"{CALLED}: stdout is closed, and there is something to say", file=sys.stderr)
        return 2
    try:
        try:
            return main(sys.argv[1:])
        finally:
            sys.stdout.flush()
    except BrokenPipeError:  # whoever reads has read enough, as `head` does
        pass
    except (OSError, BadContent) as error:  # a full disk, a file that is not there
        said = [getattr(error, name, None) for name in ("strerror", "filename")]
        print(f"{CALLED}: {': '.join(map(str, filter(None, said))) or error}", file=sys.stderr)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # Python flushes once more at its end
    return 2  # and not 1, which is a verdict of `judge`


if __name__ == "__main__":
    sys.exit(_started())
