import { readFileSync } from 'node:fs';
import { evaluationBody, orderBody } from '@event-commerce/test-kit';
import { PROCESS_NAMES } from '../../deploy/local/platform.ts';
import { type Fault, finding } from './fault.ts';
import { CLAIM_TTL_MS, type Coupon, type TestBed, type TestCompany } from './test-bed.ts';
import { until } from './until.ts';

const CLAIMS = 3;
/** Released within this after they lapsed. */
const LATE_MAX_MS = 5_000;
const WAIT_MS = 30_000;

export const clockJumps: Fault = {
  id: '44',
  name: 'the clock jumps an hour ahead',
  expected: 'claims under way keep their time and lapse then; nobody is refused for it',
  async run(bed) {
    const company = await bed.newCompany();
    const coupons = await Promise.all(
      Array.from({ length: CLAIMS }, () => company.createCoupon({ maxRedemptions: 1 })),
    );
    const beganMs = performance.now();
    const { order } = await claimWithoutOrder(bed, company, coupons);
    const claimedAtMs = performance.now();

    const statuses = new Set<number>();
    const held = async () => {
      const { api } = company;
      const codes = coupons.map(({ code }) => code);
      const reply = await api.post('/v1/pricing/adjustments/evaluate', evaluationBody({ codes }));
      statuses.add(reply.status);
      return reply.body.data?.codes.filter(({ reason }: any) => reason === 'redemption-limit-reached').length;
    };
    await jump(bed, 'ahead');
    const jumpedAtMs = performance.now();
    let firstGoneAtMs: number | undefined;
    try {
      await until('the claims have lapsed', WAIT_MS, async () => {
        const now = await held();
        if (now !== CLAIMS) firstGoneAtMs ??= performance.now();
        return now === 0;
      });
    } finally {
      await jump(bed, 'right');
    }
    const allGoneAtMs = performance.now();
    await bed.link('commerce', 'mongo').set({ kind: 'pass' });
    const { status } = await order;
    const listed = await company.api.get('/v1/orders');
    statuses.add(listed.status);
    const heldMs = (firstGoneAtMs ?? allGoneAtMs) - beganMs;
    const wrong = [
      ...(heldMs >= CLAIM_TTL_MS ? [] : ['claims lapsed before their time']),
      ...(allGoneAtMs - claimedAtMs <= CLAIM_TTL_MS + LATE_MAX_MS ? [] : ['claims lapsed too late']),
      ...(status >= 500 && listed.body.data?.length === 0 ? [] : [`the order was answered ${status}`]),
      ...([...statuses].every((seenStatus) => seenStatus === 200)
        ? []
        : [`reads answered ${[...statuses].join(', ')}`]),
    ];
    const seen =
      `jumped ${seconds(jumpedAtMs - beganMs)} after ${CLAIMS} claims, which were held for ${seconds(heldMs)} ` +
      `(time to live ${seconds(CLAIM_TTL_MS)}) and gone after ${seconds(allGoneAtMs - beganMs)}`;
    return finding(seen, wrong);
  },
};

/** Claims for an order whose write does not reach the database. Resolves when they are made, with the order's answer to come. */
async function claimWithoutOrder(bed: TestBed, { api, companyId }: TestCompany, coupons: Coupon[]) {
  const [{ id } = { id: '' }] = coupons;
  // The first write of commerce that names an adjustment is the order with its claims.
  const writing = bed.link('commerce', 'mongo').holdAt(id, 'connection');
  const codes = coupons.map(({ code }) => code);
  const order = api.post('/v1/orders', orderBody(companyId, { coupons: codes })).catch(() => ({ status: 0 }));
  await Promise.race([writing, order]);
  // Not awaited here: it ends when the write does, or when the gateway has waited long enough.
  return { order };
}

/** An hour ahead, or right again: what `shift-clock.mjs` does at this signal. One machine has one clock: waits for the last process. */
async function jump(bed: TestBed, to: 'ahead' | 'right'): Promise<void> {
  for (const name of PROCESS_NAMES) bed.platform.kill(name, 'SIGWINCH');
  await until(`every clock is ${to}`, WAIT_MS, () =>
    PROCESS_NAMES.every((name) =>
      readFileSync(`/proc/${bed.platform.pidOf(name)}/cmdline`, 'utf8').startsWith(`clock ${to}`),
    ),
  );
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
