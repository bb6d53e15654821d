import ipaddr from 'ipaddr.js';

/**
 * What failed attempts of `address` are counted for: an IPv4 address, or the /64 of an IPv6 address, because one client
 * can choose its addresses from a whole /64. Some proxies append the port, with an IPv6 address in brackets. Everything
 * that is not an address shares one name: otherwise each made-up text would be counted on its own.
 */
export function networkOf(address: string): string {
  const [, bracketed, withPort] = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/.exec(address) ?? [];
  const text = bracketed ?? withPort ?? address;
  if (!ipaddr.isValid(text)) return 'no-address';
  const parsed = ipaddr.process(text);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join('.') : parsed.toString();
}
