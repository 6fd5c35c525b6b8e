"""Let JupyterLab's server send each message at once, so that a verdict keeps up with the keys.

TCP holds a small packet back until the one before it is acknowledged (RFC 896), and the browser may
take 40 ms for that. The server sends three small messages for each key: busy, the verdict, idle.
JupyterLab loads this as an extension of its server: `jupyter_server_config.d` names it.
"""

from __future__ import annotations

from typing import Any

__all__: list[str] = []

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
