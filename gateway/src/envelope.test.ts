import { PlatformError } from '@event-commerce/contracts';
import { describe, expect, it } from 'vitest';
import { canBeWrapped, errorEnvelope, wrap } from './envelope.ts';

const bytes = (value: unknown) => Buffer.from(JSON.stringify(value));
const read = (text: string | Buffer) => JSON.parse(String(text));

describe('the envelope', () => {
  it("goes in front of a service's response", () => {
    const answer = { data: [{ name: 'Grüße {"' }], page: { next: null, limit: 1 } };
    expect(read(wrap(bytes(answer), 'status', 200))).toEqual({ status: 'ok', ...answer });
  });

  it('says ok:true for a created or replayed order', () => {
    expect(read(wrap(bytes({ data: 1 }), 'order-created', 201))).toEqual({ ok: true, data: 1 });
    expect(read(wrap(bytes({ data: 1 }), 'order-created', 200))).toEqual({ ok: true, data: 1 });
  });

  it('says error for an error, and ok:false too for an order', () => {
    const refusal = { message: 'no', error: { code: 'NOT_FOUND', message: 'no' } };
    expect(read(wrap(bytes(refusal), 'status', 404))).toEqual({ status: 'error', ...refusal });
    expect(read(wrap(bytes(refusal), 'order-created', 409))).toEqual({ status: 'error', ok: false, ...refusal });
  });

  it.each(['', '{', '{}', '[]', 'null', '<html>', '{ }', '{1'])('is not written in front of %j', (body) => {
    expect(canBeWrapped(Buffer.from(body))).toBe(false);
  });

  it('is written in front of an object with any white space', () => {
    expect(canBeWrapped(Buffer.from('{ \n "data": 1 }'))).toBe(true);
  });

  it('gives an error of the gateway the same form', () => {
    const error = new PlatformError('FORBIDDEN', 'no', { details: [{ path: 'a', message: 'b' }] });
    const inner = { code: 'FORBIDDEN', message: 'no', requestId: 'r', details: [{ path: 'a', message: 'b' }] };
    expect(errorEnvelope(error, 'status', 'r')).toEqual({ status: 'error', message: 'no', error: inner });
    expect(errorEnvelope(error, 'order-created', 'r')).toMatchObject({ status: 'error', ok: false });
  });
});
