import { describe, expect, it } from 'vitest';
import { atVersion, parseIfMatch, refuseOtherVersion } from './if-match.ts';

describe('If-Match', () => {
  it.each([
    ['"3"', [3]],
    ['"3-abc"', [3]],
    ['"3-abc-gzip"', [3]],
    ['3', [3]],
    ['"3", "4-x"', [3, 4]],
    ['W/"3", "4"', [4]],
    ['*', '*'],
    ['"x"', []],
    ['W/"3-abc"', 'weak'],
    ['w/"3", W/"4"', 'weak'],
  ])('%s accepts %j', (header, accepted) => {
    expect(parseIfMatch(header)).toEqual(accepted);
  });

  it('with a weak tag matches nothing, and the refusal says why instead of naming the version that was sent', () => {
    const weak = parseIfMatch('W/"3-abc"');
    expect(atVersion(weak)).toEqual({ version: { $in: [] } });
    expect(() => refuseOtherVersion(weak, 'coupon', 3)).toThrow(
      'A weak tag never matches: send the version in quotes, or turn compression off.',
    );
  });
});
