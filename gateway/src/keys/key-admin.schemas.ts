import { externalId, instant, name, pageQuery, scope } from '@event-commerce/contracts';
import { z } from 'zod';
import { KEY_ENVIRONMENTS } from '../auth/key-format.ts';

const RATE_MAX = 1_000_000;
const OVERLAP_SECONDS_MAX = 7 * 24 * 60 * 60;

export const createKeyBody = z.object({
  /** Absent: the company of the key that asks. */
  companyId: externalId.optional(),
  name,
  scopes: z
    .array(scope)
    .min(1)
    .max(50)
    .transform((scopes) => [...new Set(scopes)]),
  expiresAt: instant.nullish(),
  rateLimit: z.object({ perSecond: z.int().min(1).max(RATE_MAX), burst: z.int().min(1).max(RATE_MAX) }).nullish(),
  environment: z.enum(KEY_ENVIRONMENTS).optional(),
});
export type CreateKeyBody = z.output<typeof createKeyBody>;

export const rotateKeyBody = z
  .object({ overlapSeconds: z.int().min(0).max(OVERLAP_SECONDS_MAX).default(0) })
  .prefault({});

export const keyParams = z.object({ id: externalId });
export const listKeysQuery = pageQuery.extend({ companyId: externalId.optional() });
