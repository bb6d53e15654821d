import { connectBus } from '@event-commerce/bus';
import { createLogger } from '@event-commerce/service-kit';
import { expect, onTestFinished, test } from 'vitest';
import { natsUrlOfThisFile } from '@event-commerce/test-kit/nats-url';
import { publishRaw } from './raw-nats.ts';

test.each(['a b: c', 'x: a\nb', ': x'])('a reply with the header %j closes no connection', async (headers) => {
  const url = natsUrlOfThisFile();
  const bus = await connectBus({ url, name: 'hostile', logger: createLogger({ service: 'test', level: 'silent' }) });
  onTestFinished(() => bus.close());
  bus.nats.subscribe('hostile.reply', {
    callback: (_error, { reply = '' }) => void publishRaw(url, [{ subject: reply, headers, body: '' }]),
  });
  const answer = await bus.nats.request('hostile.reply', '', { timeout: 2_000 });
  expect(answer.string()).toBe('');
  await bus.check();
});
