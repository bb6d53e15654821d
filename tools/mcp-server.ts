import type { Client } from '@event-commerce/client';
import { ALL_OPERATIONS, type Operation, publicPath, TAGS } from '@event-commerce/contracts';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';

type Tag = keyof typeof TAGS;

/** Groups without tools: an agent needs no health checks, and keys are secrets that no model should see. */
const WITHOUT_TOOLS: ReadonlySet<Tag> = new Set(['API keys', 'Health']);
export const TOOL_TAGS = (Object.keys(TAGS) as Tag[]).filter((tag) => !WITHOUT_TOOLS.has(tag));

const INSTRUCTIONS = `Tools of the Event Commerce API: events and their tickets, prices and why they are what they are, carts, orders, sales.
Amounts are integers in minor units (5000 EUR is 50.00 euros), times are RFC 3339. A list returns a page; its page.next is the cursor of the next one.
An error says what is wrong and what to do; error.details name the fields.`;

export interface McpOptions {
  /** Whether there are also tools that change something. */
  writes: boolean;
  /** The groups of operations that become tools. */
  tags: readonly Tag[];
  version: string;
}

/**
 * An MCP server whose tools are operations of the API, called with the client's key: what that key may not do, a tool
 * may not do either.
 */
export function createMcpServer(client: Client, { writes, tags, version }: McpOptions): Server {
  const operations = new Map<string, Operation>(
    ALL_OPERATIONS.filter(
      (one) => tags.includes(one.tag) && one.answer.form !== 'stream' && (writes || onlyReads(one)),
    ).map((one) => [one.id, one]),
  );
  const server = new Server(
    { name: 'event-commerce', version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...operations.values()].map(toolOf) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: given = {} } }) => {
    const operation = operations.get(name);
    if (operation === undefined) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${name}.`);
    return await call(client, operation, given);
  });
  return server;
}

/** A request on the bus only reads, whatever its method. */
function onlyReads({ method, rpc }: Operation): boolean {
  return method === 'GET' || rpc !== undefined;
}

function toolOf(operation: Operation): Tool {
  const { id, summary, description, method, examples } = operation;
  const example = Object.values(examples).find(({ body }) => body !== undefined);
  const parts = [
    `${summary}.`,
    description,
    ...(example === undefined ? [] : [`Example of a body (${example.summary}): ${JSON.stringify(example.body)}`]),
  ];
  return {
    name: id,
    description: parts.filter(Boolean).join('\n\n'),
    inputSchema: inputOf(operation) as Tool['inputSchema'],
    annotations: {
      title: summary,
      readOnlyHint: onlyReads(operation),
      destructiveHint: !onlyReads(operation) && (method === 'DELETE' || method === 'POST'),
      openWorldHint: false,
    },
  };
}

/** The parameters of the path and the query by their names, and the body as `body`. */
function inputOf({ params, query, body, versioned }: Operation): object {
  // Exports are files for people.
  const { format: _format, ...filters } = query?.shape ?? {};
  const input = z.object({
    ...params?.shape,
    ...filters,
    ...(body === undefined ? {} : { body }),
    ...(versioned === 'changes'
      ? { ifMatch: z.string().optional().describe('The `version` of the record as you read it, in quotes.') }
      : {}),
  });
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  return schema;
}

type Send = (
  path: string,
  init: object,
) => Promise<{ data?: Record<string, unknown>; error?: Record<string, unknown>; response: Response }>;

async function call(client: Client, operation: Operation, given: Record<string, unknown>): Promise<CallToolResult> {
  const { body, ifMatch, ...others } = given;
  const inPath = Object.keys(operation.params?.shape ?? {});
  const path = Object.fromEntries(inPath.map((name) => [name, others[name]]));
  const missing = inPath.filter((name) => path[name] === undefined || path[name] === '');
  if (missing.length > 0) throw new McpError(ErrorCode.InvalidParams, `${missing.join(' and ')} must be given.`);
  const query = Object.fromEntries(Object.entries(others).filter(([name]) => !inPath.includes(name)));
  const header = ifMatch === undefined ? {} : { 'If-Match': ifMatch };
  // The table has the types of all operations, so the client's types add nothing here.
  const send = client[operation.method] as unknown as Send;
  const sent = { params: { path, query, header }, ...(body === undefined ? {} : { body }) };
  const { data, error } = await send(publicPath(operation), sent);
  const answer = data ?? error ?? {};
  return {
    content: [{ type: 'text', text: JSON.stringify(answer) }],
    structuredContent: answer,
    ...(error === undefined ? {} : { isError: true }),
  };
}
