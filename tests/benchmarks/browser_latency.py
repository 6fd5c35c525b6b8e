"""From a keystroke to the verdict on it, in real JupyterLab.

    python tests/benchmarks/browser_latency.py

Types into the bench, one key at a time, and prints the milliseconds from the browser's keydown to
the new verdict in the page: median, 90 %, largest. A measurement, not a test.
"""

from __future__ import annotations

import statistics
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "browser"))

import conftest

KEYS = '{"jsonrpc": "2.0", "id": 7, "method": "orders/place", "params": {"table": 6}}'
PAUSE = 120  # milliseconds between two keys: a quick typist

WATCH = """() => {
  const verdict = document.querySelector(".mrpc-verdict");
  window.measured = [];
  let pressed = null;
  document.querySelector(".mrpc-editor").addEventListener("keydown", () => {
    pressed = performance.now();
  });
  new MutationObserver(() => {
    if (pressed !== null) window.measured.push(performance.now() - pressed);
    pressed = null;
  }).observe(verdict, { childList: true });
}"""


def measure_latency(lesson: Any) -> None:
    lesson.open_cells("from mini_rpc.classroom import bench", "bench()")
    lesson.run_all()
    page = lesson.page
    editor = page.get_by_label("Raw message")
    editor.fill("")
    page.wait_for_timeout(1_000)
    page.evaluate(WATCH)
    editor.press_sequentially(KEYS * 2, delay=PAUSE)
    page.wait_for_timeout(1_000)
    times = sorted(page.evaluate("window.measured"))
    print(
        f"\n{len(times)} of {2 * len(KEYS)} keys got their verdict before the next one: "
        f"median {statistics.median(times):.0f} ms, "
        f"90 % {times[len(times) * 9 // 10]:.0f} ms, largest {times[-1]:.0f} ms"
    )


if __name__ == "__main__":
    options = ["-q", "-s", "-o", "python_functions=measure_latency"]
    raise SystemExit(pytest.main([__file__, *options], plugins=[conftest]))
