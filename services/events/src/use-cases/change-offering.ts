import { isDeepStrictEqual } from 'node:util';
import { offeringInput, PlatformError } from '@event-commerce/contracts';
import { type Caller, validate } from '@event-commerce/service-kit';
import type { OfferingRecord, OfferingRepository } from '../store/offering.repository.ts';
import type { CompareAndSwap } from './compare-and-swap.ts';

const changeable = offeringInput.omit({ id: true });

export interface ChangeOfferingDeps {
  offerings: OfferingRepository;
  compareAndSwap: CompareAndSwap;
  clock: () => Date;
}

/**
 * Changes name, price, tags or status of an offering as JSON merge patch does at its top level, and validates the whole.
 *
 * @throws {PlatformError} OFFERING_NOT_FOUND, VALIDATION_FAILED, VERSION_CONFLICT
 */
export async function changeOffering(
  deps: ChangeOfferingDeps,
  caller: Caller,
  id: string,
  patch: Record<string, unknown>,
): Promise<OfferingRecord> {
  return await deps.compareAndSwap(`${caller.companyId} ${id}`, async () => {
    const current = await findOffering(deps, caller.companyId, id);
    const whole = Object.fromEntries(Object.entries({ ...current, ...patch }).filter(([, value]) => value !== null));
    const input = validate(changeable, whole);
    if (isDeepStrictEqual(input, changeable.parse(current))) return current;
    return await deps.offerings.replace(caller, current, input, deps.clock());
  });
}

/** @throws {PlatformError} OFFERING_NOT_FOUND */
export async function findOffering(
  deps: { offerings: OfferingRepository },
  companyId: string,
  id: string,
): Promise<OfferingRecord> {
  const record = await deps.offerings.find(companyId, id);
  if (record === undefined) throw new PlatformError('OFFERING_NOT_FOUND', `There is no offering ${id}.`);
  return record;
}
