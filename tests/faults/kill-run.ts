import { setTimeout as delay } from 'node:timers/promises';
import { until } from '@event-commerce/service-kit';
import { adjustmentBody } from '@event-commerce/test-kit';
import type { Infrastructure } from '../../deploy/local/infrastructure.ts';
import type { Platform } from '../../deploy/local/platform.ts';
import type { Company } from '../harness/companies.ts';
import { withOwnPlatform } from '../harness/own-platform.ts';
import {
  CAP,
  compare,
  type KillReport,
  SETTLE_TIMEOUT_MS,
  type TestCompany,
  type Victim,
  VICTIMS,
} from './kill-report.ts';
import { type OrderStream, startOrders } from './order-stream.ts';
import { seededRandom } from './seeded-random.ts';

const CLAIM_TTL_MS = 2_000;
const PER_CUSTOMER_CAP = 2;
const BETWEEN_KILLS_MS = 400;

/**
 * Kills the platform's processes and servers with SIGKILL at random moments, `kills` times, under a stream of orders
 * that redeem. Then waits until everything has settled, and compares what clients were told with what is stored. The
 * same seed kills the same victims in the same order.
 */
export async function killRun(options: {
  kills: number;
  seed: number;
  progress: (line: string) => void;
}): Promise<KillReport> {
  const { progress } = options;
  const env = {
    RATE_LIMIT_PER_SECOND: '1000000',
    RATE_LIMIT_BURST: '1000000',
    CLAIM_TTL_MS: String(CLAIM_TTL_MS),
    LOG_LEVEL: 'warn',
  };
  return await withOwnPlatform({ name: 'kill', progress, env }, async (own) => {
    const { infrastructure, prefix, replicas } = own;
    const company = await withAdjustments(await own.newCompany());
    const stream = startOrders(
      company,
      (n) => [['CAPPED'], ['FREE'], ['SHARED'], ['FREE', 'SHARED'], []][n % 5] ?? [],
      (n) => (n % 15 === 0 || n % 7 === 3 ? 'cancelled' : n % 4 === 1 ? 'confirmed' : 'placed'),
    );
    const kills = await killRandomly(replicas[0], infrastructure, options, stream);
    const answers = await stream.finish();
    return { kills, ...(await compare(infrastructure, prefix, company, answers)) };
  });
}

async function withAdjustments({ companyId, api }: Company): Promise<TestCompany> {
  const create = async (code: string, conditions: { maxRedemptions?: number; maxRedemptionsPerCustomer?: number }) => {
    const created = await api.post(
      '/v1/pricing/adjustments',
      adjustmentBody(code, { conditions: { code, ...conditions } }),
    );
    const { maxRedemptions, maxRedemptionsPerCustomer } = conditions;
    return {
      id: created.body.data.id as string,
      code,
      ...(maxRedemptions === undefined ? {} : { cap: maxRedemptions }),
      ...(maxRedemptionsPerCustomer === undefined ? {} : { perCustomer: maxRedemptionsPerCustomer }),
    };
  };
  return {
    companyId,
    api,
    adjustments: [
      await create('CAPPED', { maxRedemptions: CAP }),
      await create('FREE', {}),
      await create('SHARED', { maxRedemptionsPerCustomer: PER_CUSTOMER_CAP }),
    ],
  };
}

async function killRandomly(
  platform: Platform,
  infrastructure: Infrastructure,
  options: { kills: number; seed: number; progress: (line: string) => void },
  stream: OrderStream,
): Promise<Record<Victim, number>> {
  const random = seededRandom(options.seed);
  const kills: Record<Victim, number> = { pricing: 0, commerce: 0, gateway: 0, nats: 0, mongo: 0 };
  for (let n = 1; n <= options.kills; n++) {
    const victim = VICTIMS[Math.floor(random() * VICTIMS.length)] as Victim;
    const placedBefore = stream.placed();
    await Promise.race([delay(random() * BETWEEN_KILLS_MS), stream.failed]);
    kills[victim] += 1;
    if (victim === 'nats' || victim === 'mongo') {
      await infrastructure.servers[victim].kill9();
      await infrastructure.servers[victim].restart();
    } else {
      platform.kill(victim, 'SIGKILL');
    }
    // The next kill must meet orders in flight, not a platform that has not recovered yet.
    await Promise.race([
      until('orders are placed again', SETTLE_TIMEOUT_MS, () => stream.placed() > placedBefore + stream.workers),
      stream.failed,
    ]);
    options.progress(`kill ${n} of ${options.kills}: ${victim}; ${stream.placed()} orders placed so far`);
  }
  return kills;
}
