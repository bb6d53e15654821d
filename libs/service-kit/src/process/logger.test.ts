import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { createLogger } from './logger.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A log at `level`, and what was written to it so far. */
function memoryLog(level = 'info') {
  const text: string[] = [];
  const logger = createLogger({ service: 'test', level, destination: { write: (line) => void text.push(line) } });
  const lines = () => text.map((line) => JSON.parse(line) as Record<string, unknown>);
  return { logger, lines };
}

const away = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

it('logs an outage once a second with its stack, and then how often it was repeated', () => {
  const { logger, lines } = memoryLog();
  for (let n = 0; n < 1_000; n++) {
    const request = logger.child({ requestId: `req_${n}` });
    request.error({ err: away(), code: 'SERVICE_UNAVAILABLE' }, 'The pricing service is not available.');
  }
  expect(lines()).toHaveLength(1);
  expect(lines()[0]).toMatchObject({ requestId: 'req_0', err: { stack: expect.stringContaining('at ') as string } });
  vi.advanceTimersByTime(1_000);
  expect(lines()).toHaveLength(2);
  expect(lines()[1]).toMatchObject({
    level: 50,
    repeated: 999,
    code: 'SERVICE_UNAVAILABLE',
    msg: 'The pricing service is not available.',
  });
  expect(lines()[1]).not.toHaveProperty('requestId');
  vi.advanceTimersByTime(1_000);
  expect(lines()).toHaveLength(2);
});

it('does the same for an error that is the first argument, as libraries log it', () => {
  const { logger, lines } = memoryLog();
  for (let n = 0; n < 5; n++) logger.warn(away(), 'response errored');
  vi.advanceTimersByTime(1_000);
  expect(lines()).toEqual([
    expect.objectContaining({ err: expect.objectContaining({ code: 'ECONNREFUSED' }) as unknown }),
    expect.objectContaining({ repeated: 4, msg: 'response errored' }),
  ]);
});

it('counts each kind separately: by message, and by error', () => {
  const { logger, lines } = memoryLog();
  for (let n = 0; n < 5; n++) {
    logger.warn({ err: away() }, 'the sweep failed');
    logger.warn({ err: new TypeError('not that') }, 'the sweep failed');
    logger.warn({ err: away() }, 'an event could not be published');
  }
  expect(lines()).toHaveLength(3);
  vi.advanceTimersByTime(1_000);
  expect(lines().slice(3)).toEqual(Array(3).fill(expect.objectContaining({ repeated: 4 })));
});

it('logs each of ten defects a second, with the request that met it', () => {
  const { logger, lines } = memoryLog();
  for (let n = 0; n < 25; n++) {
    logger.error({ err: new TypeError('x is not a function'), code: 'INTERNAL_ERROR', requestId: `req_${n}` }, 'Oh.');
  }
  expect(lines().map(({ requestId }) => requestId)).toEqual(Array.from({ length: 10 }, (_, n) => `req_${n}`));
  vi.advanceTimersByTime(1_000);
  expect(lines().at(-1)).toMatchObject({ repeated: 15, errorType: 'TypeError' });
});

it('never suppresses lines without an error, nor the last lines of a process', () => {
  const { logger, lines } = memoryLog('debug');
  for (let n = 0; n < 50; n++) {
    logger.info({ n }, 'answered');
    logger.warn('the broker is not reachable; reconnecting');
    logger.debug({ err: away() }, 'read again later');
    logger.fatal({ err: away() }, 'could not start');
  }
  expect(lines()).toHaveLength(200);
});

it('remembers a bounded number of kinds, whatever the messages', () => {
  const { logger, lines } = memoryLog();
  for (let n = 0; n < 1_000; n++) logger.warn({ err: away() }, `failed on ${n}`);
  const written = lines().length;
  expect(written).toBeLessThanOrEqual(201);
  vi.advanceTimersByTime(1_000);
  expect(lines()[written]).toMatchObject({ repeated: 1_000 - written });
});

it.each([
  ['an error is written before anything can go wrong', "logger.error('two'); process.kill(process.pid, 'SIGKILL')"],
  ['everything is written before the process exits', "logger.info('two'); process.exit()"],
])('%s, with all lines before it', (_guarantee, end) => {
  const module = new URL('logger.ts', import.meta.url).href;
  const code = `const { createLogger } = await import('${module}'); const logger = createLogger({ service: 'x', level: 'info' }); logger.info('one'); ${end}`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], { encoding: 'utf8' });
  const lines = stdout.trimEnd().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(['one', 'two']);
});

it.each(['info', 'fatal'])('a process whose output is no longer read exits after a line at %s', async (level) => {
  const module = new URL('logger.ts', import.meta.url).href;
  const code = `const { createLogger } = await import('${module}'); const logger = createLogger({ service: 'x', level: 'info' }); process.stdin.once('data', () => { logger.${level}('line'); process.exit(7); }); process.stderr.write('ready');`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], { stdio: ['pipe', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stderr, 'data');
  child.stdout.destroy();
  await once(child.stdout, 'close');
  child.stdin.write('go');
  expect(await once(child, 'exit')).toEqual([7, null]);
});
