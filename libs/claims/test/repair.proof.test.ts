import { newId } from '@event-commerce/service-kit';
import { expect, test } from 'vitest';
import { type Change, countTransitions, noteTransitions } from '../src/changes.ts';
import type { Claim, Transition } from '../src/claim.ts';
import { compareCounters, type PoolCollections } from '../src/index.ts';
import { createLedger } from '../src/ledger.ts';
import { claimOn, hold, tickets, useTicketPools } from './ticket-pools.ts';

const { collections, countersOf, ledgerOf, processOn } = useTicketPools();

/** Calls `at` before each read and write by which counters are compared. */
const watched = ({ pools, ledger, ...of }: PoolCollections, at: (what: string) => Promise<void>) =>
  ({
    ...of,
    shares: undefined,
    pools: {
      find: pools.find.bind(pools),
      findOne: async (...args: Parameters<typeof pools.findOne>) => {
        await at('pool');
        return await pools.findOne(...args);
      },
      updateOne: async (...args: Parameters<typeof pools.updateOne>) => {
        await at('repair');
        return await pools.updateOne(...args);
      },
    },
    ledger: {
      find: (...args: Parameters<typeof ledger.find>) => ({
        toArray: async () => {
          await at('ledger');
          return await ledger.find(...args).toArray();
        },
      }),
    },
  }) as unknown as PoolCollections;

const PLACES = 5;
/** At which point of the last read each of the three steps is taken: 0 is before it, the last one after it. */
const schedules = Array.from({ length: PLACES ** 3 }, (_, n) => [
  Math.floor(n / PLACES ** 2),
  Math.floor(n / PLACES) % PLACES,
  n % PLACES,
]).filter(([a = 0, b = 0, c = 0]) => a <= b && b <= c);

test.each<Pick<Transition, 'from' | 'to'>>([
  { from: { status: 'confirmed', quantity: 2 }, to: { status: 'released', quantity: 2 } },
  { from: { status: 'held', quantity: 2 }, to: { status: 'released', quantity: 2 } },
  { from: { status: 'held', quantity: 2 }, to: { status: 'confirmed', quantity: 2 } },
  { from: { status: 'held', quantity: 2 }, to: { status: 'confirmed', quantity: 1 } },
  { from: { status: 'confirmed', quantity: 2 }, to: { status: 'confirmed', quantity: 1 } },
])(
  'a repair during the transition of a claim from $from to $to corrects the counters or leaves them, at any moment',
  async (step) => {
    const { pools, ledger: entries, poolField } = collections();
    const ledger = createLedger(entries, poolField);
    const make = async ({ poolId, where, update }: Change) => pools.updateOne({ ...where, _id: poolId }, update);
    const process = processOn();
    for (const schedule of schedules) {
      const id = newId('off');
      const claims: Claim[] = [];
      for (let n = 0; n < 3; n++) {
        const outcome = await hold(process, claimOn(id, { quantity: 2 }), tickets(id, 10));
        if (outcome.kind === 'held') claims.push(outcome.claim);
      }
      await Promise.all(
        claims.map((each) => process.followOrder(each, step.from.status === 'held' ? 'pending' : 'placed')),
      );
      await pools.updateOne({ _id: id }, { $inc: { claimed: 1, confirmed: 1 } });

      const [claim] = claims as [Claim];
      const transition: Transition = { by: 'x', ...step };
      const one = { poolId: id, claim, transition };
      const made = { ...one, isPending: false, first: step.from, entry: undefined };
      const steps = [
        async () => make(noteTransitions({ poolId: id, members: [one] })),
        async () => ledger.record(claim, transition),
        async () => make(countTransitions({ poolId: id, members: [made] })),
      ];
      let [reading, place] = [0, 0];
      const takeSteps = async () => {
        while (steps.length > 0 && (schedule[3 - steps.length] ?? 0) <= place) await steps.shift()?.();
      };
      const found = compareCounters(
        watched(collections(), async (what) => {
          if (what === 'pool') reading += 1;
          if (reading < 3) return;
          await takeSteps();
          place += 1;
        }),
        { repair: true },
      );
      const repaired = (await Array.fromAsync(found)).some((difference) => difference.repaired);
      place = PLACES;
      await takeSteps();
      const { claimed, confirmed } = await ledgerOf(id);
      const damage = repaired ? 0 : 1;
      expect([schedule, await countersOf(id)]).toEqual([
        schedule,
        { claimed: claimed + damage, confirmed: confirmed + damage, pending: 0, transitions: 0 },
      ]);
      await pools.deleteOne({ _id: id });
    }
  },
);
