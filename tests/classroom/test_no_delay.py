"""JupyterLab's server sends each message at once: seen on a real socket of a real server."""

import asyncio
import json
import socket
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import tornado.httpserver
import tornado.testing
import tornado.web
import tornado.websocket

from mini_rpc.classroom import no_delay

CONFIG = Path(__file__).parents[2] / ".jupyter" / "jupyter_server_config.d" / "mini_rpc.json"
SETTING = "kernel_websocket_connection_class"


class Connection:
    """Stands for jupyter_server's: made with the handler, connected once the socket is open."""

    def __init__(self, websocket_handler: tornado.websocket.WebSocketHandler) -> None:
        self.websocket_handler = websocket_handler

    def connect(self) -> str:
        return "connected"


class Handler(tornado.websocket.WebSocketHandler):
    seen: dict[str, Any]

    def open(self) -> None:
        connection = self.settings[SETTING](self)
        before = self._flag()
        self.seen |= {"before": before, "answer": connection.connect(), "after": self._flag()}
        self.close()

    def _flag(self) -> int:
        stream = self.ws_connection.stream
        return stream.socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


async def seen_by_a_server() -> dict[str, Any]:
    Handler.seen = {}
    app = tornado.web.Application([("/", Handler)], **{SETTING: Connection})
    no_delay._load_jupyter_server_extension(SimpleNamespace(web_app=app))
    server = tornado.httpserver.HTTPServer(app)
    listening, port = tornado.testing.bind_unused_port()
    server.add_socket(listening)
    client = await tornado.websocket.websocket_connect(f"ws://127.0.0.1:{port}/")
    assert await client.read_message() is None
    server.stop()
    return Handler.seen


def test_the_server_sends_each_message_at_once() -> None:
    seen = asyncio.run(seen_by_a_server())
    assert seen["answer"] == "connected"
    assert not seen["before"]
    assert seen["after"]


def test_jupyter_loads_it_by_its_name() -> None:
    extensions = json.loads(CONFIG.read_text("utf-8"))["ServerApp"]["jpserver_extensions"]
    assert extensions == {no_delay.__name__: True}
    assert no_delay._jupyter_server_extension_points() == [{"module": no_delay.__name__}]


def test_a_server_without_kernels_is_left_alone() -> None:
    app = tornado.web.Application()
    no_delay._load_jupyter_server_extension(SimpleNamespace(web_app=app))
    assert SETTING not in app.settings
