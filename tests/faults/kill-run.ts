import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { generateIdentityKeys } from '@event-commerce/service-kit';
import { adjustmentBody, apiClient } from '@event-commerce/test-kit';
import { type Infrastructure, startInfrastructure } from '../../deploy/local/infrastructure.ts';
import { type Platform, startPlatform } from '../../deploy/local/platform.ts';
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
import { until } from './until.ts';

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
  const folder = mkdtempSync(path.join(tmpdir(), 'event-commerce-kills-'));
  const infrastructure = await startInfrastructure({
    dataDir: path.join(folder, 'data'),
    env: { ...process.env, MONGO_URL: undefined, NATS_URL: undefined, REDIS_URL: undefined },
    progress: options.progress,
  });
  const prefix = `kill${randomUUID().slice(0, 8)}`;
  const rootApiKey = randomBytes(24).toString('base64url');
  let platform: Platform | undefined;
  try {
    platform = await startPlatform({
      ...infrastructure,
      identity: generateIdentityKeys(),
      rootApiKey,
      logDir: path.join(folder, 'logs'),
      env: {
        MONGO_DB_PREFIX: prefix,
        RATE_LIMIT_PER_SECOND: '1000000',
        RATE_LIMIT_BURST: '1000000',
        CLAIM_TTL_MS: String(CLAIM_TTL_MS),
        LOG_LEVEL: 'warn',
      },
    });
    const company = await newCompany(platform, rootApiKey);
    const stream = startOrders(
      company,
      (n) => [['CAPPED'], ['FREE'], ['SHARED'], ['FREE', 'SHARED'], []][n % 5] ?? [],
      (n) => n % 15 === 0,
    );
    const kills = await killRandomly(platform, infrastructure, options, stream);
    const answers = await stream.finish();
    return { kills, ...(await compare(infrastructure, prefix, company, answers)) };
  } finally {
    await platform?.stop();
    await infrastructure.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function newCompany(platform: Platform, rootApiKey: string): Promise<TestCompany> {
  const companyId = `company-${randomUUID()}`;
  const root = apiClient(platform.url, { authorization: `Bearer ${rootApiKey}` });
  const { status, body } = await root.post('/v1/admin/keys', { companyId, name: 'kill run', scopes: ['*'] });
  if (status !== 201) throw new Error(`no key was created: ${status} ${JSON.stringify(body)}`);
  const api = apiClient(platform.url, { authorization: `Bearer ${body.data.key}` });
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
