import { z } from 'zod';

const CODE_LENGTH_MAX = 64;
/** A code may be typed longer than it is stored. The time for normalization grows with the square of its length. */
const TYPED_CODE_LENGTH_MAX = 4 * CODE_LENGTH_MAX;
const CODE_TOO_LONG = `must have at most ${CODE_LENGTH_MAX} characters`;
/** The characters of nearly every code. Both forms of such text are its upper case. */
const PRINTABLE_ASCII = /^[ -~]*$/;

/** The form in which an adjustment stores and shows its code. A text that is too long for a code is its own form. */
export function storedCode(given: string): string {
  if (PRINTABLE_ASCII.test(given)) return given.toUpperCase().trim();
  const code = given.trim();
  if (code.length > TYPED_CODE_LENGTH_MAX) return code;
  // Upper case can produce characters that compose: normalized once more, so that a form is its own form.
  return code.normalize('NFKC').toUpperCase().normalize('NFKC').trim();
}

/** Greek and Cyrillic capitals that look like Latin ones, according to Unicode's confusables.txt. */
const LOOK_ALIKES = new Map([
  ...pairs(
    '\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03dc\u03fa\u037f',
    'ABEZHIKMNOPTYXFMJ',
  ),
  ...pairs(
    '\u0410\u0412\u0415\u0405\u0406\u0408\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425\u0474\u04ae\u04c0\u050c\u051a\u051c',
    'ABESIJKMHOPCTYXVYIGQW',
  ),
]);

function pairs(from: string, to: string): [string, string][] {
  return Array.from(from, (character, index) => [character, to.charAt(index)]);
}

/**
 * The form in which codes are compared: those with equal keys are the same code. It ignores what a mail program or
 * another keyboard may change invisibly: case, width, invisible characters, the kind of dash or space, and Greek or
 * Cyrillic capitals that look Latin. A text that is too long for a code is its own key.
 */
export function codeKey(given: string): string {
  if (PRINTABLE_ASCII.test(given)) return given.toUpperCase().trim();
  const code = given.trim();
  if (code.length > TYPED_CODE_LENGTH_MAX) return code;
  // Decomposed, because a letter with an accent looks like the Latin one with that accent. Twice, because upper case can
  // produce characters that compose.
  return code
    .normalize('NFKD')
    .toUpperCase()
    .normalize('NFKD')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replaceAll(/\p{Dash}/gu, '-')
    .replaceAll(/\s/gu, ' ')
    .replaceAll(/[\p{Script=Greek}\p{Script=Cyrillic}]/gu, (letter) => LOOK_ALIKES.get(letter) ?? letter)
    .normalize('NFKC')
    .trim();
}

/** The key by which issued codes are found: buyers may leave out their dashes and blanks. */
export function compactKey(given: string): string {
  return codeKey(given).replaceAll(/[- ]/g, '');
}

/** A coupon code as typed: kept trimmed. Compare codes by their `codeKey`. */
export const couponCode = z
  .string()
  .trim()
  .min(1)
  .max(TYPED_CODE_LENGTH_MAX, { error: CODE_TOO_LONG, abort: true })
  .refine((code) => !/[\p{Cc}\p{Cs}\p{Bidi_Control}]/u.test(code), 'must not have control or bidirectional characters')
  .refine((code) => isWithin(CODE_LENGTH_MAX, storedCode(code)), CODE_TOO_LONG)
  .refine((code) => codeKey(code) !== '', 'must not be blank')
  .meta({ maxLength: CODE_LENGTH_MAX });

/** `max` characters, as JSON Schema counts them: JavaScript counts one outside the basic plane as two. */
function isWithin(max: number, given: string): boolean {
  return given.length <= max || Array.from(given).length <= max;
}
