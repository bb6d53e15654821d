import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { cellRate } from './cell-rate.ts';

const BURST = 20;
/** One more attempt every three seconds: twenty a minute. */
const INTERVAL_MS = 3_000;
const ADDRESSES_MAX = 20_000;

/**
 * Limits failed authentications per client address, in this process only. While an address has no attempts left, no key
 * is looked up for it and none is compared with the operator's. Keys in use are still served.
 */
export function createFailedAttempts(clock: () => number) {
  const arrivals = new LRUCache<string, number>({ max: ADDRESSES_MAX });

  return {
    /** How many ms until the address may try again; 0 if it may now. Counts nothing. */
    waitMs(address: string): number {
      const arrivalMs = arrivals.get(networkOf(address)) ?? 0;
      return Math.max(0, cellRate(arrivalMs, clock(), BURST, INTERVAL_MS).earlyMs);
    },

    /** Counts one failure. Returns how many ms until the address may try again, or 0. */
    count(address: string): number {
      const network = networkOf(address);
      const now = clock();
      const { arrivalMs, earlyMs } = cellRate(arrivals.get(network) ?? 0, now, BURST, INTERVAL_MS);
      arrivals.set(network, arrivalMs);
      return Math.max(0, earlyMs);
    },
  };
}

/**
 * What failures are counted for: an IPv4 address, or the /64 of an IPv6 address, because one client can choose its
 * addresses from a whole /64. Some proxies append the port, with an IPv6 address in brackets. Everything that is no
 * address shares one bucket: otherwise a made-up text would be a bucket of its own.
 */
function networkOf(address: string): string {
  const [, bracketed, withPort] = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/.exec(address) ?? [];
  const text = bracketed ?? withPort ?? address;
  if (!ipaddr.isValid(text)) return 'no-address';
  const parsed = ipaddr.process(text);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join('.') : parsed.toString();
}
