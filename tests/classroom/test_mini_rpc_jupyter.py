"""How the course sets JupyterLab up: by a package of its own, seen on a real socket."""

import asyncio
import json
import socket
import subprocess
import sys
import tomllib
from copy import deepcopy
from pathlib import Path
from types import SimpleNamespace
from typing import ClassVar

import nbconvert
import nbformat
import tornado.httpserver
import tornado.testing
import tornado.web
import tornado.websocket
from traitlets.config import Config

import mini_rpc_jupyter

ROOT = Path(__file__).parents[2]
CONFIG = ROOT / ".jupyter" / "jupyter_server_config.d" / "mini_rpc_jupyter.json"
SETTING = "kernel_websocket_connection_class"


class Connection:
    """Stands for jupyter_server's: made with the handler, connected once the socket is open."""

    def __init__(self, websocket_handler):
        self.websocket_handler = websocket_handler

    def connect(self):
        return "connected"


class Handler(tornado.websocket.WebSocketHandler):
    seen: ClassVar = {}

    def open(self):
        connection = self.settings[SETTING](self)
        before = self._flag()
        self.seen |= {"before": before, "answer": connection.connect(), "after": self._flag()}
        self.close()

    def _flag(self):
        stream = self.ws_connection.stream
        return stream.socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


async def seen_by_a_server():
    app = tornado.web.Application([("/", Handler)], **{SETTING: Connection})
    mini_rpc_jupyter._load_jupyter_server_extension(SimpleNamespace(web_app=app))
    server = tornado.httpserver.HTTPServer(app)
    listening, port = tornado.testing.bind_unused_port()
    server.add_socket(listening)
    client = await tornado.websocket.websocket_connect(f"ws://127.0.0.1:{port}/")
    assert await client.read_message() is None
    server.stop()
    return Handler.seen


def test_the_server_sends_each_message_at_once():
    seen = asyncio.run(seen_by_a_server())
    assert (seen["answer"], bool(seen["before"]), bool(seen["after"])) == ("connected", False, True)


def test_jupyter_loads_it_by_its_name():
    extensions = json.loads(CONFIG.read_text("utf-8"))["ServerApp"]["jpserver_extensions"]
    assert extensions == {mini_rpc_jupyter.__name__: True}
    points = mini_rpc_jupyter._jupyter_server_extension_points()
    assert points == [{"module": mini_rpc_jupyter.__name__}]


def test_a_server_without_kernels_is_left_alone():
    app = tornado.web.Application()
    mini_rpc_jupyter._load_jupyter_server_extension(SimpleNamespace(web_app=app))
    assert SETTING not in app.settings


def test_it_loads_nothing_of_the_course():
    program = "import mini_rpc_jupyter, sys; print('mini_rpc' in sys.modules)"
    command = [sys.executable, "-S", "-B", "-c", program]
    run = subprocess.run(command, cwd=ROOT / ".jupyter", capture_output=True, text=True)
    assert (run.stdout, run.stderr) == ("False\n", "")


def test_the_settings_come_with_the_course_and_not_with_the_core():
    core, settings = (
        tomllib.loads((ROOT / name / "pyproject.toml").read_text("utf-8"))
        for name in (".", ".jupyter")
    )
    assert core["project"]["dependencies"] == []
    assert set(core["tool"]["hatch"]["build"]["targets"]["wheel"]) == {"packages", "exclude"}
    shared = settings["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"]
    names = {"jupyter_nbconvert_config.json", "jupyter_server_config.d", "labconfig"}
    assert set(shared) == names
    assert "./.jupyter" in (ROOT / "requirements.txt").read_text("utf-8").splitlines()


def test_an_export_to_html_shows_the_text_of_live_parts_and_asks_nobody_for_a_program():
    view = {"application/vnd.jupyter.widget-view+json": {"model_id": "a"}}
    words = {"text/html": "<p>what it shows</p>", "text/plain": "what it shows"}
    cell = nbformat.v4.new_code_cell("bench()")
    cell.outputs = [nbformat.v4.new_output("display_data", data={**view, **words})]
    state = {"version_major": 2, "version_minor": 0, "state": {}}
    metadata = {"widgets": {"application/vnd.jupyter.widget-state+json": state}}
    for config in (CONFIG, ROOT / ".jupyter" / "jupyter_nbconvert_config.json"):
        notebook = nbformat.v4.new_notebook(cells=[deepcopy(cell)], metadata=metadata)
        exporter = nbconvert.HTMLExporter(config=Config(json.loads(config.read_text("utf-8"))))
        html, _ = exporter.from_notebook_node(notebook)
        assert "<p>what it shows</p>" in html
        assert "widget-view+json" not in html
        assert "widget-state+json" not in html
