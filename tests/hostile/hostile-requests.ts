import { HOSTILE_BODIES, HOSTILE_IDS } from '../contract/mutations.ts';
import { textOf } from '../harness/text-of.ts';

const IN_FLIGHT = 16;

/** Bodies that are hostile as a whole. */
export const TEXTS = [
  ...HOSTILE_BODIES.map(({ text }) => text),
  '',
  '\u0000',
  '{"a":1}',
  '[null]',
  '[{}]',
  '0',
  '"\\ud800"',
];
export const DEEP = `${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}`;
/** Fields that no client library sends. */
export const HEADERS = [
  'a b: c',
  'x-request-id: a\nb',
  ': x',
  '\u0000: y',
  `${'k'.repeat(3_000)}: z`,
  'no colon',
  'body-bytes: 1e99',
];

export async function inFlight(works: readonly (() => Promise<unknown>)[]): Promise<void> {
  const left = [...works];
  const worker = async () => {
    for (let work = left.shift(); work !== undefined; work = left.shift()) await work();
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
}

export const OTHER_ROUTES = [
  'POST /admin/keys',
  'GET /admin/keys',
  'GET /admin/keys/:id',
  'PATCH /admin/keys/:id',
  'DELETE /admin/keys/:id',
  'GET /usage',
  'GET /healthz',
  'GET /readyz',
  'GET /openapi.json',
];

/** Every hostile request to `base`: each of `bodies` once, and each id once. */
export function requestsTo(
  base: string,
  routes: readonly string[],
  auth: Record<string, string>,
  failures: string[],
  bodies = HOSTILE_BODIES,
) {
  const ask = async (route: string, id: string, body?: { contentType: string; text: string }): Promise<void> => {
    const [method = '', template = ''] = route.split(' ');
    const url = `${base}${template.replaceAll(/:\w+/g, id)}`;
    const sends = body !== undefined && method !== 'GET';
    const response = await fetch(url, {
      method,
      headers: { ...auth, ...(sends ? { 'content-type': body.contentType } : {}) },
      ...(sends ? { body: body.text } : {}),
    });
    const text = await textOf(response);
    const about = `${route} ${id.slice(0, 40)} ${body?.text.slice(0, 40) ?? ''}: ${response.status} ${text.slice(0, 200)}`;
    if (response.status === 500) failures.push(about);
    if (response.status >= 400 && !/"error":\{"code":"[A-Z_]+"/.test(text)) failures.push(about);
  };
  return routes.flatMap((route) => [
    ...(route.startsWith('GET') ? [] : bodies).map((body) => () => ask(route, 'unknown', body)),
    ...HOSTILE_IDS.map((id) => () => ask(route, id, { contentType: 'application/json', text: '{}' })),
    () => ask(`${route}?limit=${'9'.repeat(400)}&after=%00&a[__proto__]=1&limit=x`, 'unknown'),
  ]);
}
