"""What the course adds to JupyterLab's server: messages go out at once, exports are read as text.

A verdict must keep up with the keys. TCP holds a small packet back until the one before it is
acknowledged (RFC 896), and the browser may take 40 ms for that. The server sends three small
messages for each key: busy, the verdict, idle. JupyterLab loads this as an extension of its server:
`jupyter_server_config.d` names it.

An export to HTML would fetch a program for the live parts from elsewhere, and show nothing without
it. Each part has its text and HTML as well: `jupyter_nbconvert_config.json` names what keeps these.
"""

from __future__ import annotations

from typing import Any

__all__ = ["live_parts_as_text"]

_SETTING = "kernel_websocket_connection_class"


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": __name__}]


def _load_jupyter_server_extension(app: Any) -> None:
    """Extend whichever class carries messages between the kernels and the browser."""
    settings = app.web_app.settings
    if base := settings.get(_SETTING):
        settings[_SETTING] = _without_delay(base)


def _without_delay(base: Any) -> Any:
    class WithoutDelay(base):  # type: ignore[misc]
        def connect(self) -> Any:
            self.websocket_handler.set_nodelay(True)
            return super().connect()

    return WithoutDelay


def live_parts_as_text(notebook: Any, resources: Any) -> tuple[Any, Any]:
    """Take out of a notebook what only a live page can show. nbconvert calls this."""
    notebook.metadata.pop("widgets", None)
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if len(data) > 1:
                data.pop("application/vnd.jupyter.widget-view+json", None)
    return notebook, resources
