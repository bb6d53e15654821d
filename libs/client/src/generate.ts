import { readFile, writeFile } from 'node:fs/promises';
import { openApiDocument } from '@event-commerce/api-document';
import openapiTS, { astToString } from 'openapi-typescript';
import { format } from 'oxfmt';
import formatting from '../../../.oxfmtrc.json' with { type: 'json' };

const HEADING = '// Generated from the OpenAPI document: change that, then run `npm run generate` in libs/client.\n\n';

/** The generated files by their names. */
export async function generate(): Promise<Record<string, string>> {
  const document = JSON.parse(JSON.stringify(openApiDocument(), withoutPatterns)) as Document;
  const types = await openapiTS(JSON.stringify(document), { defaultNonNullable: false });
  const sources = { 'api.generated.ts': astToString(types), 'operations.generated.ts': operationsOf(document) };
  const formatted = Object.entries(sources).map(async ([name, source]) => {
    const { code } = await format(name, HEADING + source, formatting);
    return [name, code] as const;
  });
  return Object.fromEntries(await Promise.all(formatted));
}

/** Leaves out the `allOf` of a string with several patterns: as a type each pattern would be `unknown`. */
function withoutPatterns(name: string, value: unknown): unknown {
  const onlyPatterns =
    name === 'allOf' && (value as object[]).every((schema) => Object.keys(schema).join() === 'pattern');
  return onlyPatterns ? undefined : value;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
}

interface Operation {
  operationId: string;
  tags: [string];
  summary: string;
  parameters?: { in: string; name: string; required?: boolean }[];
  requestBody?: { required?: boolean };
  responses: Record<string, { content?: Record<string, unknown> }>;
}

/** The methods of the client, in the groups of the document: how each is called, and the request that it sends. */
function operationsOf({ paths }: Document): string {
  const groups = new Map<string, Map<string, { declared: string; sent: string }>>();
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      // A stream has no end to wait for.
      if (operation.responses['200']?.content?.['text/event-stream'] !== undefined) continue;
      const { group, name } = nameOf(operation);
      const known = groups.get(group) ?? new Map();
      if (known.has(name)) throw new Error(`Two operations are client.${group}.${name}: rename one.`);
      groups.set(group, known.set(name, methodOf(path, method.toUpperCase(), operation)));
    }
  }
  const each = (what: 'declared' | 'sent', separator: string) =>
    [...groups]
      .map(([group, methods]) => {
        const members = [...methods].map(([name, method]) => method[what].replace('{name}', name));
        return `${group}: {\n${members.join('\n')}\n}${separator}`;
      })
      .join('\n');
  return [
    "import type { Body, Listed, Options, Query, Received } from './operation-types.ts';",
    `export interface Operations {\n${each('declared', ';')}\n}`,
    '/** The request of each method: its method, its path, and what it takes beside the parts of the path. */',
    `export const OPERATIONS = {\n${each('sent', ',')}\n} as const;`,
  ].join('\n\n');
}

/** `createOrder` of the group "Orders" is `create` of `orders`: the name without the noun that the group has. */
function nameOf({ operationId, tags: [tag] }: Operation): { group: string; name: string } {
  const group = tag.toLowerCase().replaceAll(/ (\w)/g, (_, letter: string) => letter.toUpperCase());
  const noun = group.charAt(0).toUpperCase() + group.slice(1).replace(/s$/, '');
  return { group, name: operationId.replace(new RegExp(`${noun}s?(?![a-z])`), '') };
}

function methodOf(path: string, method: string, operation: Operation): { declared: string; sent: string } {
  const { operationId, summary, parameters = [], requestBody } = operation;
  const named = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const takes = requestBody === undefined ? (named('query').length > 0 ? 'query' : undefined) : 'body';
  const required = requestBody?.required ?? named('query').some((parameter) => parameter.required);
  const taken = { body: `Body<'${operationId}'>`, query: `Query<'${operationId}'>` };
  const inputs = [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `${name}: string`),
    ...(takes === undefined ? [] : [`${takes}${required ? '' : '?'}: ${taken[takes]}`]),
    `options?: Options<'${operationId}'>`,
  ];
  const isList = named('query').some(({ name }) => name === 'cursor');
  const received = `${isList ? 'Listed' : 'Received'}<'${operationId}'>`;
  return {
    declared: `/** ${summary}: \`${method} ${path}\`. */\n{name}(${inputs.join(', ')}): ${received};`,
    sent: `{name}: ['${method}', '${path}'${takes === undefined ? '' : `, '${takes}'`}],`,
  };
}

const fileOf = (name: string) => new URL(name, import.meta.url);

/** The file as last generated. */
export async function readGenerated(name: string): Promise<string> {
  return await readFile(fileOf(name), 'utf8');
}

if (import.meta.main) {
  for (const [name, source] of Object.entries(await generate())) await writeFile(fileOf(name), source);
}
