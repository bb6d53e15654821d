import { z } from 'zod';
import { keyEnvironment, scope } from '../identity/identity.ts';
import { memberNotes } from '../schema/member-notes.ts';
import { externalId, instant, listQuery, name, timestamp } from '../schema/primitives.ts';

const RATE_MAX = 1_000_000;
const OVERLAP_SECONDS_MAX = 7 * 24 * 60 * 60;

/** The body of `POST /admin/keys`. */
export const createKeyBody = z
  .object({
    companyId: externalId
      .optional()
      .describe("Defaults to the company of the calling key. The operator's key has to name one."),
    name,
    scopes: z
      .array(scope)
      .min(1)
      .max(50)
      .transform((scopes) => [...new Set(scopes)]),
    expiresAt: instant.nullish(),
    rateLimit: z.object({ perSecond: z.int().min(1).max(RATE_MAX), burst: z.int().min(1).max(RATE_MAX) }).nullish(),
    environment: keyEnvironment
      .optional()
      .describe("Defaults to that of the calling key; for the operator's key, to the gateway's setting."),
  })
  .register(memberNotes, { answer: () => apiKey.shape, related: () => ({ expires: 'expiresAt' }) })
  .meta({ id: 'CreateApiKey' });
export type CreateKeyBody = z.output<typeof createKeyBody>;

/**
 * The body of `POST /admin/keys/{id}/rotate`. Strict, because with a misspelt overlap the old key would end at once.
 */
export const rotateKeyBody = z
  .strictObject({
    overlapSeconds: z
      .int()
      .min(0)
      .max(OVERLAP_SECONDS_MAX)
      .default(0)
      .describe('How long the old key keeps working. By default it ends at once.'),
  })
  .prefault({})
  .meta({ id: 'RotateApiKey' });

export const listKeysQuery = listQuery(
  { companyId: externalId.optional(), environment: keyEnvironment.optional() },
  () => apiKey,
);

/** An API key as the API returns it: never its text. */
export const apiKey = z
  .object({
    id: z.string(),
    companyId: z.string(),
    name: z.string(),
    scopes: z.array(scope),
    environment: keyEnvironment,
    rateLimit: z
      .object({ perSecond: z.int(), burst: z.int() })
      .nullable()
      .describe("The key's own limit. Null if it has the default."),
    status: z.enum(['active', 'revoked', 'expired']),
    created: timestamp,
    createdBy: z.string().describe('The id of the key that issued this one, `root` for the operator.'),
    lastUsed: timestamp.nullable().describe('Correct to about a minute.'),
    expires: timestamp.nullable(),
    revoked: timestamp.nullable(),
    rotatedTo: z.string().nullable().describe('The id of the key that replaced this one.'),
  })
  .meta({ id: 'ApiKey' });

/** A key that was just created, with its text: shown only this once, stored nowhere. */
export const issuedApiKey = apiKey
  .extend({ key: z.string().describe('The key itself. Keep it: it is shown once.') })
  .meta({ id: 'IssuedApiKey' });
