"""Build the course as a static site that needs no server and no network.

    python -m mini_rpc.classroom site
    python -m http.server --bind 127.0.0.1 -d .site/out

The site is a JupyterLite: JupyterLab and a Python kernel that run in the reader's browser. The
package is built from the tree as it stands. The notebooks are those of the last commit, because a
working copy is a notebook somebody wrote into.

What it makes is kept in `.site/`: `venv` (what builds it), `pyodide`, `wheels` (what was fetched,
all of it known by its hash), and `out` (the site). Delete the folder to begin again. Needs git, npm
and, the first time, the network.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path
from typing import Any

from ..content import BadContent
from ..teacher import read_teacher
from . import NOTEBOOKS, ROOT

__all__ = ["main"]

HERE = Path(__file__).with_name("site_files")
WORK = ROOT / ".site"
SETTINGS = ROOT / ".jupyter" / "labconfig" / "default_setting_overrides.d" / "mini_rpc.json"
KERNEL = "@jupyterlite/pyodide-kernel-extension"
PYTHON = WORK / "venv" / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")

RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
"""The files of Pyodide that a page loads. The rest are types, consoles and source maps."""

PYODIDE = {"314.0.6": "d78ac549b28a2a58600cd06f44e017024151775f8c6b2d73fab1475400d38ea2"}
"""The SHA-256 of the package that brings Pyodide, by version."""

PAGE_ONLY = {"jupyterlab_widgets", "widgetsnbextension"}
"""Wheels that carry JavaScript for the page and nothing for the kernel."""


def main(argv: list[str]) -> int:
    """Build the site; return 0. Whatever fails ends the program with a sentence."""
    parser = argparse.ArgumentParser("site", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, default=WORK / "out", help="where the site goes")
    parser.add_argument(
        "--network-pyodide",
        action="store_true",
        help="leave Pyodide out: pages load it from its usual network address (a smaller site)",
    )
    options = parser.parse_args(argv)
    tools()
    wheels = [*fetched_wheels(), own_wheel()]
    pages = lite_folder()
    build(pages, wheels, options.out)
    kernel_files(wheels, options.out, bundled=not options.network_pyodide)
    shutil.copy(HERE / "index.html", options.out)
    keep_offline(options.out)
    size = sum(file.stat().st_size for file in options.out.rglob("*") if file.is_file())
    serve = f"python -m http.server --bind 127.0.0.1 -d {options.out}"
    print(f"{options.out}: {size / 1e6:.1f} MB. Serve it: {serve}")
    return 0


def say(*command: str | Path, cwd: Path = ROOT) -> str:
    """Run a command and return what it printed. Stop the build, loudly, when it fails."""
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=cwd, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{done.stdout}{done.stderr}\nfailed: {' '.join(words)}")
    return done.stdout


def tools() -> None:
    """The environment that builds: its own, so that the learner's stays clean."""
    wanted = (HERE / "requirements.lock").read_text()
    stamp = WORK / "venv" / "installed.txt"
    if stamp.exists() and stamp.read_text() == wanted:
        return
    venv.create(WORK / "venv", with_pip=True, clear=True)
    pip = (PYTHON, "-m", "pip", "install", "-qq", "--require-hashes")
    say(*pip, "-r", HERE / "requirements.lock")
    stamp.write_text(wanted)


def fetched_wheels() -> list[Path]:
    """The wheels of `wheels.txt`, in the folder named after its contents."""
    wanted = (HERE / "wheels.txt").read_bytes()
    folder = WORK / "wheels" / hashlib.sha256(wanted).hexdigest()[:12]
    if not folder.exists():
        fresh = folder.with_suffix(".part")
        pick = ("--no-deps", "--only-binary=:all:", "--python-version=3.14", "--platform=any")
        pip = (PYTHON, "-m", "pip", "download", "-qq", *pick)
        say(*pip, "-d", fresh, "-r", HERE / "wheels.txt")
        fresh.rename(folder)
    return sorted(folder.glob("*.whl"))


def own_wheel() -> Path:
    """`mini_rpc`, built from a copy of the tree, so that no build folder is left in it."""
    copy, made = WORK / "package", WORK / "wheel"
    for folder in (copy, made):
        shutil.rmtree(folder, ignore_errors=True)
    for name in say("git", "ls-files", "-z", "-co", "--exclude-standard").split("\0"):
        if (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, copy / name)
    pip = (PYTHON, "-m", "pip", "wheel", "-qq", "--no-deps", "--no-build-isolation")
    say(*pip, "-w", made, copy)
    return next(made.glob("*.whl"))


def lite_folder() -> Path:
    """The input of JupyterLite: its settings, and the lessons of the last commit.

    The pages for instructors stay out: they hold the answers.
    """
    folder = WORK / "lite"
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "files").mkdir(parents=True)
    shutil.copy(HERE / "jupyter-lite.json", folder)
    shutil.copy(SETTINGS, folder / "overrides.json")
    archive = WORK / "notebooks.tar"
    say("git", "archive", "--output", archive, "HEAD", "notebooks")
    with tarfile.open(archive) as commit:
        unpack(commit, folder / "files")
    pages = folder / "files" / NOTEBOOKS.name
    shutil.rmtree(pages / "instructor")
    teachers_files(NOTEBOOKS, pages)
    for notebook in (folder / "files").rglob("*.ipynb"):
        notebook.write_text(json.dumps(joined(json.loads(notebook.read_text("utf-8")))), "utf-8")
    return folder


def teachers_files(lessons: Path, pages: Path) -> None:
    """Copy what a teacher has decided and added, committed or not. Acts are for instructors."""
    file = lessons / "teacher.md"
    if not file.exists():
        return
    try:
        said = read_teacher(file)
    except BadContent as error:
        sys.exit(str(error))
    for own in filter(None, (file, said.questions, said.exercises)):
        target = pages / own.relative_to(lessons)
        if own.is_dir():
            shutil.copytree(own, target, dirs_exist_ok=True)
        else:
            shutil.copy(own, target)


def unpack(archive: tarfile.TarFile, folder: Path) -> None:
    """Unpack files and nothing else, where Python is new enough to see to that (3.11.4)."""
    if hasattr(tarfile, "data_filter"):
        archive.extractall(folder, filter="data")
    else:
        archive.extractall(folder)


def joined(notebook: dict[str, Any]) -> dict[str, Any]:
    """Make one text of each output that a notebook file keeps as a list of lines.

    A Jupyter server does so when it opens a file. There is none here, and a list is shown with a
    comma between the lines.
    """
    for cell in notebook["cells"]:
        for output in cell.get("outputs", ()):
            for place in (output, output.get("data", {})):
                for name, lines in place.items():
                    if isinstance(lines, list) and name != "traceback":
                        place[name] = "".join(lines)
    return notebook


def build(pages: Path, wheels: list[Path], out: Path) -> None:
    """JupyterLab and the lessons, without source maps."""
    shutil.rmtree(out, ignore_errors=True)
    options = json.loads((HERE / "jupyter_lite_config.json").read_text())
    options["LiteBuildConfig"] |= {
        "federated_extensions": [str(wheel) for wheel in wheels if has_page_code(wheel)],
        "output_dir": str(out.resolve()),
    }
    (pages / "jupyter_lite_config.json").write_text(json.dumps(options))
    say(PYTHON, "-m", "jupyterlite_core", "build", cwd=pages)


def has_page_code(wheel: Path) -> bool:
    return any(
        "/share/jupyter/labextensions/" in name for name in zipfile.ZipFile(wheel).namelist()
    )


def kernel_files(wheels: list[Path], out: Path, *, bundled: bool) -> None:
    """Everything that the kernel loads, in one folder with the lock file that lists it."""
    folder = out / "static" / "pyodide"
    folder.mkdir(parents=True)
    kernels_own = (out / "extensions" / KERNEL / "static" / "pypi").glob("*.whl")
    chosen = [wheel for wheel in [*wheels, *kernels_own] if name_of(wheel) not in PAGE_ONLY]
    for wheel in chosen:
        shutil.copy(wheel, folder)
    runtime = pyodide()
    lock = json.loads((runtime / "pyodide-lock.json").read_text())
    lock["packages"] = {entry["name"]: entry for entry in map(lock_entry, chosen)}
    (folder / "pyodide-lock.json").write_text(json.dumps(lock, indent=1))
    if bundled:
        for name in RUNTIME:
            shutil.copy(runtime / name, folder)
    configure(out / "jupyter-lite.json", sorted(lock["packages"]), bundled=bundled)


def keep_offline(out: Path) -> None:
    """Put a service worker before JupyterLite's: it keeps every file for when there is no network.

    The cache has the site's contents as its name, so a new site takes the place of an old one.
    """
    own = (out / "service-worker.js").rename(out / "jupyterlite-worker.js").name
    files = sorted(file for file in out.rglob("*") if file.is_file() and file.suffix != ".map")
    names = [file.relative_to(out).as_posix() for file in files]
    digest = hashlib.sha256(b"".join(hashlib.sha256(file.read_bytes()).digest() for file in files))
    worker = (HERE / "service-worker.js").read_text(encoding="utf-8")
    for mark, text in {
        "@@version@@": digest.hexdigest()[:12],
        "@@files@@": json.dumps(names),
        "@@worker@@": own,
    }.items():
        worker = worker.replace(mark, text)
    (out / "service-worker.js").write_text(worker, encoding="utf-8")


def pyodide() -> Path:
    """Pyodide in the one version that the kernel was made for."""
    ask = "from jupyterlite_pyodide_kernel.constants import PYODIDE_VERSION; print(PYODIDE_VERSION)"
    version = say(PYTHON, "-c", ask).strip()
    folder = WORK / "pyodide" / version
    if not folder.exists():
        npm = shutil.which("npm")
        if npm is None:
            sys.exit("npm is missing: it fetches Pyodide. Install Node.js, or see --help.")
        folder.parent.mkdir(exist_ok=True)
        say(npm, "pack", "--silent", f"pyodide@{version}", cwd=folder.parent)
        packed = folder.parent / f"pyodide-{version}.tgz"
        if PYODIDE.get(version) != (found := hashlib.sha256(packed.read_bytes()).hexdigest()):
            sys.exit(f"Pyodide {version} is not the one that is known here: its SHA-256 is {found}")
        with tarfile.open(packed) as package:
            unpack(package, folder.parent)
        (folder.parent / "package").rename(folder)
    return folder


def name_of(wheel: Path) -> str:
    return wheel.name.partition("-")[0]


def lock_entry(wheel: Path) -> dict[str, object]:
    """What Pyodide must know of a wheel. All are loaded at the start, so none names its needs."""
    name, version = wheel.name.split("-")[:2]
    return {
        "name": name.replace("_", "-").lower(),
        "version": version,
        "file_name": wheel.name,
        "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
        "install_dir": "site",
        "package_type": "package",
        "imports": [],
        "depends": [],
        "unvendored_tests": False,
    }


def configure(file: Path, packages: list[str], *, bundled: bool) -> None:
    """Tell the kernel to load every package while Pyodide starts, and where Pyodide is."""
    config = json.loads(file.read_text())
    kernel = config["jupyter-config-data"]["litePluginSettings"][f"{KERNEL}:kernel"]
    kernel["loadPyodideOptions"]["packages"] = packages
    if not bundled:
        del kernel["pyodideUrl"]
    file.write_text(json.dumps(config, indent=2))
