import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FAULTS, runFault } from './faults.ts';
import { startTestBed, type TestBed } from './test-bed.ts';

// The faults of `npm run faults` in their short form, without those that other tests of the gateway alone cause: a service
// that fails (35 to 37), Redis that is away (38), and a gateway that is killed (54).
const ELSEWHERE = new Set(['35', '36', '37', '38', '54']);

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

test.for(FAULTS.filter(({ id }) => !ELSEWHERE.has(id)))(
  'when $name: $expected',
  { timeout: 120_000 },
  async (fault, context) => {
    const finding = await runFault(bed, fault, 'short');
    if ('skipped' in finding) context.skip(finding.skipped);
    else expect(finding.ok ? 'as expected' : finding.seen).toBe('as expected');
  },
);
