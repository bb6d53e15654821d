import { jetstreamManager } from '@nats-io/jetstream';
import { pino } from 'pino';
import { expect, inject, onTestFinished, test } from 'vitest';
import { reportRisks } from '@event-commerce/telemetry';
import { natsUrlOfThisFile } from '@event-commerce/test-kit/nats-url';
import { urlAsProcess } from '../../deploy/local/users.ts';
import { connectBus, DEAD_LETTER_STREAM, ensureStreams, EVENT_STREAM } from '../../libs/bus/src/index.ts';

/** A broker that the environment named has its own users, if any. */
const OUR_BROKER = inject('natsUrls').length > 1;

test.runIf(OUR_BROKER)(
  'a process starts on streams that it may not change, and says what they lack and what could be lost',
  async () => {
    const lines: { level: number; stream?: string; changes?: object; risk?: string }[] = [];
    const logger = pino({ level: 'warn' }, { write: (line) => void lines.push(JSON.parse(line)) });
    const operator = await connectBus({ url: natsUrlOfThisFile(), name: 'operator', logger });
    onTestFinished(async () => operator.close());
    const { streams } = await jetstreamManager(operator.nats);
    await streams.add({ name: EVENT_STREAM, subjects: ['operator.>'] });
    await streams.add({ name: DEAD_LETTER_STREAM, subjects: ['dead-letter.>'] });

    const pricing = await connectBus({ url: urlAsProcess(natsUrlOfThisFile(), 'pricing'), name: 'pricing', logger });
    onTestFinished(async () => pricing.close());
    // A risk is logged when it is found, not again in the same process: another test may have found it before.
    reportRisks(logger, 'nats', []);
    await ensureStreams(pricing, 3);
    expect(lines.filter(({ stream, risk }) => stream !== undefined || risk !== undefined)).toMatchObject([
      { level: 40, stream: EVENT_STREAM, changes: { subjects: ['operator.>', 'domain.>'], num_replicas: 3 } },
      { level: 40, stream: DEAD_LETTER_STREAM, changes: { num_replicas: 3 } },
      { level: 40, store: 'nats', risk: 'stream-copies' },
    ]);
    expect((await streams.info(EVENT_STREAM)).config.num_replicas).toBe(1);
  },
);
