import { z } from 'zod';

interface QuotaDefinition {
  /** The process that counts it. */
  service: 'pricing' | 'commerce' | 'cart' | 'events' | 'gateway';
  /** What is counted, as part of a sentence. */
  what: string;
  /** What a company can do about it itself. */
  relief: string;
  /** The default limit. */
  count: number;
}

/**
 * What one company may store, separately for `live` and `test`. Far more than a company needs, but too little to fill a
 * process's memory or a disk that others need too. The setting `QUOTAS` changes the limits.
 */
export const QUOTAS = {
  liveAdjustments: {
    service: 'pricing',
    what: 'active and scheduled price adjustments, those of coupons included',
    relief: 'Archive or pause those that you no longer need',
    count: 200_000,
  },
  adjustments: {
    service: 'pricing',
    what: 'price adjustments, archived ones included',
    relief: 'Change adjustments that you have instead of creating new ones',
    count: 2_000_000,
  },
  budgets: {
    service: 'pricing',
    what: 'budgets',
    relief: 'Change budgets that you have instead of creating new ones',
    count: 10_000,
  },
  codes: {
    service: 'pricing',
    what: 'issued codes, revoked ones included',
    relief: 'Issue fewer codes that each count more often',
    count: 20_000_000,
  },
  coupons: {
    service: 'commerce',
    what: 'coupons, archived ones included',
    relief: 'Change coupons that you have instead of creating new ones',
    count: 2_000_000,
  },
  events: {
    service: 'events',
    what: 'events, series and instances',
    relief: 'Change events that you have instead of creating new ones',
    count: 1_000_000,
  },
  offerings: {
    service: 'events',
    what: 'offerings',
    relief: 'Change offerings that you have instead of creating new ones',
    count: 1_000_000,
  },
  purchaseGroups: {
    service: 'events',
    what: 'purchase groups, merged ones included',
    relief: 'Delete groups that you no longer need',
    count: 1_000_000,
  },
  openCarts: {
    service: 'cart',
    what: 'open cart sessions',
    relief: 'Use one session for each buyer; sessions that nobody changes expire',
    count: 1_000_000,
  },
  tableCommitments: {
    service: 'cart',
    what: 'table commitments, closed ones included',
    relief: 'Make larger tables instead of many small ones',
    count: 200_000,
  },
} as const satisfies Record<string, QuotaDefinition>;

export type QuotaName = keyof typeof QUOTAS;

export const QUOTA_NAMES = Object.keys(QUOTAS) as QuotaName[];

/** The limits of every quota by its name. */
export type QuotaLimits = Readonly<Record<QuotaName, number>>;

/**
 * The limits as a setting names them: `coupons=5000, events=2000` is at most 5,000 coupons and 2,000 events; quotas
 * that it does not name keep their defaults.
 */
export const quotaLimits = z
  .string()
  .default('')
  .transform((text, ctx): QuotaLimits => {
    const limits = Object.fromEntries(QUOTA_NAMES.map((name) => [name, QUOTAS[name].count])) as Record<
      QuotaName,
      number
    >;
    for (const part of text.split(',').map((one) => one.trim())) {
      if (part === '') continue;
      const [, name = '', count] = /^(\w+)\s*=\s*(\d{1,12})$/.exec(part) ?? [];
      if (!Object.hasOwn(QUOTAS, name)) {
        const message = `must be NAME=COUNT with commas between; the names are ${QUOTA_NAMES.join(', ')}`;
        ctx.addIssue({ code: 'custom', message });
        return z.NEVER;
      }
      limits[name as QuotaName] = Number(count);
    }
    return limits;
  });

const used = z.object({ used: z.int().min(0), limit: z.int().min(0) });

/** What a company uses of one quota. */
const quotaUse = z.object({ count: used.describe('Records.') });
export type QuotaUse = z.output<typeof quotaUse>;

/** The response to `GET /v1/usage`. */
export const companyUsage = z
  .object({
    quotas: z.object({
      ...(Object.fromEntries(QUOTA_NAMES.map((name) => [name, quotaUse.describe(`${QUOTAS[name].what}.`)])) as Record<
        QuotaName,
        typeof quotaUse
      >),
      // The gateway counts them: its setting API_KEYS_MAX is the limit.
      apiKeys: z
        .object({ count: used.describe('Keys.') })
        .describe('API keys that work. During a rotation there can be more of them than the limit.'),
    }),
  })
  .meta({ id: 'CompanyUsage' });
export type CompanyUsage = z.output<typeof companyUsage>;
