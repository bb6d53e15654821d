import { createKeyBody, type Identity } from '@event-commerce/contracts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createIdentitySigner, createIdentityVerifier, generateIdentityKeys } from './identity.ts';

const HOUR_MS = 60 * 60 * 1000;
const who: Identity = { companyId: 'company-1', environment: 'live', keyId: 'key_1', scopes: ['*'] };
const { privateKey, publicKey } = generateIdentityKeys();

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('a company that can be given a key is accepted, however long its id', () => {
  const companyId = 'ü'.repeat(256);
  expect(createKeyBody.safeParse({ companyId, name: 'web shop', scopes: ['*'] }).success).toBe(true);
  const token = createIdentitySigner(privateKey)({ ...who, companyId }, ['pricing']);
  expect(createIdentityVerifier([publicKey], 'pricing')(token)).toMatchObject({ companyId });
});

test('a token is reused for a while, and then replaced', () => {
  const sign = createIdentitySigner(privateKey);
  const first = sign(who, ['pricing']);
  vi.setSystemTime(Date.now() + 39_000);
  expect(sign(who, ['pricing'])).toBe(first);
  vi.setSystemTime(Date.now() + 2_000);
  expect(sign(who, ['pricing'])).not.toBe(first);
});

test.each([HOUR_MS, -HOUR_MS])('a clock that is set by %i ms rejects nobody', (byMs) => {
  const sign = createIdentitySigner(privateKey);
  const verify = createIdentityVerifier([publicKey], 'pricing');
  expect(verify(sign(who, ['pricing']))).toMatchObject(who);
  vi.setSystemTime(Date.now() + byMs);
  expect(verify(sign(who, ['pricing']))).toMatchObject(who);
});

test.each([30_000, -30_000, 60_000, -HOUR_MS])(
  "a service whose clock is %i ms from the gateway's accepts a fresh token and a reused one",
  (offsetMs) => {
    const sign = createIdentitySigner(privateKey);
    const verify = createIdentityVerifier([publicKey], 'pricing');
    const signedAtMs = Date.now();
    for (const ageMs of [0, 39_000]) {
      vi.setSystemTime(signedAtMs + ageMs);
      const token = sign(who, ['pricing']);
      vi.setSystemTime(signedAtMs + ageMs + offsetMs);
      expect(verify(token)).toMatchObject(who);
    }
  },
);

test('a token is rejected once its lifetime and the tolerance are over', () => {
  const verify = createIdentityVerifier([publicKey], 'pricing');
  const token = createIdentitySigner(privateKey)(who, ['pricing']);
  expect(verify(token)).toMatchObject(who);
  vi.setSystemTime(Date.now() + 121_000);
  expect(() => verify(token)).toThrow(/only accepts requests that the platform signed/);
  expect(() => createIdentityVerifier([publicKey], 'pricing')(token)).toThrow(
    /only accepts requests that the platform signed/,
  );
});
