import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { checkedLookup, isPublicAddress, RefusedAddressError, UnknownNameError, whyNotAUrl } from './public-address.ts';

describe('an address', () => {
  test.each([
    '1.1.1.1',
    '8.8.8.8',
    '93.184.216.34',
    '172.15.255.255',
    '172.32.0.1',
    '192.167.255.255',
    '100.63.255.255',
    '100.128.0.1',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2a00:1450:4001:81b::200e',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
    '2002:808:808::1',
  ])('on the public internet is accepted: %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test.each([
    ['unspecified', '0.0.0.0'],
    ['of this network', '0.1.2.3'],
    ['private', '10.0.0.1'],
    ['private', '172.16.0.1'],
    ['private', '172.31.255.255'],
    ['private', '192.168.1.1'],
    ['of a carrier', '100.64.0.1'],
    ['of a carrier', '100.127.255.255'],
    ['loopback', '127.0.0.1'],
    ['loopback', '127.255.255.254'],
    ['link-local', '169.254.169.254'],
    ['reserved for protocols', '192.0.0.8'],
    ['for documentation', '192.0.2.1'],
    ['for documentation', '198.51.100.1'],
    ['for documentation', '203.0.113.1'],
    ['for benchmarks', '198.18.0.1'],
    ['for benchmarks', '198.19.255.255'],
    ['a relay of 6to4', '192.88.99.1'],
    ['multicast', '224.0.0.1'],
    ['multicast', '239.255.255.255'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['unspecified', '::'],
    ['loopback', '::1'],
    ['IPv4-compatible', '::127.0.0.1'],
    ['IPv4-compatible', '::808:808'],
    ['mapped loopback', '::ffff:127.0.0.1'],
    ['mapped private', '::ffff:a00:1'],
    ['mapped link-local', '::ffff:169.254.169.254'],
    ['translated', '::ffff:0:8.8.8.8'],
    ['private behind NAT64', '64:ff9b::10.0.0.1'],
    ['loopback behind NAT64', '64:ff9b::7f00:1'],
    ['behind a local NAT64', '64:ff9b:1::8.8.8.8'],
    ['behind a local NAT64', '64:ff9b:1:ffff::a00:1'],
    ['private behind 6to4', '2002:a00:1::1'],
    ['loopback behind 6to4', '2002:7f00:1::'],
    ['link-local behind 6to4', '2002:a9fe:a9fe::'],
    ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
    ['for benchmarks', '2001:2::1'],
    ['ORCHID', '2001:20::1'],
    ['for documentation', '2001:db8::1'],
    ['for documentation', '3fff::1'],
    ['discarded', '100::1'],
    ['a segment', '5f00::1'],
    ['unique local', 'fc00::1'],
    ['unique local', 'fd12:3456:789a::1'],
    ['link-local', 'fe80::1'],
    ['link-local', 'fe80::1%eth0'],
    ['site-local', 'fec0::1'],
    ['multicast', 'ff02::1'],
    ['multicast', 'ff0e::1'],
  ])('that is %s is refused: %s', (_, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe('a URL', () => {
  const inPublic = { allowsLocal: false, refusedPorts: [] };
  const locally = { allowsLocal: true, refusedPorts: [80, 8080] };

  test.each([
    'https://example.com/hooks?a=1',
    'https://example.com:8443/',
    'https://8.8.8.8/',
    'https://[2606:4700:4700::1111]/',
  ])('on the public internet is accepted: %s', (url) => {
    expect(whyNotAUrl(url, inPublic)).toBeUndefined();
  });

  test.each([
    ['example.com', 'must be an absolute URL'],
    ['/hooks', 'must be an absolute URL'],
    ['https://', 'must be an absolute URL'],
    ['https://[fe80::1%25eth0]/', 'must be an absolute URL'],
    ['http://example.com/', 'it begins with http:'],
    ['ftp://example.com/', 'it begins with ftp:'],
    ['file:///etc/passwd', 'it begins with file:'],
    ['https://user:password@example.com/', 'user name or password'],
    ['https://user@example.com/', 'user name or password'],
    ['https://:password@example.com/', 'user name or password'],
    ['https://example.com/#top', 'fragment'],
    ['https://localhost/', '(localhost is not)'],
    ['https://LOCALHOST/', '(localhost is not)'],
    ['https://localhost./', '(localhost. is not)'],
    ['https://api.localhost/', '(api.localhost is not)'],
    ['https://127.0.0.1/', '(127.0.0.1 is not)'],
    ['https://127.0.0.1./', '(127.0.0.1 is not)'],
    ['https://127.1/', '(127.0.0.1 is not)'],
    ['https://2130706433/', '(127.0.0.1 is not)'],
    ['https://0x7f000001/', '(127.0.0.1 is not)'],
    ['https://0x7f.1/', '(127.0.0.1 is not)'],
    ['https://0177.0.0.1/', '(127.0.0.1 is not)'],
    ['https://017700000001/', '(127.0.0.1 is not)'],
    ['https://①②⑦.0.0.1/', '(127.0.0.1 is not)'],
    ['https://2852039166/', '(169.254.169.254 is not)'],
    ['https://0/', '(0.0.0.0 is not)'],
    ['https://[::1]/', '(::1 is not)'],
    ['https://[::]/', '(:: is not)'],
    ['https://[::127.0.0.1]/', '(::7f00:1 is not)'],
    ['https://[::ffff:10.0.0.1]/', '(::ffff:a00:1 is not)'],
    ['https://[64:ff9b::10.0.0.1]/', '(64:ff9b::a00:1 is not)'],
  ])('that leads elsewhere, or says too much, is refused: %s', (url, why) => {
    expect(whyNotAUrl(url, inPublic)).toContain(why);
  });

  test.each(['http://127.0.0.1:9000/', 'http://localhost:9000/', 'https://[::1]:9000/', 'http://api.localhost:9000/'])(
    'on this machine is accepted for development: %s',
    (url) => {
      expect(whyNotAUrl(url, locally)).toBeUndefined();
    },
  );

  test.each([
    ['http://127.0.0.1:8080/', '(port 8080)'],
    ['http://localhost:8080/', '(port 8080)'],
    ['http://0x7f.1:8080/', '(port 8080)'],
    ['http://127.0.0.1/', '(port 80)'],
    ['http://127.0.0.2:9000/', '(127.0.0.2 is not)'],
    ['http://10.0.0.1:9000/', '(10.0.0.1 is not)'],
  ])('that leads to the platform, or into the network, is refused for development too: %s', (url, why) => {
    expect(whyNotAUrl(url, locally)).toContain(why);
  });
});

describe('a name', () => {
  /** A name server that gives the next of `answers` each time it is asked. */
  function nameServer(...answers: string[][]) {
    let asked = 0;
    const next = () => answers[Math.min(asked++, answers.length - 1)] ?? [];
    const resolve4 = async () => next();
    const resolve6 = async (): Promise<string[]> => {
      throw new Error('no such record');
    };
    return { asked: () => asked, resolver: { resolve4, resolve6 } };
  }

  /** Where a socket to `example.com` goes, or why it goes nowhere. It is closed before it connects. */
  async function attemptedBy(lookup: ReturnType<typeof checkedLookup>): Promise<unknown> {
    const socket = connect({ host: 'example.com', port: 9, lookup });
    const [attempted] = await once(socket, 'connectionAttempt').catch((error: unknown) => [error]);
    socket.on('error', () => undefined).destroy();
    return attempted;
  }

  test('leads a socket to the address that was checked, whatever the name server says next', async () => {
    const { resolver, asked } = nameServer(['93.184.216.34'], ['127.0.0.1']);
    const lookup = checkedLookup({ allowsLocal: true }, resolver);
    expect(await attemptedBy(lookup)).toBe('93.184.216.34');
    expect(asked()).toBe(1);
    expect(await attemptedBy(lookup)).toBeInstanceOf(RefusedAddressError);
  });

  test('is refused if any of its addresses is not public', async () => {
    for (const addresses of [['93.184.216.34', '10.0.0.1'], ['169.254.169.254']]) {
      const { resolver } = nameServer(addresses);
      expect(await attemptedBy(checkedLookup({ allowsLocal: false }, resolver))).toBeInstanceOf(RefusedAddressError);
    }
  });

  test('that has no address is told apart from one that is refused', async () => {
    const { resolver } = nameServer([]);
    expect(await attemptedBy(checkedLookup({ allowsLocal: false }, resolver))).toBeInstanceOf(UnknownNameError);
  });
});
