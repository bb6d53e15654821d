import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { testIdentity } from '@event-commerce/test-kit';
import { natsUrlOfThisFile } from '@event-commerce/test-kit/nats-url';
import { describe, expect, inject, test } from 'vitest';
import { urlAsProcess } from '../../deploy/local/users.ts';
import { settingsOf } from '../harness/services.ts';

/** A broker that the environment named has its own users, if any. */
const OUR_BROKER = inject('natsUrls').length > 1;
const ENDS_WITHIN_MS = 20_000;

describe.runIf(OUR_BROKER)('a process that the broker does not let subscribe', () => {
  test('exits, because nothing would subscribe again', async () => {
    const { code, output } = await outcomeOf(
      `
      import { BROADCAST, connectBus, onBroadcast } from ${moduleUrl('libs/bus/src/index.ts')};
      const logger = { warn() {}, info() {}, error() {} };
      const bus = await connectBus({ url: process.env.NATS_URL, name: 'cart', logger });
      onBroadcast(bus, BROADCAST.apiKeyChanged, () => {});`,
      { NATS_URL: urlAsProcess(natsUrlOfThisFile(), 'cart') },
    );
    expect(output).toContain('the broker does not let this process subscribe to broadcast.gateway.api-key-changed');
    expect(code).toBe(1);
  });

  test('does not start to serve, so that a rollout stops', async () => {
    const { code, output } = await outcomeOf(
      `
      import { runService } from ${moduleUrl('libs/service-kit/src/index.ts')};
      import { events } from ${moduleUrl('services/events/src/service.ts')};
      const assemble = async (base) => {
        const parts = await events.assemble(base);
        // Only pricing may serve it.
        return { ...parts, answers: { ...parts.answers, evaluate: async () => ({}) } };
      };
      await runService({ ...events, assemble });`,
      {
        ...settingsOf('events', { natsUrl: natsUrlOfThisFile(), prefix: `t${randomUUID().slice(0, 8)}` }),
        ...testIdentity().keysOf('events'),
        PORT: '0',
        LOG_LEVEL: 'info',
      },
    );
    expect(output).toContain('"msg":"could not start"');
    expect(output).toContain('the broker does not let this process subscribe to rpc.pricing.evaluate');
    expect(output).not.toContain('"msg":"serving"');
    expect(code).toBe(1);
  });
});

function moduleUrl(file: string): string {
  return JSON.stringify(new URL(`../../${file}`, import.meta.url).href);
}

/** How a process that runs `script` ends, and what it prints until then. */
async function outcomeOf(script: string, env: Record<string, string>) {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    env: { ...process.env, ...env },
    cwd: import.meta.dirname,
    timeout: ENDS_WITHIN_MS,
  });
  const [[code], said, complained] = await Promise.all([
    once(child, 'exit'),
    child.stdout.toArray(),
    child.stderr.toArray(),
  ]);
  return { code, output: `${said.join('')}${complained.join('')}` };
}
