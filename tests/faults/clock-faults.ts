import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { until } from '@event-commerce/service-kit';
import { type ApiClient, evaluationBody, orderBody } from '@event-commerce/test-kit';
import { PROCESS_NAMES } from '../../deploy/local/platform.ts';
import { type Fault, finding, type Form, seconds } from './fault.ts';
import { judgeOrders } from './judge-orders.ts';
import { startOrders } from './order-stream.ts';
import { CLAIM_TTL_MS, type Coupon, type TestBed, type TestCompany } from './test-bed.ts';

const CLAIMS = 3;
/** Claims must be released within this time after they lapsed. */
const LATE_MAX_MS = 5_000;
const WAIT_MS = 30_000;

const clockJumps: Fault = {
  id: '44',
  name: 'the clock jumps an hour ahead',
  expected: 'pending claims keep their full time and then lapse; no request is refused for it',
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
    // Commerce found the order void. It places it again, with new claims, unless its time is up. Both are right; half an
    // order is not.
    let placed = 0;
    const agreed = await until('the order has all of its codes, or there is no order', WAIT_MS, async () => {
      const listed = await company.api.get('/v1/orders');
      statuses.add(listed.status);
      placed = listed.body.data.length;
      return (await held()) === placed * CLAIMS;
    }).catch(() => undefined);
    const heldMs = (firstGoneAtMs ?? allGoneAtMs) - beganMs;
    const wrong = [
      ...(heldMs >= CLAIM_TTL_MS ? [] : ['claims lapsed before their time']),
      ...(allGoneAtMs - claimedAtMs <= CLAIM_TTL_MS + LATE_MAX_MS ? [] : ['claims lapsed too late']),
      ...(agreed === undefined ? [`${placed} orders exist without their codes`] : []),
      ...(status >= 500 || (status === 201 && placed === 1) ? [] : [`the order returned ${status}; ${placed} stand`]),
      ...([...statuses].every((seenStatus) => seenStatus === 200)
        ? []
        : [`reads returned ${[...statuses].join(', ')}`]),
    ];
    const seen =
      `jumped ${seconds(jumpedAtMs - beganMs)} after ${CLAIMS} claims, which were held for ${seconds(heldMs)} ` +
      `(time to live ${seconds(CLAIM_TTL_MS)}) and gone after ${seconds(allGoneAtMs - beganMs)}; the order returned ${status}`;
    return finding(seen, wrong);
  },
};

const HOUR_MS = 60 * 60 * 1000;
const ROUNDS: Record<Form, number> = { short: 5, usual: 25, long: 100 };
const COPIES = 4;

const databaseClockJumps: Fault = {
  id: '52',
  name: 'the clock of the database jumps an hour back, and two ahead',
  expected:
    'an acknowledged change is in effect for the next request; a request with an Idempotency-Key takes effect once',
  async run(bed, form) {
    const { setDatabaseClock } = bed;
    if (typeof setDatabaseClock === 'string') return { skipped: setDatabaseClock };
    const company = await bed.newCompany();
    const coupon = await company.createCoupon();
    const orders = startOrders(company, () => [coupon.code]);
    const wrong = new Set<string>();
    let rounds = 0;
    for (const offMs of [-HOUR_MS, HOUR_MS, 0]) {
      const copies = sendCopies(company.api);
      await setDatabaseClock(offMs);
      const made = [...(await copies), ...(await sendCopies(company.api))];
      for (const problem of made) wrong.add(problem);
      for (let round = 0; round < ROUNDS[form]; round++, rounds++) {
        if (!(await holdsAtOnce(company))) wrong.add('an acknowledged change was not in effect');
      }
    }
    const answers = await orders.finish();
    for (const problem of await judgeOrders(bed, company, [coupon], answers)) wrong.add(problem);
    return finding(`changes: ${rounds}, orders: ${answers.placed.size}`, [...wrong]);
  },
};

/** Sends a request several times at once, until each copy has its final response. Returns what is wrong, in words. */
async function sendCopies(api: ApiClient): Promise<string[]> {
  const name = `Event ${randomUUID()}`;
  const headers = { 'idempotency-key': randomUUID() };
  const ids = await Promise.all(
    Array.from({ length: COPIES }, async () => {
      let id: string | undefined;
      await until('a copy has its response', WAIT_MS, async () => {
        const { status, body } = await api.post('/v1/events', { name }, headers);
        if (status === 201) id = body.data.id;
        return status === 201;
      });
      return id;
    }),
  );
  const { body } = await api.get(`/v1/events?q=${encodeURIComponent(name)}`);
  return [
    ...(new Set(ids).size === 1 ? [] : ['copies of a request got different responses']),
    ...(body.data.length === 1 ? [] : [`a request took effect ${body.data.length} times`]),
  ];
}

/** Whether an adjustment applies as soon as it is created, and no longer as soon as it is paused. */
async function holdsAtOnce({ api, createCoupon }: TestCompany): Promise<boolean> {
  const { id, code } = await createCoupon();
  const applies = async () => {
    const { body } = await api.post('/v1/pricing/adjustments/evaluate', evaluationBody({ codes: [code] }));
    return body.data.codes[0].status === 'applied';
  };
  if (!(await applies())) return false;
  await api.patch(`/v1/pricing/adjustments/${id}`, { status: 'paused' });
  return !(await applies());
}

export const clockFaults: readonly Fault[] = [clockJumps, databaseClockJumps];

/**
 * Creates claims for an order whose write does not reach the database. Resolves once they exist, with the order's
 * future response.
 */
async function claimWithoutOrder(bed: TestBed, { api, companyId }: TestCompany, coupons: Coupon[]) {
  const [{ id } = { id: '' }] = coupons;
  // Commerce's first write that names an adjustment is the order with its claims.
  const writing = bed.link('commerce', 'mongo').holdAt(id, 'connection');
  const codes = coupons.map(({ code }) => code);
  const order = api.post('/v1/orders', orderBody(companyId, { coupons: codes })).catch(() => ({ status: 0 }));
  await Promise.race([writing, order]);
  // Not awaited: it ends when the write does, or when the gateway has waited long enough.
  return { order };
}

/**
 * Sets every clock an hour ahead, or right again: `shift-clock.mjs` shifts the clock at this signal. Waits for all processes: one
 * machine has one clock.
 */
async function jump(bed: TestBed, to: 'ahead' | 'right'): Promise<void> {
  for (const name of PROCESS_NAMES) bed.platform.kill(name, 'SIGWINCH');
  await until(`every clock is ${to}`, WAIT_MS, () =>
    PROCESS_NAMES.every((name) =>
      readFileSync(`/proc/${bed.platform.pidOf(name)}/cmdline`, 'utf8').startsWith(`clock ${to}`),
    ),
  );
}
