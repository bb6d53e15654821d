import { afterEach, expect, test, vi } from 'vitest';
import { wholeNumbers } from './whole-numbers.ts';

afterEach(() => vi.restoreAllMocks());

test('whole numbers that are large enough are read', () => {
  const values = { large: '8050', seed: '0', out: 'growth.md' };
  expect(wholeNumbers(values, { large: 8_050, seed: 0 })).toEqual({ large: 8_050, seed: 0 });
});

test('everything else ends the process, which says what is allowed', () => {
  const said: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => {
    throw new Error('ended');
  });
  for (const large of ['8049', '-9000', '9000.5', '9e3', 'many', '', ' 9000']) {
    expect(() => wholeNumbers({ large, seed: '7' }, { large: 8_050, seed: 0 })).toThrow('ended');
  }
  expect(exit).toHaveBeenCalledWith(2);
  expect(new Set(said)).toEqual(new Set(['--large must be a whole number, at least 8050\n']));
});
