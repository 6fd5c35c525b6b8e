"""Clients and servers from npm, that nobody here wrote, and what they say to the learner's server:

    python tests/data/node_clients.py FOLDER

installs the packages of `node` there, once, and records the talks that lesson 7 shows. `pytest
--long` holds what is recorded against what is said today.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from mini_rpc.classroom.talks import peers
from mini_rpc.classroom.talks.server_file import my_server
from mini_rpc.classroom.talks.talk import Talk

CALL = "--method tools/call --tool-name place_order --tool-arg table=6 --tool-arg dish=steak"
CLIENTS = ("typescript_1", "typescript_2", "typescript_2_auto", "inspector")


def install(folder: Path) -> None:
    """Write the programs into a folder, and fetch their packages, unless they are there."""
    shutil.copytree(Path(__file__).with_name("node"), folder, dirs_exist_ok=True)
    if not (folder / "done").exists():
        quiet = ("--no-fund", "--no-audit", "--silent")
        subprocess.run(["npm", "install", *quiet], cwd=folder, check=True)
        (folder / "done").touch()


def let_talk(client: str, folder: Path, server: Path) -> tuple[str, Talk]:
    """Let a client list a server's tools and call one; return what it printed, and the talk."""
    with tempfile.TemporaryDirectory() as scratch:
        log = Path(scratch, "talk.log")
        log.touch()
        tapped = [sys.executable, "-m", "mini_rpc.classroom.talks.wiretap", str(log), str(server)]
        if client == "inspector":
            command = [str(folder / "node_modules/.bin/mcp-inspector"), "--cli", *tapped]
            command += CALL.split()
        else:
            command = ["node", f"{client}.mjs", *tapped]
        ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60)
        return ran.stdout + ran.stderr, Talk.load(log)


if __name__ == "__main__":
    place = Path(sys.argv[1]).resolve()
    install(place)
    with tempfile.TemporaryDirectory() as desk:
        os.environ["MINI_RPC_PROGRESS"] = f"{desk}/progress.json"
        for one in CLIENTS:
            said, talk = let_talk(one, place, my_server())
            print(one, said.strip()[:100])
            talk.save(Path(peers.__file__).parent / "peer_files" / f"{one}.log")
