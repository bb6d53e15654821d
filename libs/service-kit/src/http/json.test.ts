import { errorBody, PlatformError } from '@event-commerce/contracts';
import { describe, expect, it } from 'vitest';
import { parseJson } from './json.ts';

function refusalOf(text: string | Uint8Array): PlatformError {
  try {
    parseJson(Buffer.from(text), { arrayLengthMax: 500 });
  } catch (error) {
    if (error instanceof PlatformError) return error;
    throw error;
  }
  throw new Error('was not refused');
}

describe('a body', () => {
  it.each([
    ['{"x":{"_bsontype":"ObjectId"}}', 'x._bsontype has a name that is not allowed.'],
    [String.raw`{"x":{"a\u0000b":1}}`, 'x.a\0b has a name with a NUL character, which is not allowed.'],
    ['{"x":[1,{"__proto__":1}]}', 'x[1].__proto__ has a name that is not allowed.'],
    [String.raw`{"\u005f_proto__":1}`, '__proto__ has a name that is not allowed.'],
    ['{"constructor":{}}', 'constructor has a name that is not allowed.'],
    [`{"${'a'.repeat(257)}":1}`, `${'a'.repeat(63)}… has a name of more than 256 characters.`],
    [
      '{"a":[9007199254740993]}',
      'a[0] is a number beyond 2^53 - 1, the largest that is kept exactly; send it as a string.',
    ],
    ['-1e400', 'The body is a number beyond 2^53 - 1, the largest that is kept exactly; send it as a string.'],
    [String.raw`{"a":["😀","\ud83d"]}`, 'a[1] has broken Unicode: one half of a surrogate pair.'],
    [String.raw`{"a":{"\ude00":1}}`, 'a.\ude00 has broken Unicode: one half of a surrogate pair.'],
    [`${'['.repeat(33)}${']'.repeat(33)}`, `${'[0]'.repeat(32)} nests deeper than 32 levels.`],
  ])('%s is refused with its place', (text, message) => {
    expect(refusalOf(text)).toMatchObject({ code: 'VALIDATION_FAILED', message });
  });

  it.each([
    ['{"a":1,}', 'The body is not valid JSON: look at line 1, column 8.'],
    ['{', 'The body is not valid JSON: look at line 1, column 2.'],
    ['{"a": x}', 'The body is not valid JSON.'],
    [
      new Uint8Array([0x22, 0xff, 0x22]),
      'The body is not valid UTF-8. Encode it as UTF-8, whatever charset content-type names.',
    ],
  ])('%s is refused without the parser’s words', (text, message) => {
    expect(refusalOf(text)).toMatchObject({ code: 'MALFORMED_JSON', message });
  });

  it('may call its members anything else', () => {
    for (const name of ['T-shirt size (e.g. M)?', '$budget', 'prototype', '', '%2E', 'é'.repeat(256)]) {
      expect(parseJson(Buffer.from(JSON.stringify({ answers: { [name]: [{ [name]: 1 }] } })))).toEqual({
        answers: { [name]: [{ [name]: 1 }] },
      });
    }
  });

  it('may begin with a byte order mark', () => {
    expect(parseJson(Buffer.from('\uFEFF{"a":"\uFEFFb"}'))).toEqual({ a: '\uFEFFb' });
    expect(refusalOf('{"a":\uFEFF1}')).toMatchObject({ code: 'MALFORMED_JSON' });
  });

  it('with a longer array than allowed is refused, wherever the array stands', () => {
    const { message } = refusalOf(JSON.stringify({ meta: { a: [Array.from({ length: 501 }, () => 0)] } }));
    expect(message).toBe('meta.a[0] must have at most 500 entries.');
  });

  it('is never reflected completely: a name of 750 KB leads to a response of some hundred bytes', () => {
    for (const name of ['$'.repeat(750_000), `${'x'.repeat(750_000)}.`]) {
      const body = errorBody(refusalOf(JSON.stringify({ a: { [name]: 1 } })), 'req_1');
      expect(JSON.stringify(body).length).toBeLessThan(1_000);
    }
    const deep = Array.from({ length: 30 }).reduce<object>((inner) => ({ ['x'.repeat(30_000)]: inner }), { $a: 1 });
    expect(JSON.stringify(errorBody(refusalOf(JSON.stringify(deep)))).length).toBeLessThan(2_000);
  });
});
