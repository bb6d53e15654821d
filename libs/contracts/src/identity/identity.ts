import { z } from 'zod';
import { externalId } from '../schema/primitives.ts';

/** The scopes a key may hold. A `:write` scope includes the `:read` of the same resource; `*` includes everything. */
export const SCOPES = [
  '*',
  'coupons:read',
  'coupons:write',
  'pricing:read',
  'pricing:write',
  'pricing:evaluate',
  'pricing:redeem',
  'carts:read',
  'carts:write',
  'orders:read',
  'orders:write',
  'orders:checkout',
  'events:read',
  'events:write',
  'activity:read',
  'webhooks:read',
  'webhooks:write',
  'customers:erase',
  'keys:admin',
] as const;

export const scope = z.enum(SCOPES);
export type Scope = z.output<typeof scope>;

/** Whether a key with the scopes `granted` may do what needs `needed`. */
export function allows(granted: readonly Scope[], needed: Scope): boolean {
  if (granted.includes(needed) || granted.includes('*')) return true;
  return needed.endsWith(':read') && granted.includes(needed.replace(':read', ':write') as Scope);
}

/** The services an identity token can be meant for. */
export const SERVICES = ['pricing', 'commerce', 'cart', 'events', 'activity'] as const;
export type ServiceName = (typeof SERVICES)[number];

/** The processes of the platform: each has a user of its own at the broker and at the database. */
export const PROCESSES = ['gateway', ...SERVICES] as const;
export type ProcessName = (typeof PROCESSES)[number];

/** The header, in HTTP and in request-reply, with the caller's identity as signed by the gateway. */
export const IDENTITY_HEADER = 'x-platform-identity';

/** The two environments of a company: records made with a key of one do not exist for a key of the other. */
export const KEY_ENVIRONMENTS = ['live', 'test'] as const;
export const keyEnvironment = z.enum(KEY_ENVIRONMENTS);
export type KeyEnvironment = z.output<typeof keyEnvironment>;

/** The caller's identity, as the gateway signed it. */
export const identity = z.object({
  companyId: externalId,
  environment: keyEnvironment,
  keyId: z.string().min(1).max(128),
  /** The key's name, as the activity log shows it. Absent: the operator's root key. */
  keyName: z.string().exactOptional(),
  /** The first key in the chain of keys that this one replaces. Absent: it replaces none. */
  originalKeyId: z.string().min(1).max(128).exactOptional(),
  scopes: z.array(scope),
});
export type Identity = z.output<typeof identity>;
