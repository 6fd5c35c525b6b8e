"""What every widget of the course has: a plain text and static HTML, for where nothing is live."""

from html import escape
from pathlib import Path
from typing import Any

import anywidget
import traitlets

__all__ = ["SCRIPT", "STYLE", "Asked", "Widget", "joined", "module", "show"]

STYLE = Path(__file__).with_name("widget.css")
"""The rules that all widgets share. Each joins its own to them."""

SCRIPT = Path(__file__).with_name("widget.js")
"""The JavaScript that widgets share."""


def joined(*files: Path) -> str:
    """Return files as one text, in which each goes on where the one before ends."""
    return "".join(file.read_text(encoding="utf-8") for file in files)


def module(*files: Path, render: str = "render") -> str:
    """Return JavaScript files as one module that exports this function for anywidget."""
    return f"{joined(*files)}\nexport default live({render});\n"


def show(*widgets: anywidget.AnyWidget) -> None:
    """Show widgets under the running cell, one below the other."""
    from IPython.display import display  # only where there is a page to show them on

    for widget in widgets:
        display(widget)  # type: ignore[no-untyped-call]


class Widget(anywidget.AnyWidget):
    """A live widget that can be read without a browser, on GitHub, and by a screen reader.

    A subclass writes `transcript`, and `_as_html` where its HTML is more than the same text.
    """

    def transcript(self) -> str:
        """Return the widget as plain text."""
        raise NotImplementedError

    def _as_html(self) -> str:
        return f"<pre>{escape(self.transcript())}</pre>"

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is not None:
            bundle[0]["text/plain"] = self.transcript()
            bundle[0]["text/html"] = self._as_html()
        return bundle


class Asked(Widget):
    """A widget that the browser asks: as `_asked`, with a ticket. What Python has to say comes
    back as `_answer`, under the same ticket. A subclass writes `_reply`.
    """

    _setup = traitlets.Dict().tag(sync=True)
    _asked = traitlets.Dict().tag(sync=True, echo_update=False)
    _answer = traitlets.Dict().tag(sync=True)
    _called = "widget"

    def __init__(self, **setup: Any) -> None:
        super().__init__(_setup=setup)
        self.observe(self._on_asked, "_asked")

    def _reply(self, asked: dict[str, Any]) -> None:
        raise NotImplementedError

    def _on_asked(self, change: Any) -> None:
        """Answer. An exception here would vanish unseen."""
        asked = change["new"]
        try:
            self._reply(asked)
        except Exception as error:
            broken = f"The {self._called} itself failed. {type(error).__name__}: {error}"
            self._answer = {**self._answer, "ticket": asked["ticket"], "broken": broken}
