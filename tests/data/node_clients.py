"""Clients and servers from npm, that nobody here wrote, and what they say to the learner's server:

    python tests/data/node_clients.py FOLDER

installs the packages there, once, and records the talks that lesson 7 shows. `pytest --long` holds
what is recorded against what is said today.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from mini_rpc.classroom.talks import peers
from mini_rpc.classroom.talks.server_file import my_server
from mini_rpc.classroom.talks.talk import Talk

PACKAGES = (
    "@modelcontextprotocol/client@2.4.0",
    "@modelcontextprotocol/inspector@2.12.0",
    "@modelcontextprotocol/sdk@1.32.2",
    "@modelcontextprotocol/server@2.3.1",
)
CLIENT = """
import {{ Client }} from '{package}';
import {{ StdioClientTransport }} from '{package_stdio}';
const [command, ...args] = process.argv.slice(2);
const client = new Client({{ name: 'lesson', version: '1.0' }}, {options});
await client.connect(new StdioClientTransport({{ command, args }}));
await client.listTools();
const order = {{ name: 'place_order', arguments: {{ table: 6, dish: 'steak' }} }};
console.log(JSON.stringify(await client.callTool(order)));
await client.close();
"""
SERVER = """
import {{ McpServer }} from '{package}';
import {{ {start} }} from '{package_stdio}';
import {{ z }} from 'zod';
const make = () => {{
  const server = new McpServer({{ name: 'kitchen', version: '1.0' }});
  const inputSchema = {schema};
  const said = (text) => ({{ content: [{{ type: 'text', text }}] }});
  server.registerTool('place_order', {{ inputSchema }},
    async ({{ table, dish }}) => said(`${{dish}} for table ${{table}}`));
  return server;
}};
{run};
"""
V1, V2 = "@modelcontextprotocol/sdk", "@modelcontextprotocol"
FILES = {
    "typescript_1.mjs": CLIENT.format(
        package=f"{V1}/client/index.js", package_stdio=f"{V1}/client/stdio.js", options="{}"
    ),
    "typescript_2.mjs": CLIENT.format(
        package=f"{V2}/client", package_stdio=f"{V2}/client/stdio", options="{}"
    ),
    "typescript_2_auto.mjs": CLIENT.format(
        package=f"{V2}/client",
        package_stdio=f"{V2}/client/stdio",
        options="{ versionNegotiation: { mode: 'auto' } }",
    ),
    "server_1.mjs": SERVER.format(
        package=f"{V1}/server/mcp.js",
        package_stdio=f"{V1}/server/stdio.js",
        start="StdioServerTransport",
        schema="{ table: z.number(), dish: z.string() }",
        run="await make().connect(new StdioServerTransport())",
    ),
    "server_2.mjs": SERVER.format(
        package=f"{V2}/server",
        package_stdio=f"{V2}/server/stdio",
        start="serveStdio",
        schema="z.object({ table: z.number(), dish: z.string() })",
        run="serveStdio(make)",
    ),
}
CALL = "--method tools/call --tool-name place_order --tool-arg table=6 --tool-arg dish=steak"
CLIENTS = ("typescript_1", "typescript_2", "typescript_2_auto", "inspector")
SERVERS = ("server_1", "server_2")


def install(folder: Path) -> None:
    """Fetch the packages into a folder, unless they are there, and write the programs."""
    if not (folder / "done").exists():
        subprocess.run(["npm", "init", "-y"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        quiet = ("--no-fund", "--no-audit", "--silent", "--save-exact")
        subprocess.run(["npm", "install", *quiet, *PACKAGES], cwd=folder, check=True)
        (folder / "done").touch()
    for name, text in FILES.items():
        (folder / name).write_text(text)


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
            print(one, let_talk(one, place, my_server())[0].strip()[:100])
            talk = let_talk(one, place, my_server())[1]
            talk.save(Path(peers.__file__).parent / "peer_files" / f"{one}.log")
