import type { Operation } from '@event-commerce/contracts';
import { proofSize } from '@event-commerce/test-kit';
import fc from 'fast-check';
import type { DocumentedParameter, ServedDocument } from './api-document.ts';
import { HOSTILE_BODIES, HOSTILE_IDS, mutationsOf } from './mutations.ts';
import { arbitraryOf } from './schema-arbitrary.ts';
import { documented } from './problem-of.ts';
import type { RenamedIds } from './rename-ids.ts';

const GENERATED_BODIES = proofSize(6, 24);
const MUTATED_BODIES = proofSize(10, 60);
/** Coprime to the number of queries of a parameter, so that all kinds of them are sent. */
const QUERY_STEP = proofSize(3, 1);

/** Another seed generates other requests: CONTRACT_SEED=7 npm run proofs -- api-contract */
const seed = Number(process.env['CONTRACT_SEED'] ?? 20_271_121);

export interface Sent {
  path?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  /** Already encoded. */
  rawQuery?: string;
  body?: unknown;
  raw?: { contentType: string; text: string };
  key?: string | null;
  ifMatch?: string;
  /** The body was generated from the served schema, which allows it. */
  isGenerated?: true;
}

export function examplePath(ids: RenamedIds, operation: Operation): Record<string, string> {
  return ids.toReal(Object.values(operation.examples)[0]?.path ?? {});
}

export function casesOf(api: ServedDocument, ids: RenamedIds, operation: Operation): Sent[] {
  const { parameters = [], requestBody } = documented(api, operation);
  const at = examplePath(ids, operation);
  const examples = Object.values(operation.examples).map((example) => ids.toReal(example));
  const body = examples[0]?.body;
  const withBody = { path: at, ...(body === undefined ? {} : { body }) };

  const inPath = Object.keys(at).flatMap((name) =>
    HOSTILE_IDS.map((id) => ({ ...withBody, path: { ...at, [name]: id } })),
  );
  const query = parameters.filter((one): one is DocumentedParameter => 'in' in one && one.in === 'query');
  const allInQuery = query.flatMap(({ name, schema }) => {
    const good = fc.sample(arbitraryOf(schema, api.resolve), { numRuns: 4, seed }).map(String);
    const values = [...good, '', ' ', '-1', '0', '1e9', 'x'.repeat(300), '\u0000', '{"$gt":""}', '😀'];
    return [
      ...values.map((value) => ({ ...withBody, query: { [name]: value } })),
      { ...withBody, rawQuery: `${name}=a&${name}=b` },
      { ...withBody, rawQuery: `${name}[$gt]=1` },
      { ...withBody, rawQuery: `${name}=%zz` },
    ];
  });
  const inQuery = allInQuery.filter((_, n) => n % QUERY_STEP === 0);
  if (operation.method === 'GET') return [...inPath, ...inQuery];

  const raw = HOSTILE_BODIES.map((one) => ({ path: at, raw: one }));
  const replay = { path: at };
  if (requestBody === undefined) return [...inPath, ...inQuery, ...raw, replay];
  const { schema } = requestBody.content['application/json'];
  const generated = fc.sample(arbitraryOf(schema, api.resolve), { numRuns: GENERATED_BODIES, seed });
  const mutated = examples.flatMap((example) => mutationsOf(example.body));
  const chosen = fc.sample(fc.shuffledSubarray(mutated, { minLength: Math.min(mutated.length, MUTATED_BODIES) }), {
    numRuns: 1,
    seed,
  })[0] as unknown[];
  return [
    ...inPath,
    ...inQuery,
    ...raw,
    replay,
    ...generated.map((one) => ({ path: at, body: one, isGenerated: true as const })),
    ...chosen.slice(0, MUTATED_BODIES).map((one) => ({ path: at, body: one })),
  ];
}
