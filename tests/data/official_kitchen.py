"""The same kitchen, made with the official package."""

import asyncio

from mcp.server.mcpserver import Context, MCPServer

server = MCPServer("official kitchen")


@server.tool()
async def place_order(table: int, dish: str, ctx: Context) -> str:
    """Place an order."""
    await ctx.report_progress(1, 2)
    await ctx.report_progress(2, 2)
    return f"{dish} for table {table}"


@server.tool()
async def roast() -> str:
    """Roast for ever."""
    await asyncio.Event().wait()


if __name__ == "__main__":
    server.run("stdio")
