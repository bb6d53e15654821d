import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { type BusLogin, connectBus } from '@event-commerce/bus';
import { createAccount, createOperator, createUser, type KeyPair } from '@nats-io/nkeys';
import { pino } from 'pino';
import { beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { debianPackages, debianPackagesObstacle } from '../../deploy/local/debian-packages.ts';
import { freePort } from '@event-commerce/test-kit/free-port';
import { ServerProcess } from '../../deploy/local/server-process.ts';

// The ways to log in to a broker of the operator's own.

const OPENSSL = '/usr/bin/openssl';
const run = promisify(execFile);

let natsServer: string | undefined;
beforeAll(async () => {
  if ((await debianPackagesObstacle(process.env)) !== undefined) return;
  ({ natsServer } = await debianPackages(process.env, () => {}));
}, 300_000);

/** Resolves with how a process reaches a broker with this configuration. */
async function startBroker(configOf: (folder: string) => string | Promise<string>, scheme = 'nats') {
  const folder = mkdtempSync(path.join(inject('scratch'), 'broker-'));
  const port = await freePort();
  const configFile = path.join(folder, 'nats.conf');
  await writeFile(configFile, `listen: "127.0.0.1:${port}"\n${await configOf(folder)}\n`);
  const server = new ServerProcess({
    name: 'nats',
    command: [natsServer ?? '', '--config', configFile],
    logFile: path.join(folder, 'nats.log'),
    stopSignal: 'SIGTERM',
    ready: () => greets(port),
    onUnexpectedExit: () => {},
  });
  await server.start();
  onTestFinished(() => server.stop());
  return async (login: BusLogin) => {
    const logger = pino({ level: 'silent' });
    const bus = await connectBus({ url: `${scheme}://localhost:${port}`, name: 'pricing', logger, ...login });
    await bus.check();
    await bus.close();
  };
}

/** Whether a broker sends its first line, which comes before TLS and the login. */
async function greets(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    const [first] = (await once(socket, 'data')) as [Buffer];
    return first.toString().startsWith('INFO ');
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

const seedOf = (pair: KeyPair) => new TextDecoder().decode(pair.getSeed());

/** A token that `issuer` signs, as `nsc` makes it. */
function tokenOf(issuer: KeyPair, subject: KeyPair, nats: object): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const about = {
    jti: subject.getPublicKey(),
    iat: 1,
    iss: issuer.getPublicKey(),
    sub: subject.getPublicKey(),
    name: 'test',
  };
  const signed = `${encode({ typ: 'JWT', alg: 'ed25519-nkey' })}.${encode({ ...about, nats: { version: 2, ...nats } })}`;
  return `${signed}.${Buffer.from(issuer.sign(new TextEncoder().encode(signed))).toString('base64url')}`;
}

const REFUSED = /does not accept this process/;

test('a process logs in with the seed of its NKey', async ({ skip }) => {
  skip(natsServer === undefined, 'there is no broker to start here');
  const [user, stranger] = [createUser(), createUser()];
  const logIn = await startBroker(() => `authorization { users: [{ nkey: ${user.getPublicKey()} }] }`);
  await logIn({ nkeySeed: `${seedOf(user)}\n` });
  await expect(logIn({ nkeySeed: seedOf(stranger) })).rejects.toThrow(REFUSED);
  await expect(logIn({})).rejects.toThrow(REFUSED);
}, 60_000);

test('a process logs in with a credentials file', async ({ skip }) => {
  skip(natsServer === undefined, 'there is no broker to start here');
  const [operator, account, user] = [createOperator(), createAccount(), createUser()];
  const all = { subs: -1, data: -1, payload: -1, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 };
  const ofAccount = tokenOf(operator, account, { type: 'account', limits: all });
  const logIn = await startBroker(
    () => `operator: ${tokenOf(operator, operator, { type: 'operator' })}
resolver: MEMORY
resolver_preload: { ${account.getPublicKey()}: ${ofAccount} }`,
  );
  const credsOf = (issuer: KeyPair) => `-----BEGIN NATS USER JWT-----
${tokenOf(issuer, user, { type: 'user', subs: -1, data: -1, payload: -1 })}
------END NATS USER JWT------

-----BEGIN USER NKEY SEED-----
${seedOf(user)}
------END USER NKEY SEED------
`;
  await logIn({ creds: credsOf(account) });
  await expect(logIn({ creds: credsOf(createAccount()) })).rejects.toThrow(REFUSED);
}, 60_000);

test('a process shows its certificate, and trusts the authority that it was given', async ({ skip }) => {
  skip(natsServer === undefined || !existsSync(OPENSSL), 'there is no broker to start here, or no openssl');
  let tls: NonNullable<BusLogin['tls']> = {};
  const logIn = await startBroker(async (folder) => {
    const file = (name: string) => path.join(folder, name);
    const openssl = async (...args: string[]) => run(OPENSSL, args, { cwd: folder });
    const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    await openssl('req', '-x509', ...newKey, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=authority');
    await writeFile(file('names'), 'subjectAltName=DNS:localhost');
    for (const name of ['broker', 'process']) {
      await openssl('req', ...newKey, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`);
      const signedBy = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names'];
      await openssl('x509', '-req', '-in', `${name}.csr`, ...signedBy, '-out', `${name}.pem`);
    }
    const [ca, cert, key] = await Promise.all(
      ['ca.pem', 'process.pem', 'process.key'].map(async (name) => readFile(file(name), 'utf8')),
    );
    tls = { ca, cert, key };
    return `tls { cert_file: "${file('broker.pem')}", key_file: "${file('broker.key')}", ca_file: "${file('ca.pem')}", verify: true }`;
  }, 'tls');
  await logIn({ tls });
  await expect(logIn({ tls: { ca: tls.ca } })).rejects.toThrow('NATS');
  await expect(logIn({})).rejects.toThrow('NATS');
}, 60_000);
