import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { reportTraces } from './report-traces.ts';
import { openSpan, SpanKind } from './spans.ts';

test('a collector that refuses the last spans causes a warning, not a failure', async () => {
  const collector = createServer((_, response) => response.writeHead(401).end()).listen(0, '127.0.0.1');
  onTestFinished(() => void collector.close());
  await once(collector, 'listening');
  const { port } = collector.address() as AddressInfo;
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', `http://127.0.0.1:${port}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const warn = vi.fn<(message: string) => void>();
  const stop = reportTraces(
    { service: 'test', version: '1.2.3' },
    { sampler: undefined, samplerArg: undefined, sendEveryMs: undefined },
    warn,
  );
  openSpan({ name: 'last', kind: SpanKind.INTERNAL, attributes: {} }).end();
  await stop();
  expect(warn).toHaveBeenCalledWith(expect.stringContaining('Unauthorized'));
});
