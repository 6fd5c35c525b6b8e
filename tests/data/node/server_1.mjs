import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';
const make = () => {
  const server = new McpServer({ name: 'kitchen', version: '1.0' });
  const inputSchema = { table: z.number(), dish: z.string() };
  const said = (text) => ({ content: [{ type: 'text', text }] });
  server.registerTool('place_order', { inputSchema },
    async ({ table, dish }) => said(`${dish} for table ${table}`));
  return server;
};
await make().connect(new StdioServerTransport());
