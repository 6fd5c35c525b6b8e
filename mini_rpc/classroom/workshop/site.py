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

import hashlib
import json
import re
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import nbformat
from jinja2 import Template

from ..content import BadContent
from ..teacher import read_teacher
from . import NOTEBOOKS, ROOT, parser_of

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

_UNASKED = 'case"comm_open":await this.commOpen(e);break;'

PAGE_ONLY = {"jupyterlab_widgets", "widgetsnbextension"}
"""Wheels that carry JavaScript for the page and nothing for the kernel."""

FOR_ALL = {"install_dir": "site", "package_type": "package", "unvendored_tests": False}
FOR_ALL |= {"imports": [], "depends": []}
"""What Pyodide must be told of every wheel."""


def main(argv: list[str]) -> int:
    """Build the site; return 0. Whatever fails ends the program with a sentence."""
    parser = parser_of("site", __doc__)
    parser.add_argument("--out", type=Path, default=WORK / "out", help="where the site goes")
    parser.add_argument(
        "--network-pyodide",
        action="store_true",
        help="leave Pyodide out: pages load it from its usual network address (a smaller site)",
    )
    options = parser.parse_args(argv)
    out = options.out
    tools()
    wheels = [*fetched_wheels(), own_wheel()]
    build(lite_folder(), wheels, out)
    answer_about_comms(out)
    kernel_files(wheels, out, bundled=not options.network_pyodide)
    shutil.copy(HERE / "index.html", out)
    keep_offline(out)
    size = sum(file.stat().st_size for file in out.rglob("*") if file.is_file())
    serve = f"python -m http.server --bind 127.0.0.1 -d {out}"
    print(f"{out}: {size / 1e6:.1f} MB. Serve it: {serve}")
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
    """`mini_rpc`, built from the tree as it stands."""
    made = WORK / "wheel"
    shutil.rmtree(made, ignore_errors=True)
    pip = (PYTHON, "-m", "pip", "wheel", "-qq", "--no-deps", "--no-build-isolation")
    say(*pip, "-w", made, ROOT)
    return next(made.glob("*.whl"))


def lite_folder() -> Path:
    """The input of JupyterLite: its settings, and the lessons of the last commit.

    The pages for instructors stay out: they hold the answers.
    """
    folder, archive = WORK / "lite", WORK / "notebooks.tar"
    shutil.rmtree(folder, ignore_errors=True)
    say("git", "archive", "--output", archive, "HEAD", "notebooks")
    shutil.unpack_archive(archive, folder / "files")
    shutil.copy(HERE / "jupyter-lite.json", folder)
    shutil.copy(SETTINGS, folder / "overrides.json")
    pages = folder / "files" / NOTEBOOKS.name
    shutil.rmtree(pages / "instructor")
    teachers_files(NOTEBOOKS, pages)
    for notebook in pages.rglob("*.ipynb"):
        # One text in the place of a list of lines: a Jupyter server does so when it opens a file.
        notebook.write_text(json.dumps(nbformat.read(notebook, as_version=4)), "utf-8")
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
        shutil.copytree(own, target, dirs_exist_ok=True) if own.is_dir() else shutil.copy(
            own, target
        )


def build(pages: Path, wheels: list[Path], out: Path) -> None:
    """JupyterLab and the lessons, without source maps."""
    shutil.rmtree(out, ignore_errors=True)
    mark = "/share/jupyter/labextensions/"
    options = json.loads((HERE / "jupyter_lite_config.json").read_text())
    options["LiteBuildConfig"] |= {
        "federated_extensions": [
            f"{wheel}" for wheel in wheels if mark in "\n".join(zipfile.ZipFile(wheel).namelist())
        ],
        "output_dir": f"{out.resolve()}",
    }
    (pages / "jupyter_lite_config.json").write_text(json.dumps(options))
    say(PYTHON, "-m", "jupyterlite_core", "build", cwd=pages)


def answer_about_comms(out: Path) -> None:
    """Let the kernel answer which live parts it has.

    JupyterLite 0.8.6 passes this question over, and so the live parts of a page that is opened
    again would be loading until its cells are run.
    """
    found = [file for file in (out / "build").glob("*.js") if _UNASKED in file.read_text("utf-8")]
    if len(found) != 1:
        sys.exit("JupyterLite is another one: look whether its kernel answers comm_info_request.")
    code = found[0].read_text("utf-8")
    make = re.findall(r'(\w+\.KernelMessage\.createMessage)\({msgType:"is_complete_reply"', code)[0]
    reply = 'msgType:"comm_info_reply",parentHeader:e.header,channel:"shell"'
    content = "session:e.header.session,content:await this.commInfoRequest(e.content)"
    case = f'case"comm_info_request":this._sendMessage({make}({{{reply},{content}}}));break;'
    found[0].write_text(code.replace(_UNASKED, case + _UNASKED), "utf-8")


def kernel_files(wheels: list[Path], out: Path, *, bundled: bool) -> None:
    """Everything that the kernel loads, in one folder with the lock file that lists it.

    It loads every package while Pyodide starts, so none needs to name what it depends on.
    """
    folder = out / "static" / "pyodide"
    folder.mkdir(parents=True)
    kernels_own = (out / "extensions" / KERNEL / "static" / "pypi").glob("*.whl")
    runtime, known = pyodide(), {}
    for wheel in [*wheels, *kernels_own]:
        name, version = wheel.name.split("-")[:2]
        if name not in PAGE_ONLY:
            shutil.copy(wheel, folder)
            digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
            own = {"name": name.replace("_", "-").lower(), "version": version, "sha256": digest}
            known[own["name"]] = {**own, "file_name": wheel.name, **FOR_ALL}
    lock = {**json.loads((runtime / "pyodide-lock.json").read_text()), "packages": known}
    (folder / "pyodide-lock.json").write_text(json.dumps(lock, indent=1))
    file = out / "jupyter-lite.json"
    config = json.loads(file.read_text())
    kernel = config["jupyter-config-data"]["litePluginSettings"][f"{KERNEL}:kernel"]
    kernel["loadPyodideOptions"]["packages"] = sorted(known)
    if bundled:
        for name in RUNTIME:
            shutil.copy(runtime / name, folder)
    else:
        del kernel["pyodideUrl"]
    file.write_text(json.dumps(config, indent=2))


def keep_offline(out: Path) -> None:
    """Put a service worker before JupyterLite's: it keeps every file for when there is no network.

    The cache has the site's contents as its name, so a new site takes the place of an old one.
    """
    own = (out / "service-worker.js").rename(out / "jupyterlite-worker.js").name
    files = sorted(file for file in out.rglob("*") if file.is_file() and file.suffix != ".map")
    names = json.dumps([file.relative_to(out).as_posix() for file in files])
    digest = hashlib.sha256(b"".join(hashlib.sha256(file.read_bytes()).digest() for file in files))
    worker = Template((HERE / "service-worker.js").read_text(encoding="utf-8"))
    text = worker.render(version=digest.hexdigest()[:12], files=names, own=own)
    (out / "service-worker.js").write_text(text, encoding="utf-8")


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
        shutil.unpack_archive(packed, folder.parent)
        (folder.parent / "package").rename(folder)
    return folder
