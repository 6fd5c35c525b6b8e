import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
const make = () => {
  const server = new McpServer({ name: 'kitchen', version: '1.0' });
  const inputSchema = z.object({ table: z.number(), dish: z.string() });
  const said = (text) => ({ content: [{ type: 'text', text }] });
  server.registerTool('place_order', { inputSchema },
    async ({ table, dish }) => said(`${dish} for table ${table}`));
  return server;
};
serveStdio(make);
