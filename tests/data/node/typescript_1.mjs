import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { talk } from './talk.mjs';
await talk(Client, StdioClientTransport);
