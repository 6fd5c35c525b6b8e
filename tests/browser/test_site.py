"""The course in a browser tab: the site is built, served, and used with no other address in reach.

It builds a site and starts a kernel for each lesson, which takes minutes. So it runs when it is
asked for: `pytest tests/browser/test_site.py -s`. With `-s` it prints its figures.
"""

from __future__ import annotations

import json
import re
import statistics
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from playwright.sync_api import Page, TimeoutError, expect

from mini_rpc.classroom.exercises import EXERCISES
from mini_rpc.classroom.workshop import NOTEBOOKS, ROOT
from mini_rpc.classroom.workshop.lessons import Lesson, committed, lesson_paths

MILLISECONDS_TO_WAIT = 90_000
LESSONS = [Lesson(path, committed(path)) for path in lesson_paths() if path.parent == NOTEBOOKS]
NO_PROGRAMS = re.compile("A browser starts no programs: what you see was recorded before.*\n")
"""What a cell says in a tab, and nowhere else, when it shows a recorded talk."""
KEYS = '{"jsonrpc": "2.0", "id": 7, "method": "ping"}'
ENDLESS = """def shape_of(message):
    while True:
        pass


check("shape_of", shape_of)"""

WATCH = """() => {
  window.measured = [];
  let pressed = null;
  document.querySelector(".mrpc-editor").addEventListener("keydown", () => {
    pressed = performance.now();
  });
  new MutationObserver(() => {
    if (pressed !== null) window.measured.push(performance.now() - pressed);
    pressed = null;
  }).observe(document.querySelector(".mrpc-verdict"), { childList: true });
}"""

NOTEBOOK = """
  const shown = [...window.jupyterapp.shell.widgets("main")];
  const notebook = shown.find(each => each.content?.model?.cells);
"""
CELLS = f"""() => {{
  {NOTEBOOK}
  const cells = notebook.content.model.cells;
  return [...Array(cells.length).keys()].map(number => cells.get(number).toJSON());
}}"""
IN_KERNEL = f"""code => {{
  {NOTEBOOK}
  const asked = notebook.sessionContext.session.kernel.requestExecute({{ code }});
  window.said = "";
  window.ran = false;
  asked.onIOPub = ({{ content }}) => {{ window.said += content.text ?? content.evalue ?? ""; }};
  void asked.done.then(() => {{ window.ran = true; }});
}}"""
ANSWERS = """
import warnings
from mini_rpc.classroom import NotAttempted, check
from mini_rpc.classroom.exercises import EXERCISES
warnings.simplefilter("ignore")

def answers(exercise):
    for source in (exercise.solution, *exercise.right):
        yield source, "correct", None
    for wrong in exercise.wrong:
        yield wrong.source, wrong.state, 1 if wrong.state == "out of time" else None

def judged(id):
    for source, state, seconds in answers(EXERCISES[id]):
        names = {"NotAttempted": NotAttempted}
        exec(source, names)
        outcome = check(id, names[id], seconds=seconds)
        if outcome.state != state:
            print(f"{state}, says the page: {source}\\n{outcome}")
"""

RUN_ALL = """() => {
  window.ran = false;
  const done = window.jupyterapp.commands.execute("notebook:run-all-cells");
  void done.then(() => { window.ran = true; });
}"""


@pytest.fixture(scope="module", autouse=True)
def _asked_for(pytestconfig: pytest.Config) -> None:
    if not any("test_site" in name for name in pytestconfig.args):
        pytest.skip("takes minutes, so it is run by name: pytest tests/browser/test_site.py")


class Nobody(BaseHTTPRequestHandler):
    """A proxy that stands where every other machine would be, and gives nothing."""

    def do_GET(self) -> None:
        self.send_error(403)

    do_CONNECT = do_POST = do_HEAD = do_GET

    def log_message(self, format: str, *args: Any) -> None:
        pass


class Files(SimpleHTTPRequestHandler):
    """What `python -m http.server` serves with, without a word."""

    def log_message(self, format: str, *args: Any) -> None:
        pass


def _serve(handler: Any) -> tuple[ThreadingHTTPServer, str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_port}"


ALL_KEPT = """async () => {
  const names = (await caches.keys()).filter((name) => name.startsWith("mini_rpc-"));
  if (names.length !== 1) return 0;
  return (await (await caches.open(names[0])).keys()).length;
}"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a freshly built site, which differs in one setting: tests may steer it."""
    folder = tmp_path_factory.mktemp("site")
    start = time.monotonic()
    built = subprocess.run(
        [sys.executable, "-m", "mini_rpc.classroom", "site", "--out", str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert built.returncode == 0, built.stderr
    print(f"\n{built.stdout.strip()}\nbuilt in {time.monotonic() - start:.0f} s")
    assert not list(folder.rglob("*.map"))
    settings = folder / "jupyter-lite.json"
    data = json.loads(settings.read_text(encoding="utf-8"))
    data["jupyter-config-data"]["exposeAppInBrowser"] = True
    settings.write_text(json.dumps(data), encoding="utf-8")
    server, address = _serve(partial(Files, directory=str(folder)))
    yield address
    server.shutdown()


@pytest.fixture
def tab(browser: Any, site: str) -> Iterator[Page]:
    """A page of a browser that reaches the site and nothing else. The test fails if it tries."""
    asked: list[str] = []
    server, proxy = _serve(Nobody)
    context = browser.new_context(
        viewport={"width": 1280, "height": 900},
        proxy={"server": proxy, "bypass": "127.0.0.1"},
    )
    context.set_default_timeout(MILLISECONDS_TO_WAIT)
    context.on("request", lambda request: asked.append(request.url))
    yield context.new_page()
    context.close()
    server.shutdown()
    outside = [url for url in asked if not url.startswith((site, "blob:", "data:"))]
    assert asked
    assert not outside, f"the page asked other machines: {outside}"


def open_lesson(page: Page, address: str) -> None:
    """Open the notebook at this address, and wait for its kernel."""
    page.goto(address)
    page.locator(".jp-StatusBar-Widget", has_text="| Idle").first.wait_for()


def run_all(page: Page) -> None:
    """Run every cell. Fails with the name of the cell that comes to no end."""
    page.evaluate(RUN_ALL)
    try:
        page.wait_for_function("window.ran", polling=100)
    except TimeoutError:
        cells = [cell for cell in page.evaluate(CELLS) if cell["cell_type"] == "code"]
        stuck = next(cell["id"] for cell in cells if cell["execution_count"] is None)
        pytest.fail(f"no end of the cell {stuck}")


def answer(page: Page, source: str) -> Any:
    """Put a text where the cell with the same last line stands; run it, and return its output."""
    last = source.splitlines()[-1]
    cell = page.locator(".jp-CodeCell", has=page.locator(".cm-line", has_text=last)).first
    cell.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(source)
    page.keyboard.press("Control+Enter")
    return cell.locator(".mini-rpc-outcome")


def solved(id: str) -> str:
    return f'{EXERCISES[id].solution}\n\ncheck("{id}", {id})'


def test_lesson_1_in_a_browser_tab(site: str, tab: Page) -> None:
    start = time.monotonic()
    open_lesson(tab, f"{site}/lab/index.html?path=notebooks/01_four_shapes.ipynb")
    idle = time.monotonic()
    run_all(tab)
    bench = tab.locator(".mrpc-outer").first
    expect(bench.locator(".mrpc-reply")).to_contain_text('"status": "cooking"')
    print(
        f"kernel after {idle - start:.1f} s, first verdict after {time.monotonic() - start:.1f} s"
    )

    editor = bench.get_by_label("Raw message")
    editor.fill("")
    tab.wait_for_timeout(1_000)
    tab.evaluate(WATCH)
    editor.press_sequentially(KEYS, delay=120)
    expect(bench.locator(".mrpc-reply")).to_contain_text('"result": {}')
    times = sorted(tab.evaluate("window.measured"))
    print(
        f"keystroke to verdict: median {statistics.median(times):.0f} ms, {times[-1]:.0f} at most"
    )

    endless = expect(answer(tab, ENDLESS))
    endless.to_contain_text("was still running, in line", timeout=MILLISECONDS_TO_WAIT)
    expect(answer(tab, solved("first_request"))).to_contain_text("correct")
    tab.evaluate("window.jupyterapp.commands.execute('docmanager:save').then(() => null)")
    tab.reload()
    tab.locator(".mrpc-asleep", has_text="Run All Cells").first.wait_for()
    open_lesson(tab, f"{site}/")  # leads to lesson 0, whose last cell shows the progress
    run_all(tab)
    expect(tab.locator(".jp-OutputArea-output").last).to_contain_text("1 of")


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.path.stem)
def test_a_lesson_shows_in_a_tab_what_its_committed_copy_shows(
    lesson: Lesson, site: str, tab: Page
) -> None:
    name = lesson.path.relative_to(NOTEBOOKS).as_posix()
    start = time.monotonic()
    open_lesson(tab, f"{site}/lab/index.html?path=notebooks/{name}")
    idle = time.monotonic()
    run_all(tab)
    print(f"kernel after {idle - start:.0f} s, all cells in {time.monotonic() - idle:.0f} s more")
    shown = {cell["id"]: texts(cell.get("outputs", ())) for cell in tab.evaluate(CELLS)}
    for cell in lesson.code:
        if "nbval-ignore-output" not in cell.metadata.get("tags", []):
            found = [NO_PROGRAMS.sub("", text) for text in shown[cell.id]]
            assert list(filter(None, found)) == texts(cell.outputs), cell.source
    said = sum(len(NO_PROGRAMS.findall("".join(found))) for found in shown.values())
    assert said == (4 if lesson.path.stem == "07_real_peers" else 0)


def test_every_answer_gets_the_verdict_in_a_tab_that_it_gets_elsewhere(
    site: str, tab: Page
) -> None:
    open_lesson(tab, f"{site}/lab/index.html?path=notebooks/00_start_here.ipynb")
    for code in (ANSWERS, *(f"judged({id!r})" for id in EXERCISES)):
        tab.evaluate(IN_KERNEL, code)
        try:
            tab.wait_for_function("window.ran", polling=100)
        except TimeoutError:
            pytest.fail(f"no end of {code}")
        assert tab.evaluate("window.said") == "", code


def test_the_pages_for_instructors_are_not_in_the_site(site: str) -> None:
    for name in ("notebooks/instructor/all.json", "notebooks/all.json"):
        try:
            listing = urllib.request.urlopen(f"{site}/api/contents/{name}").read().decode()
        except urllib.error.HTTPError as error:
            listing = str(error)
        assert "live_demo" not in listing
        assert "teaching_notes" not in listing


def test_when_the_network_goes_every_lesson_still_opens(site: str, tab: Page) -> None:
    """The first page was open until the whole site was kept; then the server is gone."""
    open_lesson(tab, f"{site}/lab/index.html?path=notebooks/00_start_here.ipynb")
    listed = urllib.request.urlopen(f"{site}/service-worker.js").read().decode()
    files = json.loads(re.search(r"^const FILES = (.*);$", listed, re.MULTILINE)[1])  # type: ignore[index]
    tab.wait_for_function(f"async () => (await ({ALL_KEPT})()) === {len(files)}", polling=1000)
    tab.context.set_offline(True)
    open_lesson(tab, f"{site}/lab/index.html?path=notebooks/02_error_codes.ipynb")
    run_all(tab)
    expect(tab.locator(".mrpc-outer .mrpc-reply").first).to_contain_text("jsonrpc")
    tab.context.set_offline(False)


def texts(outputs: list[Any]) -> list[str]:
    """What the outputs say, without their markup."""
    found = []
    for output in outputs:
        text = (
            output.get("text") or output.get("data", {}).get("text/plain") or output.get("evalue")
        )
        found.append("".join(text or ""))
    return found
