import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FAULTS, runFault } from './faults.ts';
import { startTestBed, type TestBed } from './test-bed.ts';

// The faults of `npm run faults` in their short form. PROOFS=full includes those that other proofs cause too:
const ELSEWHERE = new Set([
  // A service that fails, or Redis that is away: the proofs of the gateway.
  '35',
  '36',
  '37',
  '38',
  // A response larger than one message: libs/bus/test/large-replies.
  '49',
  // The clock of the database jumps: services/pricing/test/database-clock.
  '52',
  // The gateway is killed: tests/acceptance/killed-processes.
  '54',
  // Commerce is killed while it places an order: services/commerce/test/held-orders.
  '55',
  // Like a kill after the commit: the stored state is the same. It takes a redelivery at the usual time.
  'a handler is killed before it acknowledges',
  // The same redelivery as after a kill behind the commit.
  'a handler is slower than the ack wait',
  // Like a broker that stores nothing.
  "the broker's disk is full",
]);
const faults = FAULTS.filter(
  ({ id, name }) => process.env['PROOFS'] === 'full' || !(ELSEWHERE.has(id) || ELSEWHERE.has(name)),
);

let logDir: string;
let bed: TestBed;

beforeAll(async () => {
  logDir = mkdtempSync(path.join(tmpdir(), 'event-commerce-fault-logs-'));
  bed = await startTestBed({ seed: Date.now(), logDir, progress: () => {} });
}, 120_000);
afterAll(async () => {
  await bed?.stop();
  rmSync(logDir, { recursive: true, force: true });
});

test.for(faults)('when $name: $expected', { timeout: 120_000 }, async (fault, context) => {
  const finding = await runFault(bed, fault, 'short');
  if ('skipped' in finding) context.skip(finding.skipped);
  else expect(finding.ok ? 'as expected' : finding.seen).toBe('as expected');
});
