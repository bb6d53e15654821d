import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs, styleText } from 'node:util';
import { ApiError, type Client, createClient, dataOf, type paths } from '@event-commerce/client';
import type { KeptSecrets } from '../deploy/local/keep-secrets.ts';
import { describe, type KeyRecord, printable, table } from './show-keys.ts';

// Manages the API keys of a running gateway over its admin API: `npm run keys -- issue ...`.

const USAGE = `Usage: npm run keys -- COMMAND [OPTION ...]

  issue   --company ID --name TEXT --scopes A,B    a new key; it is shown this once
          [--expires 2027-05-01T18:00:00Z] [--per-second N --burst N] [--environment live|test]
  list    [--company ID] [--environment live|test] [--limit N]
                                                   newest first, 200 by default
  show    KEY_ID
  rotate  KEY_ID [--overlap 24h]                   a new key replaces it; the old one keeps working for s, m, h or d
                                                   (default: none, the old key stops now)
  revoke  KEY_ID [--issued]                        revokes it at once, on every gateway; with --issued also the keys
                                                   that it issued or rotated, and those that these issued

  --json  the response as JSON (npm run --silent keys -- ... prints nothing else)
  --help  this text

BASE_URL is the gateway's address (default http://127.0.0.1:8080), ROOT_API_KEY the operator's key (default: the one that
npm start created). A company's key with the scope keys:admin works too, for the keys of its company and environment.
Test keys never see live records, and live keys never see test records.
`;

type Body = NonNullable<paths['/v1/admin/keys']['post']['requestBody']>['content']['application/json'];
type Query = NonNullable<paths['/v1/admin/keys']['get']['parameters']['query']>;

const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;
const PAGE_LIMIT_MAX = 200;

/** The command line is invalid; the sentence says what to type. */
class UsageError extends Error {
  override readonly name = 'UsageError';
}

const url = process.env['BASE_URL'] || `http://127.0.0.1:${process.env['PORT'] || 8080}`;

try {
  await run(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${styleText('red', explain(error as Error), { stream: process.stderr })}\n`);
  if (error instanceof UsageError) process.stderr.write(`\n${USAGE}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}

async function run(args: string[]): Promise<void> {
  const { values: given, positionals } = parse(args);
  const [command, ...operands] = positionals;
  if (given.help === true) {
    process.stdout.write(USAGE);
    return;
  }
  const keyId = (): string => {
    const [id, ...more] = operands;
    if (id === undefined || more.length > 0) throw new UsageError(`${command} takes one key id, such as key_01...`);
    return id;
  };
  const show = (record: KeyRecord) => (given.json === true ? asJson(record) : describe(record));
  if ((command === 'issue' || command === 'list') && operands.length > 0) {
    throw new UsageError(`${command} takes options only, not "${operands.join(' ')}".`);
  }

  switch (command) {
    case 'issue': {
      process.stdout.write(show(await dataOf(client().POST('/v1/admin/keys', { body: wanted(given) }))));
      return;
    }
    case 'list': {
      const found = await list(given, wholeNumber('limit', given.limit) ?? PAGE_LIMIT_MAX);
      process.stdout.write(given.json === true ? asJson(found) : table(found));
      return;
    }
    case 'show': {
      const params = { path: { id: keyId() } };
      process.stdout.write(show(await dataOf(client().GET('/v1/admin/keys/{id}', { params }))));
      return;
    }
    case 'rotate': {
      const body = { overlapSeconds: seconds(given.overlap ?? '0s') };
      const params = { path: { id: keyId() } };
      process.stdout.write(show(await dataOf(client().POST('/v1/admin/keys/{id}/rotate', { params, body }))));
      return;
    }
    case 'revoke': {
      if (given.issued !== true) {
        process.stdout.write(show(await revoke(keyId())));
        return;
      }
      const revoked = await revokeWithIssued(keyId());
      process.stdout.write(given.json === true ? asJson(revoked) : table(revoked));
      return;
    }
    case undefined:
      throw new UsageError('Name a command, such as list.');
    default:
      throw new UsageError(`There is no command "${command}".`);
  }
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        company: { type: 'string' },
        name: { type: 'string' },
        scopes: { type: 'string', multiple: true },
        expires: { type: 'string' },
        'per-second': { type: 'string' },
        burst: { type: 'string' },
        environment: { type: 'string' },
        overlap: { type: 'string' },
        issued: { type: 'boolean' },
        limit: { type: 'string' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}

type Given = ReturnType<typeof parse>['values'];

/** The body that issues a key; the gateway validates its values. */
function wanted(given: Given): Body {
  const scopes = (given.scopes ?? []).flatMap((names) => names.split(',').map((scope) => scope.trim()));
  if (given.name === undefined || scopes.length === 0) {
    throw new UsageError("issue needs --name and --scopes, and --company with the operator's key.");
  }
  const perSecond = wholeNumber('per-second', given['per-second']);
  const burst = wholeNumber('burst', given.burst);
  if ((perSecond === undefined) !== (burst === undefined)) {
    throw new UsageError('A limit is --per-second and --burst together.');
  }
  return {
    ...(given.company === undefined ? {} : { companyId: given.company }),
    name: given.name,
    scopes,
    ...(given.expires === undefined ? {} : { expiresAt: given.expires }),
    ...(perSecond === undefined ? {} : { rateLimit: { perSecond, burst } }),
    ...(given.environment === undefined ? {} : { environment: given.environment }),
  } as Body;
}

async function list({ company, environment }: Given, limit: number): Promise<KeyRecord[]> {
  const found: KeyRecord[] = [];
  let cursor: string | null = null;
  do {
    const query = {
      limit: Math.min(limit - found.length, PAGE_LIMIT_MAX),
      ...(company === undefined ? {} : { companyId: company }),
      ...(environment === undefined ? {} : { environment }),
      ...(cursor === null ? {} : { cursor }),
    } as Query;
    const { data: page, error, response } = await client().GET('/v1/admin/keys', { params: { query } });
    if (page === undefined) throw new ApiError(response.status, error);
    found.push(...page.data);
    cursor = page.page.next;
  } while (cursor !== null && found.length < limit);
  return found;
}

async function revoke(id: string): Promise<KeyRecord> {
  return await dataOf(client().POST('/v1/admin/keys/{id}/revoke', { params: { path: { id } } }));
}

/** Revokes a key and those that it issued, and so on. It lists them only once their issuers can issue no more. */
async function revokeWithIssued(keyId: string): Promise<KeyRecord[]> {
  const first = await revoke(keyId);
  const revoked = [first];
  const issuers = new Set([first.id]);
  for (;;) {
    const all = await list({ company: first.companyId, environment: first.environment }, Infinity);
    const issued = all.filter(({ id, createdBy }) => issuers.has(createdBy) && !issuers.has(id));
    if (issued.length === 0) return revoked;
    for (const key of issued) {
      issuers.add(key.id);
      if (canStillIssue(key)) revoked.push(await revoke(key.id));
    }
  }
}

/**
 * Whether a request of this key that is still arriving can issue a key that lasts. If it expired by its own date it
 * cannot: nothing that it issues lasts longer. If it was rotated it can.
 */
function canStillIssue({ status, rotatedTo }: KeyRecord): boolean {
  return status === 'active' || (status === 'expired' && rotatedTo !== null);
}

/** A client for the operator. It waits and tries again when a request was over the rate limit. */
function client(): Client {
  return createClient({
    baseUrl: url,
    apiKey: operatorKey(),
    fetch: async (request) => {
      try {
        return await fetch(request);
      } catch (cause) {
        throw new Error(`Nothing responds at ${url}: start the platform with npm start, or set BASE_URL.`, { cause });
      }
    },
  });
}

function explain(error: Error): string {
  if (!(error instanceof ApiError)) return error.message;
  const { status, code, message, requestId } = error;
  if (status === 401) return `${url} does not accept the key: ${message} Set ROOT_API_KEY to the operator's key.`;
  return `${url} refused with ${status} ${code}: ${printable(message)}${requestId === undefined ? '' : ` (request ${requestId})`}`;
}

function operatorKey(): string {
  const given = process.env['ROOT_API_KEY'];
  if (given) return given;
  const file = path.resolve(import.meta.dirname, '../.data/secrets.json');
  if (existsSync(file)) return (JSON.parse(readFileSync(file, 'utf8')) as KeptSecrets).rootApiKey;
  throw new Error("Set ROOT_API_KEY to the gateway's operator key; npm start, which makes one, has not run here yet.");
}

function seconds(text: string): number {
  const [, count, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  if (count === undefined) throw new UsageError(`--overlap is a time such as 90s, 15m, 24h or 7d, not "${text}".`);
  return Number(count) * SECONDS[unit as keyof typeof SECONDS];
}

function wholeNumber(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`--${option} is a whole number above 0, not "${text}".`);
  return Number(text);
}

function asJson(value: unknown): string {
  const lines = JSON.stringify(value, null, 2).split('\n');
  return `${lines.map(printable).join('\n')}\n`;
}
