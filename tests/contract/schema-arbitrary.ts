import fc from 'fast-check';
import type { JsonSchema } from './api-document.ts';

const DEPTH_MAX = 5;
const ITEMS_MAX = 4;

/** Values that `schema` allows, mostly near its bounds. Supports the keywords that the platform's documents use. */
export function arbitraryOf(
  schema: JsonSchema,
  resolve: (schema: JsonSchema) => JsonSchema,
  depth = 0,
): fc.Arbitrary<unknown> {
  const of = (inner: JsonSchema) => arbitraryOf(inner, resolve, depth + 1);
  const found = resolve(schema);
  if ('const' in found) return fc.constant(found['const']);
  if (Array.isArray(found['enum'])) return fc.constantFrom(...(found['enum'] as unknown[]));
  const alternatives = (found['anyOf'] ?? found['oneOf']) as JsonSchema[] | undefined;
  if (alternatives !== undefined) return fc.oneof(...alternatives.map(of));
  if (Array.isArray(found['type'])) return fc.oneof(...found['type'].map((type) => of({ ...found, type })));
  switch (found['type']) {
    case 'object':
      return objects(found, of, depth);
    case 'array': {
      const minLength = (found['minItems'] as number | undefined) ?? 0;
      return fc.array(of((found['items'] as JsonSchema | undefined) ?? {}), {
        minLength,
        maxLength: Math.max(minLength, ITEMS_MAX),
      });
    }
    case 'string':
      return strings(found);
    case 'integer':
      return fc.integer({ min: (found['minimum'] as number) ?? -1000, max: (found['maximum'] as number) ?? 2 ** 31 });
    case 'number':
      return fc
        .integer({ min: 1, max: ((found['maximum'] as number) ?? 1000) * 100 })
        .map((hundredths) => hundredths / 100);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return harmless(2);
  }
}

/** Any JSON that a caller may keep in objects of its own. */
function harmless(maxDepth: number): fc.Arbitrary<unknown> {
  const values = [
    fc.string(),
    fc.integer(),
    fc.double({ min: -1e6, max: 1e6, noNaN: true }),
    fc.boolean(),
    fc.constant(null),
  ];
  return fc.anything({ maxDepth, maxKeys: 3, key: names, values });
}

const names = fc.string({ minLength: 1, maxLength: 8 }).filter((name) => !/^(__proto__|constructor)$/.test(name));

function objects(
  schema: JsonSchema,
  of: (inner: JsonSchema) => fc.Arbitrary<unknown>,
  depth: number,
): fc.Arbitrary<Record<string, unknown>> {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>).filter(
    ([, inner]) => inner['readOnly'] !== true,
  );
  const required = new Set((schema['required'] as string[] | undefined) ?? []);
  const kept = depth < DEPTH_MAX ? properties : properties.filter(([name]) => required.has(name));
  const recordOf = (members: typeof kept) =>
    fc.record(Object.fromEntries(members.map(([name, inner]) => [name, of(inner)])), {
      requiredKeys: members.map(([name]) => name).filter((name) => required.has(name)),
    });
  // Optional members often contradict one another.
  const record = fc.oneof(recordOf(kept), recordOf(kept.filter(([name]) => required.has(name))));
  if (typeof schema['additionalProperties'] !== 'object') return record;
  return fc.tuple(fc.dictionary(names, harmless(1), { maxKeys: 2 }), record).map(([extra, own]) => ({
    ...extra,
    ...own,
  }));
}

function strings(schema: JsonSchema): fc.Arbitrary<string> {
  const minLength = (schema['minLength'] as number | undefined) ?? 0;
  const maxLength = Math.min((schema['maxLength'] as number | undefined) ?? 64, 300);
  if (schema['format'] === 'date-time') {
    const min = new Date('2000-01-01T00:00:00Z');
    return fc
      .date({ min, max: new Date('2090-01-01T00:00:00Z'), noInvalidDate: true })
      .map((date) => date.toISOString());
  }
  if (schema['format'] === 'email') return fc.stringMatching(/^[a-z]{1,12}@[a-z]{1,12}\.com$/);
  if (schema['pattern'] === '^[A-Z]{3}$') {
    return fc.oneof({ weight: 9, arbitrary: fc.constant('EUR') }, fc.constantFrom('USD', 'JPY', 'KWD', 'XXQ'));
  }
  // Examples cover what a pattern cannot express.
  if (Array.isArray(schema['examples'])) return fc.constantFrom(...(schema['examples'] as string[]));
  const patterns = [schema, ...((schema['allOf'] ?? []) as JsonSchema[])].flatMap(({ pattern }) =>
    typeof pattern === 'string' ? [new RegExp(pattern, 'u')] : [],
  );
  // Nothing generates from a lookahead, but the filter knows it.
  const narrowest = patterns.at(-1);
  if (narrowest !== undefined) {
    return fc
      .stringMatching(new RegExp(narrowest.source.replaceAll(/\(\?!.*?\)/g, ''), 'u'))
      .map((text) => text.slice(0, maxLength))
      .filter((text) => text.length >= minLength && patterns.every((pattern) => pattern.test(text)));
  }
  return fc.oneof(
    fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 24)) }),
    fc.string({ unit: 'grapheme', minLength, maxLength: Math.max(minLength, Math.min(maxLength, 12)) }),
  );
}
