import { execFile } from 'node:child_process';
import path from 'node:path';
import { type ApiClient, apiClient } from '@event-commerce/test-kit';
import { afterAll, beforeAll, expect } from 'vitest';
import { ROOT_KEY, startEchoingGateway, type TestGateway } from '../gateway/test/gateway-fixture.ts';

const KEYS = path.join(import.meta.dirname, 'keys.ts');

interface Outcome {
  code: number;
  out: string;
  err: string;
}

/** `npm run keys` at a gateway of the test file. */
export function useKeys() {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startEchoingGateway();
  });
  afterAll(async () => gateway?.stop());

  /** Runs the command like `npm run keys -- ...args`; `env` adds to the gateway's address and the operator's key. */
  async function keys(args: string[], env: Record<string, string> = {}): Promise<Outcome> {
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    return await new Promise((resolve) => {
      execFile(
        process.execPath,
        [KEYS, ...args],
        { env: { PATH, NODE_COMPILE_CACHE, BASE_URL: gateway.url, ROOT_API_KEY: ROOT_KEY, ...env } },
        (error, out, err) => resolve({ code: Number(error?.code ?? 0), out, err }),
      );
    });
  }

  async function json(...args: string[]): Promise<any> {
    const { code, out, err } = await keys([...args, '--json']);
    expect([code, err]).toEqual([0, '']);
    return JSON.parse(out);
  }

  const as = (key: string): ApiClient => apiClient(gateway.url, { authorization: `Bearer ${key}` });
  const works = async (key: string): Promise<boolean> => (await as(key).get('/v1/coupons')).status === 200;
  return { keys, json, as, works, gateway: () => gateway };
}
