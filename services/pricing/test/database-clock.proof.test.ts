import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import { adjustmentBody, evaluationBody, newCode } from '@event-commerce/test-kit';
import { expect, inject, test } from 'vitest';
import { startServices } from '../../../tests/harness/services.ts';
import { claim } from './purchases.ts';

/** The ways a command can make the database write or compare with its own time. */
const CLOCK = /\$currentDate|\$\$NOW|\$\$CLUSTER_TIME|\$where|Timestamp\(\)/g;

/** A proxy to the database that records uses of the database's clock. */
async function listenIn(mongoUrl: string) {
  const { hostname, port } = new URL(mongoUrl);
  const heard = new Set<string>();
  let bytes = 0;
  const sockets = new Set<Socket>();
  const server = net.createServer((client) => {
    const upstream = net.connect(Number(port), hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
    }
    client.on('data', (chunk) => {
      bytes += chunk.length;
      for (const [name] of chunk.toString('latin1').matchAll(CLOCK)) heard.add(name);
    });
    client.pipe(upstream).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(mongoUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  // Otherwise the driver would bypass the proxy and use the address that the server reports.
  url.pathname = '/';
  url.searchParams.set('directConnection', 'true');
  return {
    url: url.href,
    heard,
    bytes: () => bytes,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

test('the clock of the database decides nothing: no command uses it, whatever is created, changed, claimed and released', async () => {
  const way = await listenIn(inject('mongoUrl'));
  const env = () => ({ MONGO_URL: way.url });
  const services = await startServices({ replicas: { pricing: 2 }, claimTtlMs: 500, env });
  try {
    const company = services.newCompany();
    const code = newCode();
    const conditions = { code, maxRedemptions: 5, maxRedemptionsPerCustomer: 3 };
    const { body } = await company.pricing.post('/pricing/adjustments', adjustmentBody(code, { conditions }));
    const one = `/pricing/adjustments/${body.data.id}`;
    const redeemed = await company.pricing.post(`${one}/redemptions`, { orderId: 'o-1', customerId: 'c-1' });
    await company.pricing.replica(1).delete(`${one}/redemptions/${redeemed.body.data.redemption.id}`);
    await company.pricing.patch(one, { conditions: { maxRedemptionsPerCustomer: null } });
    await company.pricing.replica(1).post('/pricing/adjustments/evaluate', evaluationBody({ codes: [code] }));
    await claim(services, company, { codes: [code], customerId: 'c-1', orderId: 'o-2' });
    await company.pricing.replica(1).post(`${one}/redemptions`, { orderId: 'o-3' });
    await company.pricing.delete(one);
    expect(way.bytes()).toBeGreaterThan(10_000);
    expect([...way.heard]).toEqual([]);
  } finally {
    await services.stop();
    way.close();
  }
});
