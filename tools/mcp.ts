import { createClient } from '@event-commerce/client';
import { readCommandLine, refuseCommandLine } from '@event-commerce/service-kit/command-line';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createMcpServer, TOOL_TAGS } from './mcp-server.ts';
import packageJson from './package.json' with { type: 'json' };

const USAGE = `Usage: npm run mcp -- [OPTION ...]

Serves the API as tools to an agent, over MCP on standard input and output. The key decides what they may do. An agent
starts it with "npm run --silent mcp", because npm itself prints nothing then.

  --write       also the tools that change something; without it, none does
  --tags A,B    only these groups of operations: ${TOOL_TAGS.join(', ')}

API_KEY is a key of a company, BASE_URL the gateway's address (default http://127.0.0.1:8080).
`;

const { values } = readCommandLine(USAGE, {
  options: { write: { type: 'boolean', default: false }, tags: { type: 'string' } },
});
const wanted = values.tags?.split(',').map((tag) => tag.trim().toLowerCase());
const unknown = wanted?.filter((tag) => !TOOL_TAGS.some((known) => known.toLowerCase() === tag)) ?? [];
if (unknown.length > 0) refuseCommandLine(USAGE, `There is no group ${unknown.join(', ')}.`);
const { API_KEY: apiKey = '', BASE_URL: baseUrl = 'http://127.0.0.1:8080' } = process.env;
if (apiKey === '') refuseCommandLine(USAGE, 'API_KEY is missing.');

const server = createMcpServer(createClient({ baseUrl, apiKey }), {
  writes: values.write,
  tags: TOOL_TAGS.filter((tag) => wanted === undefined || wanted.includes(tag.toLowerCase())),
  version: packageJson.version,
});
await server.connect(new StdioServerTransport());
