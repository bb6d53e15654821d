import { behindLargeOrders, keyOfTenant, type Tenant } from '@event-commerce/contracts';
import { keyedMutex } from '@event-commerce/service-kit';

/** More items, or more codes, than an order of a usual sale has. */
const LARGE = 40;
/** A request may take this and then what pricing and events need: the client is still there. Milliseconds. */
const WAITS_MAX_MS = 3_000;

const largeOrdersInTurn = keyedMutex({ waitsMaxMs: WAITS_MAX_MS, tooLate: behindLargeOrders });

/**
 * Claims what an order wants with `claim`; if that is much, after the company's other large orders. Many of them at once
 * would take so long, and delay others so much, that none ended in time, and all of them released what they had got.
 * `size`: how many items or codes it has, whichever is more.
 *
 * @throws {PlatformError} SERVICE_UNAVAILABLE if its turn does not come in time: nothing was claimed
 */
export async function inTurnIfLarge<T>(tenant: Tenant, size: number, claim: () => Promise<T>): Promise<T> {
  return await (size <= LARGE ? claim() : largeOrdersInTurn(keyOfTenant(tenant), claim));
}
