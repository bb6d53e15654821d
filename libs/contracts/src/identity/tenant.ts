import { z } from 'zod';
import type { KeyEnvironment } from './identity.ts';

declare const tenant: unique symbol;

/**
 * One company in one environment: the first parameter of every store method, and the `companyId` of documents, so that
 * records made with a test key and those made with a live key never mix. A string at run time; opaque to the compiler,
 * so that a plain company id cannot select records, and a tenant cannot be shown as a company id.
 */
export interface Tenant {
  readonly [tenant]: true;
}

// eslint-disable-next-line no-control-regex -- the point: no company id holds one
const CONTROL_CHARACTER = /[\u0000-\u001f\u007f]/;

/** No company id holds a control character, so no company id is another company's test tenant. */
const TEST_PREFIX = '\u001ftest\u001f';

/** For `live`, the plain company id. @throws {RangeError} for a company id with a control character */
export function tenantOf({ companyId, environment }: { companyId: string; environment: KeyEnvironment }): Tenant {
  if (CONTROL_CHARACTER.test(companyId)) throw new RangeError('A company id holds no control characters.');
  return tenantOfKey(environment === 'live' ? companyId : TEST_PREFIX + companyId);
}

/** The company of `tenant`, as it is shown. */
export function companyIdOf(of: Tenant): string {
  const key = keyOfTenant(of);
  return environmentOf(of) === 'test' ? key.slice(TEST_PREFIX.length) : key;
}

export function environmentOf(of: Tenant): KeyEnvironment {
  return keyOfTenant(of).startsWith(TEST_PREFIX) ? 'test' : 'live';
}

/** `tenant` as text for internal use: keys of caches, and messages between replicas. */
export function keyOfTenant(of: Tenant): string {
  return of as unknown as string;
}

/** The record `id` of `tenant`, as text, for caches and the like: neither part contains a line break. */
export function recordKey(of: Tenant, id: string): string {
  return `${keyOfTenant(of)}\n${id}`;
}

/** The tenant from which `keyOfTenant` made `key`. */
export function tenantOfKey(key: string): Tenant {
  return key as unknown as Tenant;
}

/** A tenant in a message between replicas. */
export const tenantKey = z.string().min(1).transform(tenantOfKey);
