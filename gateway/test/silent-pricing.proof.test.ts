import { connectBus } from '@event-commerce/bus';
import { RPC } from '@event-commerce/contracts';
import { expect, test } from 'vitest';
import { logger, natsUrlOfGateways, startTestGateway } from './gateway-fixture.ts';

test('an evaluation is 504 when no reply arrives', async () => {
  const bus = await connectBus({ url: natsUrlOfGateways(), name: 'silent-pricing-test', logger });
  const gateway = await startTestGateway({});
  try {
    // Like a process that hangs.
    bus.nats.subscribe(RPC.evaluate.subject, { callback: () => {} });
    await bus.nats.flush();
    const reply = await (await gateway.client('*')).post('/v1/pricing/adjustments/evaluate', {});
    expect([reply.status, reply.body.error.code]).toEqual([504, 'UPSTREAM_TIMEOUT']);
  } finally {
    await gateway.stop();
    await bus.close();
  }
});
