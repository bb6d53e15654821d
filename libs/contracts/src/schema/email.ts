import { domainToASCII, domainToUnicode } from 'node:url';
import { z } from 'zod';

export const EMAIL_LENGTH_MAX = 254;
/** A letter outside ASCII takes several characters in the ASCII form of a domain, which keys use. */
export const EMAIL_KEY_LENGTH_MAX = 8 * EMAIL_LENGTH_MAX;

/** Blanks and invisible characters, which a pasted address may have at its ends. */
const AT_THE_ENDS = /^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu;
/** What HTML's e-mail fields accept, and any visible character outside ASCII. */
const LOCAL_PART = /^(?:[\w.!#$%&'*+/=?^`{|}~-]|[^\p{ASCII}\p{C}\p{Z}])+$/u;
const VISIBLE = /^[^\p{C}\p{Z}%]+$/u;
/** A domain in ASCII, with a dot. */
const DOMAIN = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]{0,61}[a-z\d])$/;

/** An e-mail address, possibly with letters of any script in its name or domain: stored as typed, trimmed. */
export const email = z
  .string()
  .overwrite((given) => given.replaceAll(AT_THE_ENDS, ''))
  .max(EMAIL_LENGTH_MAX)
  .refine(isAddress, 'must be an e-mail address')
  .meta({ format: 'email' });

function isAddress(given: string): boolean {
  const { name, domain } = partsOf(given);
  return LOCAL_PART.test(name) && VISIBLE.test(domain) && DOMAIN.test(domainToASCII(domain));
}

/** The form in which spellings of an address are compared: without case, and with its domain in ASCII. */
export function emailKey(address: string): string {
  const { name, domain } = partsOf(folded(address));
  const ascii = domainToASCII(domain);
  return ascii === '' ? folded(address) : `${name}@${ascii}`;
}

/** The same, with the domain as people read it. */
export function readableEmail(address: string): string {
  const { name, domain } = partsOf(folded(address));
  const readable = domainToUnicode(domain);
  return readable === '' ? folded(address) : `${name}@${readable}`;
}

function folded(address: string): string {
  return address.normalize('NFKC').replaceAll(AT_THE_ENDS, '').toLowerCase();
}

function partsOf(address: string): { name: string; domain: string } {
  const at = address.lastIndexOf('@');
  return at === -1 ? { name: '', domain: '' } : { name: address.slice(0, at), domain: address.slice(at + 1) };
}
