"""Real JupyterLab in a real Chromium, on a scratch copy of the lessons.

Fixtures: `lab` is the server, `page` a new browser page that may not leave this machine, `lesson`
drives JupyterLab on that page (open, run all, change the theme, restart the kernel).
"""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import nbformat
import pytest
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
CHROMIUMS = (
    *("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"),
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
LOOPBACK = {"127.0.0.1", "localhost"}
SECONDS_TO_START = 60
MILLISECONDS_TO_WAIT = 30_000
THEMES = ("JupyterLab Light", "JupyterLab Dark", "JupyterLab Dark High Contrast")
# JupyterLab's body has no height, which makes axe take everything in it for hidden.
VISIBLE_BODY = "body { overflow: visible !important; height: 100vh; width: 100vw }"
AXE = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
RUN_AXE = """async ([selector, rules]) =>
  (await axe.run(selector, { resultTypes: ["violations"], ...rules })).violations.map(
    each => `${each.id}: ${each.nodes.map(node => node.html).join(" ")}`)"""
EVERY_RULE: dict[str, Any] = {}
OF_COLORS = {"runOnly": ["color-contrast"]}
# Without a question about what was not saved.
CLEAR = """async () => {
  const { shell, serviceManager } = window.jupyterapp;
  for (const widget of [...shell.widgets("main")]) widget.dispose();
  shell.expandLeft();
  await serviceManager.sessions.shutdownAll();
}"""
UNTIL_COLORS_STAND_STILL = """async () => {
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  const fading = document.getAnimations().filter(each => each instanceof CSSTransition);
  await Promise.allSettled(fading.map(each => each.finished));
}"""


@dataclass(frozen=True)
class Lab:
    """A running JupyterLab: its address, its secret, the folder it shows, progress, and its log."""

    url: str
    token: str
    folder: Path
    progress: Path
    log: Path


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < end and server.poll() is None:
        try:
            urllib.request.urlopen(url, timeout=5).close()
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
        else:
            return
    pytest.fail(f"JupyterLab did not start:\n{log.read_text(encoding='utf-8')[-3000:]}")


def _draw_every_cell(settings: Path) -> None:
    """Let JupyterLab before 4.5 draw what is out of view, too, as later ones do."""
    folder = settings / "@jupyterlab" / "notebook-extension"
    folder.mkdir(parents=True)
    (folder / "tracker.jupyterlab-settings").write_text('{"windowingMode": "none"}')


@pytest.fixture(scope="package")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """JupyterLab with settings, kernels and progress of its own, stopped afterwards."""
    home = tmp_path_factory.mktemp("lab")
    folder = home / "notebooks"
    ignore = shutil.ignore_patterns("progress.json*", ".*")
    shutil.copytree(NOTEBOOKS, folder, ignore=ignore)
    scratch = {
        name: str(home / name.lower())
        for name in (
            "IPYTHONDIR",
            "JUPYTERLAB_SETTINGS_DIR",
            "JUPYTERLAB_WORKSPACES_DIR",
            "JUPYTER_CONFIG_DIR",
            "JUPYTER_DATA_DIR",
            "JUPYTER_RUNTIME_DIR",
            "MINI_RPC_PROGRESS",
        )
    }
    _draw_every_cell(Path(scratch["JUPYTERLAB_SETTINGS_DIR"]))
    port, token, log = _free_port(), secrets.token_hex(16), home / "lab.log"
    command = [
        *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1"),
        *(f"--port={port}", "--ServerApp.port_retries=0", f"--IdentityProvider.token={token}"),
        *(f"--ServerApp.root_dir={folder}", "--expose-app-in-browser"),
        # Should the tests be killed, the server notices that nobody is there, and ends.
        "--MappingKernelManager.cull_idle_timeout=300",
        "--ServerApp.shutdown_no_activity_timeout=300",
    ]
    with log.open("wb") as out:
        server = subprocess.Popen(
            command,
            env={**os.environ, **scratch, "JUPYTER_PREFER_ENV_PATH": "1"},
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
        )
        try:
            url = f"http://127.0.0.1:{port}"
            _wait_for(f"{url}/api", server, log)
            yield Lab(url, token, folder, Path(scratch["MINI_RPC_PROGRESS"]), log)
        finally:
            server.terminate()
            try:
                server.wait(timeout=20)
            except subprocess.TimeoutExpired:
                server.kill()


def _chromium() -> str:
    """Return where Chromium is. Without one the tests are skipped, but in CI they fail."""
    for name in CHROMIUMS:
        if found := shutil.which(name):
            return found
    reason = "no Chromium or Chrome was found (on Debian: apt-get install chromium)"
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """A headless Chromium of this machine: nothing is downloaded."""
    executable = _chromium()
    # Chromium's own sandbox refuses to run for root, which is who runs a container.
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    flags = ["--disable-dev-shm-usage", *(["--no-sandbox"] if root else [])]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=flags)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def tab(browser: Browser) -> Iterator[tuple[Page, list[str]]]:
    """One page for all tests, as JupyterLab takes seconds to load, and the addresses it asked."""
    context = browser.new_context()
    context.set_default_timeout(MILLISECONDS_TO_WAIT)
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    page = context.new_page()
    page.on("websocket", lambda socket: asked.append(socket.url))
    yield page, asked
    context.close()


@pytest.fixture
def page(
    tab: tuple[Page, list[str]], tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[Page]:
    """A Playwright page. The test fails if the page asks anything of another machine."""
    page, asked = tab
    asked.clear()
    page.set_viewport_size({"width": 1280, "height": 900})
    failed = request.session.testsfailed
    yield page
    if request.session.testsfailed > failed:  # nobody knows what is left on it
        page.screenshot(path=tmp_path / "last.png")
        page.goto("about:blank")
    outside = [url for url in asked if _leaves_this_machine(url)]
    assert not outside, f"the page asked other machines: {outside}"


def _leaves_this_machine(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme not in {"data", "blob", "about"} and parts.hostname not in LOOPBACK


class Lesson:
    """JupyterLab as a learner uses it, one notebook at a time."""

    def __init__(self, lab: Lab, page: Page) -> None:
        self.lab = lab
        self.page = page

    def open(self, notebook: str) -> None:
        """Open this notebook of the lab's folder alone, and wait for its kernel."""
        if self.page.url.startswith(self.lab.url):
            self.page.evaluate(CLEAR)
            self.set_theme(THEMES[0])
            expect(self._kernel_status).to_have_count(0)
            self.command("docmanager:open", path=notebook)
        else:
            self.page.goto(f"{self.lab.url}/lab/tree/{notebook}?reset&token={self.lab.token}")
        self.wait_until_idle()

    def open_cells(self, *sources: str) -> str:
        """Write a new notebook of these code cells and open it; return its name."""
        cells = [nbformat.v4.new_code_cell(source) for source in sources]
        name = f"scratch_{secrets.token_hex(4)}.ipynb"
        kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3 (ipykernel)"}}
        notebook = nbformat.v4.new_notebook(cells=cells, metadata=kernel)
        nbformat.write(notebook, self.lab.folder / name)
        self.open(name)
        return name

    def command(self, name: str, **arguments: Any) -> None:
        """Execute one of JupyterLab's commands and wait until it is done."""
        self.page.evaluate(
            "([name, given]) => window.jupyterapp.commands.execute(name, given).then(() => null)",
            [name, arguments],
        )

    def run_all(self) -> None:
        """Run every cell and wait for the last one."""
        self.command("notebook:run-all-cells")
        self.wait_until_idle()

    def hide_left_area(self) -> None:
        """Leave the notebook the whole width."""
        self.page.evaluate("window.jupyterapp.shell.collapseLeft()")

    def axe(self, selector: str, fault: str) -> list[str]:
        """Let axe look at these elements in every theme, where it must find nothing.

        A theme changes colors and nothing else, so the other rules are asked once.
        Returns what it says of a seeded fault, which is CSS: it proves that axe can see.
        """
        self.page.evaluate(AXE)
        style = self.page.add_style_tag(content=VISIBLE_BODY)
        for theme in THEMES:
            self.set_theme(theme)
            rules = EVERY_RULE if theme == THEMES[0] else OF_COLORS
            assert self.page.evaluate(RUN_AXE, [selector, rules]) == [], theme
        seed = self.page.add_style_tag(content=fault)
        found: list[str] = self.page.evaluate(RUN_AXE, [selector, EVERY_RULE])
        for tag in (style, seed):
            tag.evaluate("tag => tag.remove()")
        return found

    def set_theme(self, name: str) -> None:
        """Change to one of the `THEMES`."""
        self.command("apputils:change-theme", theme=name)
        self.page.wait_for_selector(f"body[data-jp-theme-name='{name}']", state="attached")
        self.page.evaluate(UNTIL_COLORS_STAND_STILL)

    def restart_kernel(self) -> None:
        """Restart the kernel and leave every output where it is."""
        self.page.evaluate(
            "() => { void window.jupyterapp.commands.execute('kernelmenu:restart') }"
        )
        self.page.locator(".jp-Dialog-button.jp-mod-accept").click()
        self.page.locator(".jp-Dialog").wait_for(state="detached")
        self.wait_until_idle()

    def wait_until_idle(self) -> None:
        """Wait until the kernel has nothing left to do."""
        self._kernel_status.filter(has_text="| Idle").first.wait_for()

    @property
    def _kernel_status(self) -> Locator:
        # The notebook's own indicator says "idle" before there is a kernel: not so this one.
        return self.page.locator(".jp-StatusBar-Widget", has_text=" | ")


@pytest.fixture
def lesson(lab: Lab, page: Page) -> Lesson:
    """A driver for JupyterLab, for a learner who has done nothing; `lesson.page` is its page."""
    lab.progress.unlink(missing_ok=True)
    return Lesson(lab, page)
