import { createHmac } from 'node:crypto';
import { emailKey, ERASED_EMAIL, keyOfTenant, type Tenant } from '@event-commerce/contracts';

/** More than enough for any two customers to differ. */
const HASH_BYTES = 16;

export type CustomerKeys = ReturnType<typeof customerKeysWith>;

/**
 * Names the shares of customers without saying who they are: by keyed hashes, so that stored data tells nothing to
 * anybody without the key, and no erased customer is found in it. They differ from company to company.
 */
export function customerKeysWith(secret: Buffer) {
  const hashOf = (kind: 'cu' | 'em', tenant: Tenant, of: string): string => {
    const hash = createHmac('sha256', secret).update(JSON.stringify([kind, keyOfTenant(tenant), of]));
    return `${kind}_${hash.digest().subarray(0, HASH_BYTES).toString('base64url')}`;
  };
  const ofId = (tenant: Tenant, id: string): string => hashOf('cu', tenant, id);
  const ofEmail = (tenant: Tenant, address: string): string => hashOf('em', tenant, emailKey(address));
  return {
    /** The same for all spellings of an address. Other differences, such as dots or a `+tag`, count. */
    ofEmail,

    /** `given` with the key of `customerEmail` in place of the address. An erased customer has none. */
    replaceEmail<T extends { customerEmail?: string | undefined }>(tenant: Tenant, given: T): T {
      const { customerEmail: address, ...rest } = given;
      if (address === undefined) return given;
      const isErased = emailKey(address) === ERASED_EMAIL;
      return { ...rest, ...(isErased ? {} : { customerEmail: ofEmail(tenant, address) }) } as T;
    },

    /** The keys that an order's customer counts under. All erased customers have one address, which is nobody's. */
    of(tenant: Tenant, { id, email }: { id?: string | undefined; email: string }): string[] {
      return [
        ...(id === undefined ? [] : [ofId(tenant, id)]),
        ...(emailKey(email) === ERASED_EMAIL ? [] : [ofEmail(tenant, email)]),
      ];
    },
  };
}
