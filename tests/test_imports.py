"""The house: imports point one way, the core needs nothing, and every `__all__` is right."""

import ast
import importlib
import re
import subprocess
import sys
from fnmatch import fnmatch
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import mini_rpc

PACKAGE = Path(mini_rpc.__file__).parent
CORE = sorted(path for path in PACKAGE.glob("*.py") if path.name != "__main__.py")
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if path.name != "__main__.py")
Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
CORE_NAMES = {path.stem for path in CORE} - {"__init__"}


def name_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def short(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def imports_of(path: Path) -> set[str]:
    """Return the full names of the modules that a file imports, wherever in the file."""
    package = name_of(path) if path.name == "__init__.py" else name_of(path).rpartition(".")[0]
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package.split(".")[: len(package.split(".")) - max(node.level - 1, 0)]
            module = ".".join([*(base if node.level else []), *filter(None, [node.module])])
            found |= {module} | {f"{module}.{alias.name}" for alias in node.names}
    return found


def printed(*flags: str, program: str) -> list[str]:
    """Return the lines that a program prints, started beside the package."""
    command = [sys.executable, *flags, "-c", f"import sys; sys.path.insert(0, '.')\n{program}"]
    return subprocess.check_output(command, text=True, cwd=PACKAGE.parent).splitlines()


def test_import_mini_rpc_loads_the_standard_library_only() -> None:
    program = (
        "import mini_rpc, pkgutil\n"
        "for module in pkgutil.iter_modules(mini_rpc.__path__):\n"
        "    if not module.ispkg: __import__(f'mini_rpc.{module.name}')\n"
        "print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    )
    # -I and -S: no site-packages, so that nothing else can be found even by accident.
    (names,) = printed("-I", "-S", "-B", program=program)
    loaded = {name for name in names.split() if not name.startswith("_")}
    assert loaded - set(sys.stdlib_module_names) == {"mini_rpc"}


def test_import_mini_rpc_is_quick_because_it_loads_nothing_slow() -> None:
    program = (
        "import mini_rpc; slow = {'asyncio', 'inspect', 'dataclasses', 'argparse'}\n"
        "print(*slow & set(sys.modules)); print(mini_rpc.Connection, mini_rpc.serve)"
    )
    first, then = printed("-S", program=program)
    assert first == ""
    assert "Connection" in then


@pytest.mark.parametrize("path", CORE, ids=short)
def test_the_core_imports_the_core_and_the_standard_library(path: Path) -> None:
    for name in imports_of(path):
        top, part = f"{name}.".split(".")[:2]
        assert top in sys.stdlib_module_names or top == "mini_rpc", name
        assert top != "mini_rpc" or part in {*CORE_NAMES, ""}, name


def test_imports_within_the_core_have_no_circle() -> None:
    names = {f"mini_rpc.{name}" for name in CORE_NAMES}
    graph = {name_of(path): imports_of(path) & names for path in CORE if path.stem in CORE_NAMES}
    TopologicalSorter(graph).prepare()


def folders_imported(folder: Path) -> set[str]:
    """Return the folders of the classroom that a folder's files import, wherever in the file."""
    names = (name for path in folder.rglob("*.py") for name in imports_of(path))
    parts = (name.removeprefix("mini_rpc.classroom.").partition(".")[0] for name in names)
    return {part for part in parts if part in FOLDERS and part != folder.name}


RECIPES = PACKAGE.parent / ".github" / "CONTRIBUTING.md"
FOLDERS = {path.parent.name: path.parent for path in PACKAGE.glob("classroom/*/__init__.py")}


def test_imports_between_the_folders_of_the_classroom_point_one_way_as_they_are_drawn() -> None:
    graph = {name: folders_imported(folder) for name, folder in FOLDERS.items()}
    TopologicalSorter(graph).prepare()
    drawn = re.findall(r"^  (\w+) --> (\w+)$", RECIPES.read_text("utf-8"), re.MULTILINE)
    assert [(one, other) for one, other in drawn if other not in graph[one]] == []
    beside = {name: needed - reached(name, drawn) for name, needed in graph.items()}
    assert not any(beside.values()), beside


def reached(start: str, arrows: list[tuple[str, str]]) -> set[str]:
    """Return where the arrows lead from here, one after the other."""
    ends = {end for begin, end in arrows if begin == start}
    return ends.union(*(reached(end, arrows) for end in ends))


TESTS = Path(__file__).parent
COVERS = re.compile(r"^Covers (.+?)\.$", re.MULTILINE | re.DOTALL)


@cache
def covered_in(folder: Path) -> set[str]:
    """Return the modules that the tests of a folder are about: their names, and what they cover."""
    own = [*folder.glob("test_*.py"), folder.with_name(f"test_{folder.name}.py")]
    found = {path.stem.removeprefix("test_") for path in own}
    for path in [*folder.rglob("test_*.py"), *(path for path in own[-1:] if path.exists())]:
        for names in COVERS.findall(ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""):
            found |= set(re.findall(r"[\w*]+", names))
    return found


@pytest.mark.parametrize("path", [path for path in MODULES if path.stem != "__init__"], ids=short)
def test_every_module_has_a_test_file_of_its_name_or_one_that_says_it_covers_it(path: Path) -> None:
    folder = TESTS / path.parent.relative_to(PACKAGE)
    is_covered = any(fnmatch(path.stem, one) for one in covered_in(folder))
    assert is_covered, f"no test in {folder.name} covers {path.stem}"


@pytest.mark.parametrize("path", MODULES, ids=short)
def test_every_module_says_what_it_is_and_its_all_is_right_and_nothing_in_it_is_long(
    path: Path,
) -> None:
    module = importlib.import_module(name_of(path))
    assert module.__doc__
    assert len(module.__all__) == len(set(module.__all__))
    assert all(hasattr(module, name) for name in module.__all__)
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, Definition):
            lines = (node.end_lineno or 0) - node.lineno + 1
            assert lines <= (150 if isinstance(node, ast.ClassDef) else 30), node.name


def public_definitions(tree: ast.Module | ast.ClassDef) -> list[Definition]:
    """Return the classes and functions without an underscore, those of public classes included."""
    found: list[Definition] = []
    for node in tree.body:
        if isinstance(node, Definition) and not node.name.startswith("_"):
            found += [node, *(public_definitions(node) if isinstance(node, ast.ClassDef) else [])]
    return found


@pytest.mark.parametrize("path", CORE, ids=short)
def test_every_public_class_and_function_of_the_core_is_in_all_and_documented(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    found = public_definitions(tree)
    names = {node.name for node in found if node in tree.body}
    assert names <= set(importlib.import_module(name_of(path)).__all__)
    assert [node.name for node in found if not ast.get_docstring(node)] == []
