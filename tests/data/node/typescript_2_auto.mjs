import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
const [command, ...args] = process.argv.slice(2);
const client = new Client({ name: 'lesson', version: '1.0' }, { versionNegotiation: { mode: 'auto' } });
await client.connect(new StdioClientTransport({ command, args }));
await client.listTools();
const order = { name: 'place_order', arguments: { table: 6, dish: 'steak' } };
console.log(JSON.stringify(await client.callTool(order)));
await client.close();
