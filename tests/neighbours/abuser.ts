import { apiClient } from '@event-commerce/test-kit';
import type { Abuser } from './abuse.ts';
import { abuses } from './abuses.ts';

/** Tells the process of the abusing company which abuse to run, and with what. It sends `ready` once it is prepared. */
export interface AbuserOrder {
  name: string;
  companyId: string;
  url: string;
  key: string;
  setupKey: string;
}

// A separate process, so that the abuser's work delays no measurement of the neighbour.
process.once('message', (order: AbuserOrder) => void abuse(order));
process.once('disconnect', () => process.exit());

async function abuse({ name, companyId, url, key, setupKey }: AbuserOrder): Promise<void> {
  const { prepare, act, clients } = abuses.find((each) => each.name === name)!;
  const client = (bearer: string) => apiClient(url, { authorization: `Bearer ${bearer}` });
  const port = Number(new URL(url).port);
  const abuser: Abuser = { companyId, api: client(key), setup: client(setupKey), key, port };
  await prepare?.(abuser);
  process.send?.('ready');

  const statuses: Record<number, number> = {};
  let running = true;
  let n = 0;
  process.once('message', () => (running = false));
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (running) {
        const answer = await act(abuser, n++).catch(() => 0);
        statuses[answer] = (statuses[answer] ?? 0) + 1;
      }
    }),
  );
  process.send?.(statuses, () => process.disconnect?.());
}
