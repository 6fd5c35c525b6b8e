import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { talk } from './talk.mjs';
await talk(Client, StdioClientTransport);
