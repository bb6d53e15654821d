import { type Operation, publicPath } from '@event-commerce/contracts';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { type DocumentedOperation, escapePointer, type ServedDocument } from './api-document.ts';

export interface Received {
  status: number;
  headers: Headers;
  body: any;
}

function mediaType(headers: Headers): string {
  return headers.get('content-type')?.split(';', 1)[0] ?? '';
}

/** Whether a response is a stream of lines or events, which has no envelope and no schema. */
export function isStream(headers: Headers): boolean {
  return ['application/x-ndjson', 'text/csv', 'text/event-stream'].includes(mediaType(headers));
}

export function documented(api: ServedDocument, operation: Operation): DocumentedOperation {
  return api.document['paths'][publicPath(operation)][operation.method.toLowerCase()];
}

/**
 * Why the served schema refuses a body that was accepted. For an optional member, null or an empty text means absent.
 */
export function refusedBySchema(api: ServedDocument, operation: Operation, body: unknown): string | undefined {
  if (documented(api, operation).requestBody === undefined) return undefined;
  const validate = api.requestValidator(`${pointerTo(operation)}/requestBody/content/application~1json/schema`);
  if (validate(body) || validate(withoutAbsent(body))) return undefined;
  return `${operation.id} accepted what its schema refuses: ${textOf(validate.errors)}`;
}

function withoutAbsent(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutAbsent);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([, member]) => member !== null && member !== '');
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutAbsent(member)]));
}

function pointerTo(operation: Operation): string {
  return `#/paths/${escapePointer(publicPath(operation))}/${operation.method.toLowerCase()}`;
}

function textOf(errors: ValidateFunction['errors']): string {
  return (errors ?? [])
    .slice(0, 4)
    .map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`)
    .join('; ');
}

/** What is wrong with a response; undefined when it is as documented. */
export function problemOf(
  api: ServedDocument,
  operation: Operation,
  { status, headers, body }: Received,
): string | undefined {
  if (status >= 500) return `${operation.id} failed`;
  const pointer = `${pointerTo(operation)}/responses/${status}`;
  const given = documented(api, operation).responses[status];
  if (given === undefined) return `${operation.id} returned an undocumented status`;
  const response = api.resolve(given);
  for (const [name, header] of Object.entries(response['headers'] as Record<string, any>)) {
    if (api.resolve(header)['required'] === true && headers.get(name) === null)
      return `${operation.id} left out ${name}`;
  }
  const type = mediaType(headers);
  if (isStream(headers) && type in response['content']) return undefined;
  if (type !== 'application/json') return `${operation.id} did not return JSON`;
  const validate = api.validator(`${given['$ref'] ?? pointer}/content/application~1json/schema`);
  if (validate(body)) return undefined;
  return `${operation.id} broke its schema: ${textOf(validate.errors)}`;
}
