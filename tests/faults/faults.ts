import { busFaults } from './bus-faults.ts';
import { clockFaults } from './clock-faults.ts';
import { databaseFaults, fullDisks } from './database-faults.ts';
import { databaseHangs } from './database-hangs.ts';
import type { Fault, Finding, Form } from './fault.ts';
import { handlerFaults } from './handler-faults.ts';
import { requestFaults } from './request-faults.ts';
import { slowNetwork } from './slow-network.ts';
import { storeFaults } from './store-faults.ts';
import type { TestBed } from './test-bed.ts';
import { ticketFaults } from './ticket-faults.ts';
import { upstreamFaults } from './upstream-faults.ts';

/** Everything that goes wrong in a fault run, in order. */
export const FAULTS: readonly Fault[] = [
  ...upstreamFaults,
  ...storeFaults,
  ...handlerFaults,
  ...ticketFaults,
  ...databaseFaults,
  databaseHangs,
  ...busFaults,
  ...requestFaults,
  ...clockFaults,
  slowNetwork,
  ...fullDisks,
];

/** Causes one fault, and heals the bed. A thrown error, or a bed that does not heal, is not as expected. */
export async function runFault(bed: TestBed, fault: Fault, form: Form): Promise<Finding> {
  let finding: Finding;
  try {
    finding = await fault.run(bed, form);
  } catch (error) {
    finding = { seen: (error as Error).message, ok: false };
  }
  try {
    await bed.heal();
    return finding;
  } catch (error) {
    const seen = 'seen' in finding ? finding.seen : finding.skipped;
    return { seen: `${seen}; not healthy afterwards: ${(error as Error).message}`, ok: false };
  }
}
