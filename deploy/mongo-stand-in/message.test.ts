import {
  deserialize,
  type Document,
  MaxKey,
  MinKey,
  BSONRegExp,
  Code,
  Decimal128,
  Long,
  ObjectId,
  Timestamp,
} from 'bson';
import { expect, test } from 'vitest';
import { encode, Fields, frameReply, MalformedMessageError, RequestReader } from './message.ts';

function message(body: Document, documents: readonly Document[] = [], flags = 0): Buffer {
  const sections = [Buffer.from([0]), encode(body)];
  if (documents.length > 0) {
    const sequence = Buffer.concat([Buffer.from('documents\0'), ...documents.map(encode)]);
    const size = Buffer.alloc(4);
    size.writeInt32LE(sequence.length + 4);
    sections.push(Buffer.from([1]), size, sequence);
  }
  if (flags & 1) sections.push(Buffer.alloc(4));
  const head = Buffer.alloc(20);
  head.writeInt32LE(20 + sections.reduce((bytes, section) => bytes + section.length, 0), 0);
  head.writeInt32LE(7, 4);
  head.writeInt32LE(2013, 12);
  head.writeUInt32LE(flags, 16);
  return Buffer.concat([head, ...sections]);
}

test('requests are found wherever the stream is cut', () => {
  const stream = Buffer.concat([
    message({ ping: 1 }),
    message({ insert: 'c' }, [{ a: 1 }, { a: 2 }]),
    message({ hello: 1 }),
  ]);
  for (let size = 1; size <= stream.length; size++) {
    const reader = new RequestReader();
    const requests = [];
    for (let at = 0; at < stream.length; at += size) requests.push(...reader.push(stream.subarray(at, at + size)));
    expect(requests.map((request) => new Fields(request.body).first)).toEqual(['ping', 'insert', 'hello']);
    expect(requests[1]?.sequence).toEqual(Buffer.concat([encode({ a: 1 }), encode({ a: 2 })]));
  }
});

test('a checksum is dropped, and a request without a reply is marked', () => {
  const [request] = new RequestReader().push(message({ insert: 'c' }, [{ a: 1 }], 1 | 2));
  expect(request).toMatchObject({ wantsReply: false, sequence: encode({ a: 1 }) });
});

test('bytes that are not a request end the stream', () => {
  const tooLong = message({ ping: 1 });
  tooLong.writeInt32LE(100_000_000, 0);
  expect(() => new RequestReader().push(tooLong)).toThrow(MalformedMessageError);
  const overflowing = message({ ping: 1 });
  overflowing.writeInt32LE(5000, 21);
  expect(() => new RequestReader().push(overflowing)).toThrow(MalformedMessageError);
});

test('fields are found behind values of every type', () => {
  const fields = new Fields(
    encode({
      find: 'zażółć',
      double: 1.5,
      nested: { a: [1] },
      list: [1, { b: 2 }],
      bytes: Buffer.from([1, 2]),
      id: new ObjectId(),
      yes: true,
      at: new Date(),
      nothing: null,
      pattern: new BSONRegExp('a.b', 'i'),
      code: new Code('x'),
      scoped: new Code('x', { y: 1 }),
      int: 5,
      stamp: new Timestamp({ t: 1, i: 2 }),
      long: Long.fromString('9007199254740993'),
      decimal: Decimal128.fromString('1.5'),
      min: new MinKey(),
      max: new MaxKey(),
      $db: 'last',
    }),
  );
  expect(fields.first).toBe('find');
  expect(fields.string('find')).toBe('zażółć');
  expect(fields.string('$db')).toBe('last');
  expect(fields.boolean('yes')).toBe(true);
  expect(['int', 'long', 'double', 'yes'].map((name) => fields.integer(name))).toEqual([
    5n,
    9007199254740993n,
    1n,
    undefined,
  ]);
  expect(fields.raw('nested')).toEqual(encode({ a: [1] }));
});

test('a reply names the request that it answers', () => {
  const [request] = new RequestReader().push(message({ ping: 1 }));
  if (request === undefined) throw new Error('no request was read');
  const frame = frameReply(request, encode({ ok: 1 }));
  expect(frame.readInt32LE(0)).toBe(frame.length);
  expect(frame.readInt32LE(8)).toBe(7);
  expect(deserialize(frame.subarray(21))).toEqual({ ok: 1 });
});
