import { behindLargeOrders, keyOfTenant, type Tenant } from '@event-commerce/contracts';
import { keyedMutex } from '@event-commerce/service-kit';

/** More items, or more codes, than an order of a usual sale has. */
const LARGE = 40;
/**
 * How long a large order waits for its turn, milliseconds: short enough that the client still waits after pricing and
 * events took their time.
 */
const WAITS_MAX_MS = 3_000;

const largeOrdersInTurn = keyedMutex({ waitsMaxMs: WAITS_MAX_MS, tooLate: behindLargeOrders });

/**
 * Claims what an order requests with `claim`; a large order waits for the company's other large ones. Many of them at
 * once would be so slow, and delay others so much, that none would end in time and all would release what they had
 * claimed. `size`: how many items or codes it has, whichever is more.
 *
 * @throws {PlatformError} SERVICE_UNAVAILABLE if its turn does not come in time: nothing was claimed
 */
export async function inTurnIfLarge<T>(tenant: Tenant, size: number, claim: () => Promise<T>): Promise<T> {
  return await (size <= LARGE ? claim() : largeOrdersInTurn(keyOfTenant(tenant), claim));
}
