/** Values that nobody should send, but somebody will. */
const HOSTILE: readonly unknown[] = [
  null,
  true,
  '',
  ' ',
  -1,
  0.5,
  0,
  Number.MAX_SAFE_INTEGER,
  1e300,
  [],
  {},
  [[]],
  [null],
  { $gt: '' },
  { a: { b: { c: 1 } } },
  'x'.repeat(5_000),
  '\u0000',
  '\ud800',
  '😀'.repeat(40),
  "'; DROP TABLE orders; --",
  '../../etc/passwd',
  '$where',
  '__proto__',
  'NaN',
  '2027-02-30T00:00:00Z',
  '9999999999999999999999',
  Array.from({ length: 501 }, (_, n) => `id${n}`),
];

/** Every variant of `body` with one field removed or replaced by a hostile value, in a fixed order. */
export function mutationsOf(body: unknown): unknown[] {
  const mutated: unknown[] = [];
  for (const path of pathsOf(body, [])) {
    mutated.push(changed(body, path, undefined));
    for (const value of HOSTILE) mutated.push(changed(body, path, value));
  }
  return mutated;
}

/** Bodies that are invalid as a whole, as they are sent. */
export const HOSTILE_BODIES: readonly { contentType: string; text: string }[] = [
  { contentType: 'application/json', text: '{' },
  { contentType: 'application/json', text: 'null' },
  { contentType: 'application/json', text: '[]' },
  { contentType: 'application/json', text: '"text"' },
  { contentType: 'application/json', text: '{"__proto__":{"admin":true}}' },
  { contentType: 'application/json', text: '{"constructor":{"prototype":{}}}' },
  { contentType: 'application/json', text: '{"_bsontype":"ObjectId"}' },
  { contentType: 'application/json', text: `${'['.repeat(2_000)}${']'.repeat(2_000)}` },
  { contentType: 'application/json', text: '{"a":1e400,"b":-0,"c":9007199254740993}' },
  { contentType: 'application/json', text: `"${'x'.repeat(1024 * 1024)}"` },
  { contentType: 'text/plain', text: 'text' },
  { contentType: 'application/x-www-form-urlencoded', text: 'a=1' },
  { contentType: 'application/json; charset=utf-16', text: '{}' },
];

/** Path parameters that must do no harm. Each is sent exactly as encoded here. */
export const HOSTILE_IDS: readonly string[] = [
  'unknown',
  'x'.repeat(128),
  'x'.repeat(129),
  'x'.repeat(300),
  encodeURIComponent('😀'),
  encodeURIComponent('{"$gt":""}'),
  '%00',
  '%2F',
  '%25',
  "';--",
  '__proto__',
  '[object Object]'.replaceAll(' ', '%20'),
];

type Path = readonly (string | number)[];

function* pathsOf(value: unknown, path: Path): Generator<Path> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    const step = Array.isArray(value) ? Number(key) : key;
    yield [...path, step];
    yield* pathsOf(member, [...path, step]);
  }
}

function changed(body: unknown, path: Path, value: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  const copy: any = Array.isArray(body) ? [...(body as unknown[])] : { ...(body as object) };
  const member = changed(copy[step], rest, value);
  if (member === undefined) delete copy[step];
  else copy[step] = member;
  return copy;
}
