import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { newSecret, signedHeaders } from './signature.ts';

const body = JSON.stringify({ id: 'e1', name: 'Zoë 🎟' });
const sign = (secrets: string[], sentAt = new Date()) => signedHeaders(secrets, { id: 'e1', sentAt, body });

test('the library of Standard Webhooks accepts a message with the secret that signed it', () => {
  for (let n = 0; n < 20; n++) {
    const secret = newSecret();
    expect(new Webhook(secret).verify(body, sign([secret]))).toEqual(JSON.parse(body));
  }
});

test('each valid secret signs, and no other is accepted', () => {
  const secrets = [newSecret(), newSecret(), newSecret()];
  const headers = sign(secrets);
  expect(headers['webhook-signature']?.split(' ')).toHaveLength(3);
  for (const secret of secrets) expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  expect(() => new Webhook(newSecret()).verify(body, headers)).toThrow('signature');
});

test('another body, id, time or signature is not accepted', () => {
  const secret = newSecret();
  const headers = sign([secret]);
  const webhook = new Webhook(secret);
  expect(() => webhook.verify(body.replace('e1', 'e2'), headers)).toThrow('signature');
  expect(() => webhook.verify(body, { ...headers, 'webhook-id': 'e2' })).toThrow('signature');
  const later = String(Number(headers['webhook-timestamp']) + 1);
  expect(() => webhook.verify(body, { ...headers, 'webhook-timestamp': later })).toThrow('signature');
  expect(() => webhook.verify(body, { ...headers, 'webhook-signature': 'v1,AAAA' })).toThrow('signature');
});

test('the time is that of the attempt: the library refuses what was signed long ago', () => {
  const secret = newSecret();
  const old = sign([secret], new Date(Date.now() - 10 * 60_000));
  expect(() => new Webhook(secret).verify(body, old)).toThrow('too old');
});

test('a secret has 32 random bytes', () => {
  const secrets = Array.from({ length: 100 }, newSecret);
  expect(new Set(secrets).size).toBe(100);
  for (const secret of secrets) expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32);
});
