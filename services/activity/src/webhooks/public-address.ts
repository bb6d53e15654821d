import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { callbackify } from 'node:util';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** An address that webhooks are not sent to, because it is inside somebody's network. */
export class RefusedAddressError extends Error {
  override readonly name = 'RefusedAddressError';
}

/** A name that has no address, or that no name server could be asked for. */
export class UnknownNameError extends Error {
  override readonly name = 'UnknownNameError';
}

const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];
/**
 * IPv6 addresses with an IPv4 address inside, which they lead to: mapped, NAT64, 6to4; and where in their bytes it is.
 */
const LEADS_TO_IPV4 = [
  ['::ffff:0:0/96', 12],
  ['64:ff9b::/96', 12],
  ['2002::/16', 2],
].map(([range, at]) => ({ range: ipaddr.parseCIDR(range as string) as [ipaddr.IPv6, number], at: at as number }));

/** Whether `address` is on the public internet. An IPv6 address that leads to an IPv4 address counts as that one. */
export function isPublicAddress(address: string): boolean {
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.range() === 'unicast';
  const inside = LEADS_TO_IPV4.find(({ range }) => parsed.match(range));
  if (inside !== undefined)
    return isPublicAddress(
      parsed
        .toByteArray()
        .slice(inside.at, inside.at + 4)
        .join('.'),
    );
  return parsed.range() === 'unicast' && parsed.match(GLOBAL_UNICAST);
}

/** Where webhooks may be sent. */
export interface AddressPolicy {
  /** Whether to this machine too, and without TLS: for development. */
  allowsLocal: boolean;
  /** The ports of this machine that they are never sent to. */
  refusedPorts: readonly number[];
}

/** Asks name servers for the addresses of a name. */
interface NameResolver {
  resolve4(hostname: string): Promise<string[]>;
  resolve6(hostname: string): Promise<string[]>;
}

const LOOPBACK = new Set(['127.0.0.1', '::1']);

/**
 * Resolves names for sockets, and refuses a name if any of its addresses is not public. The socket connects to the
 * address that was checked, so that a name server cannot give another one for the connection. Asks name servers itself:
 * `dns.lookup` takes one of the four threads of a process.
 */
export function checkedLookup(
  { allowsLocal }: Pick<AddressPolicy, 'allowsLocal'>,
  resolver: NameResolver = new Resolver({ timeout: 2_000, tries: 2 }),
): LookupFunction {
  const addressesOf = async (hostname: string): Promise<LookupAddress[]> => {
    if (allowsLocal && isLocalName(hostname)) return [{ address: '127.0.0.1', family: 4 }];
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const found = [
      ...(v4.status === 'fulfilled' ? v4.value.map((address) => ({ address, family: 4 })) : []),
      ...(v6.status === 'fulfilled' ? v6.value.map((address) => ({ address, family: 6 })) : []),
    ];
    if (found.length === 0) throw new UnknownNameError(hostname);
    if (found.some(({ address }) => !isPublicAddress(address))) throw new RefusedAddressError(hostname);
    return found;
  };
  const resolve = callbackify(addressesOf);
  return (hostname, options, callback) => {
    resolve(hostname, (error, found) => {
      if (error !== null) return callback(error, []);
      const [first] = found as [LookupAddress, ...LookupAddress[]];
      if (options.all) callback(null, found);
      else callback(null, first.address, first.family);
    });
  };
}

function isLocalName(hostname: string): boolean {
  return /(?:^|\.)localhost\.?$/.test(hostname);
}

/** Why webhooks cannot be sent to `text`, as a sentence that follows `url`; undefined if they can. */
export function whyNotAUrl(text: string, { allowsLocal, refusedPorts }: AddressPolicy): string | undefined {
  if (!URL.canParse(text)) return 'must be an absolute URL, such as https://example.com/webhooks';
  const { protocol, username, password, hash, hostname, port } = new URL(text);
  if (protocol !== 'https:' && !(allowsLocal && protocol === 'http:')) {
    return `must begin with https:// (it begins with ${protocol})`;
  }
  if (username !== '' || password !== '') return 'must not have a user name or password; verify the signature instead';
  if (hash !== '') return 'must not have a fragment (#...): it is never sent';
  const host = hostname.replaceAll(/^\[|\]$/g, '');
  const isLocal = LOOPBACK.has(host) || isLocalName(host);
  if (isLocal && allowsLocal) {
    const ownPort = Number(port || (protocol === 'https:' ? 443 : 80));
    return refusedPorts.includes(ownPort) ? `must not lead to the platform itself (port ${ownPort})` : undefined;
  }
  if (isLocal || (isIP(host) !== 0 && !isPublicAddress(host))) return `must be on the public internet (${host} is not)`;
  return undefined;
}
