import { type Operation, publicPath } from '@event-commerce/contracts';
import { type DocumentedOperation, escapePointer, type ServedDocument } from './api-document.ts';

export interface Received {
  status: number;
  headers: Headers;
  body: any;
}

function mediaType(headers: Headers): string {
  return headers.get('content-type')?.split(';', 1)[0] ?? '';
}

/** Whether a response is a stream of lines, which has no envelope and no schema. */
export function isStream(headers: Headers): boolean {
  return ['application/x-ndjson', 'text/csv'].includes(mediaType(headers));
}

export function documented(api: ServedDocument, operation: Operation): DocumentedOperation {
  return api.document['paths'][publicPath(operation)][operation.method.toLowerCase()];
}

/** What is wrong with a response; undefined when it is as documented. */
export function problemOf(
  api: ServedDocument,
  operation: Operation,
  { status, headers, body }: Received,
): string | undefined {
  if (status >= 500) return `${operation.id} failed`;
  const pointer = `#/paths/${escapePointer(publicPath(operation))}/${operation.method.toLowerCase()}/responses/${status}`;
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
  const errors = validate.errors?.map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
  return `${operation.id} broke its schema: ${errors?.slice(0, 4).join('; ')}`;
}
