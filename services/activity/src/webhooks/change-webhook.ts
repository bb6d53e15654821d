import {
  alreadyExists,
  allows,
  applyMergePatch,
  changedWebhook,
  type DeliveryAttempt,
  deliveryNotFound,
  environmentOf,
  companyIdOf,
  invalidInput,
  kindOf,
  type ReplayBody,
  replayNotFound,
  replayUnderWay,
  type Scope,
  scopeToRead,
  type Tenant,
  tooManyWebhooks,
  typeNotReadable,
  type Webhook,
  type WebhookInput,
  webhookNotActive,
  webhookNotFound,
  type WebhookPatch,
} from '@event-commerce/contracts';
import { type Caller, type IfMatch, newId, refuseOtherVersion, validate } from '@event-commerce/service-kit';
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { BEGINNING } from '../log/domain/position.ts';
import { termOfType } from '../log/domain/terms.ts';
import { toMessage } from '../log/log.repository.ts';
import { startOf } from '../feed/read-feed.ts';
import { wantedTerms } from '../feed/entry-filter.ts';
import type { ReplayDocument, WebhookDocument } from '../models.ts';
import { validSecrets } from './deliver-to-webhook.ts';
import { newSecret } from './domain/signature.ts';
import { type AddressPolicy, whyNotAUrl } from './public-address.ts';
import type { ReplayDeps } from './replay.ts';
import { type SettledWebhook, toWebhook } from './webhook.repository.ts';

const WEBHOOKS_MAX = 50;
/** Secrets that sign at the same time: each is a signature of every delivery. */
const SECRETS_MAX = 3;
const TEST_TIMEOUT_MS = 5_000;
const MEMBERS = ['url', 'types', 'description', 'status'] as const;

export interface ChangeWebhookDeps extends ReplayDeps {
  addresses: AddressPolicy;
}

interface Asking {
  caller: Caller;
  scopes: readonly Scope[];
}

/**
 * Creates a webhook that gets what happens from now on. Its secret is returned, and never shown again.
 *
 * @throws {PlatformError} VALIDATION_FAILED, FORBIDDEN, QUOTA_EXCEEDED
 */
export async function createWebhook(
  deps: ChangeWebhookDeps,
  { caller, scopes }: Asking,
  input: WebhookInput,
): Promise<Webhook & { secret: string }> {
  const { webhooks, log, seal } = deps;
  const settled = settle(deps, input, scopes);
  if ((await webhooks.count(caller.tenant)) >= WEBHOOKS_MAX) throw tooManyWebhooks(WEBHOOKS_MAX);
  const id = caller.attempt === undefined ? newId('whk') : `whk_${caller.attempt.idSuffix}`;
  const [secret, head] = [newSecret(), await log.head()];
  const position = head?.position ?? BEGINNING;
  const created = await webhooks.create(caller, id, settled, { secret: { sealed: seal.seal(secret, id) }, position });
  // The secret of an interrupted request is lost.
  if (created === undefined) throw alreadyExists('webhook', id);
  return { ...(await showWebhook(deps, created)), secret };
}

/**
 * Changes a webhook by a JSON merge patch, and validates the whole result.
 *
 * @throws {PlatformError} WEBHOOK_NOT_FOUND, VALIDATION_FAILED, FORBIDDEN, VERSION_CONFLICT
 */
export async function changeWebhook(
  deps: ChangeWebhookDeps,
  { caller, scopes }: Asking,
  id: string,
  { startFrom, ...patch }: WebhookPatch,
  ifMatch: IfMatch,
): Promise<Webhook> {
  const { webhooks, log } = deps;
  const changed = await webhooks.changeInTurn(caller.tenant, id, async () => {
    const current = await findWebhook(deps, caller.tenant, id);
    refuseOtherVersion(ifMatch, 'webhook', current.version);
    const { url, types, description } = current;
    const status = current.status === 'active' ? 'active' : 'paused';
    const said: WebhookInput = { url, types, status, ...(description === undefined ? {} : { description }) };
    const input = validate(changedWebhook, applyMergePatch(said, patch));
    const resumes = status === 'paused' && input.status === 'active';
    if (startFrom !== undefined && !resumes) {
      throw invalidInput('startFrom', 'needs status active, for a webhook that is paused');
    }
    if (MEMBERS.every((member) => isDeepStrictEqual(input[member], said[member]))) return current;
    // A key that may read less can change everything except which events are sent.
    const sameTypes = isDeepStrictEqual(input.types, types);
    const settled = settle(deps, input, scopes, sameTypes ? current.wants : undefined);
    const cursor = startFrom === 'now' ? (await log.head())?.position : undefined;
    return await webhooks.replace(caller, current, settled, { cursor });
  });
  return await showWebhook(deps, changed);
}

/** @throws {PlatformError} WEBHOOK_NOT_FOUND, VERSION_CONFLICT */
export async function deleteWebhook(
  deps: ChangeWebhookDeps,
  caller: Caller,
  id: string,
  ifMatch: IfMatch,
): Promise<Webhook> {
  const { webhooks, deliveries } = deps;
  const deleted = await webhooks.changeInTurn(caller.tenant, id, async () => {
    const current = await findWebhook(deps, caller.tenant, id);
    refuseOtherVersion(ifMatch, 'webhook', current.version);
    return (await webhooks.delete(caller, current)) ? current : undefined;
  });
  const shown = await showWebhook(deps, deleted);
  await deliveries.forget(deleted);
  return shown;
}

/**
 * Creates a new secret. For `overlapSeconds`, messages are signed with the previous one too.
 *
 * @throws {PlatformError} WEBHOOK_NOT_FOUND, VERSION_CONFLICT
 */
export async function rotateSecret(
  deps: ChangeWebhookDeps,
  caller: Caller,
  id: string,
  { overlapSeconds }: { overlapSeconds: number },
): Promise<{ secret: string; previousValidUntil: string }> {
  const { webhooks, seal, clock } = deps;
  const [secret, now] = [newSecret(), clock()];
  const until = new Date(now.getTime() + overlapSeconds * 1_000);
  await webhooks.changeInTurn(caller.tenant, id, async () => {
    const current = await findWebhook(deps, caller.tenant, id);
    const previous = current.secrets
      .filter(({ validUntil }) => validUntil === undefined || validUntil > now)
      .map(({ sealed, validUntil }) => ({
        sealed,
        validUntil: validUntil !== undefined && validUntil < until ? validUntil : until,
      }));
    const secrets = [{ sealed: seal.seal(secret, id) }, ...previous].slice(0, SECRETS_MAX);
    return await webhooks.setSecrets(caller, current, secrets);
  });
  return { secret, previousValidUntil: until.toISOString() };
}

/** Sends an event that is not in the log. @throws {PlatformError} WEBHOOK_NOT_FOUND */
export async function testWebhook(
  deps: ChangeWebhookDeps,
  tenant: Tenant,
  id: string,
  type: string,
): Promise<DeliveryAttempt> {
  const webhook = await findWebhook(deps, tenant, id);
  const message = {
    id: randomUUID(),
    type,
    timestamp: deps.clock().toISOString(),
    companyId: companyIdOf(tenant),
    environment: environmentOf(tenant),
    subject: id,
    related: [],
    data: { id, test: true },
  };
  const { attempt } = await sendNow(deps, webhook, message, TEST_TIMEOUT_MS);
  return attempt;
}

/**
 * Sends an event again, at once. If it arrives, those that waited for it follow.
 *
 * @throws {PlatformError} WEBHOOK_NOT_FOUND, DELIVERY_NOT_FOUND, WEBHOOK_NOT_ACTIVE
 */
export async function resendDelivery(
  deps: ChangeWebhookDeps,
  tenant: Tenant,
  id: string,
  eventId: string,
): Promise<DeliveryAttempt> {
  const { log, deliveries, webhooks } = deps;
  const webhook = await findActive(deps, tenant, id);
  const entry = await log.find(tenant, eventId);
  if (entry === undefined || !entry.terms.some((one) => webhook.wants.includes(one))) throw deliveryNotFound(eventId);
  const known = await deliveries.find(id, eventId);
  const { attempt, succeeded } = await sendNow(deps, webhook, toMessage(entry));
  if (known === undefined) {
    if (succeeded) await deliveries.addArrived(webhook, [{ entry, attempt }]);
  } else if (succeeded) {
    await deliveries.arrived(known, attempt);
    // The delivering process looks at once.
    if ((await deliveries.wake(id)) > 0) await webhooks.touch(id);
  } else {
    await deliveries.failedAgain(known, attempt);
  }
  return attempt;
}

/**
 * Begins to send past events again.
 *
 * @throws {PlatformError} WEBHOOK_NOT_FOUND, WEBHOOK_NOT_ACTIVE, REPLAY_UNDER_WAY, VALIDATION_FAILED, CURSOR_EXPIRED
 */
export async function startReplay(
  deps: ChangeWebhookDeps,
  tenant: Tenant,
  id: string,
  { after, from, to, types, only }: ReplayBody,
): Promise<ReturnType<typeof toReplay>> {
  const { log, deliveries, replays, webhooks } = deps;
  const webhook = await findActive(deps, tenant, id);
  const about = { companyId: tenant, webhookId: id, sent: 0 };
  if (only === 'parked') {
    if ([after, from, to, types].some((given) => given !== undefined)) {
      throw invalidInput('only', 'must stand alone when it is parked: everything that was given up is sent again');
    }
    const sent = await deliveries.retryParked(id);
    const done = await replays.create({ ...about, sent, wants: [], cursor: 0, upTo: 0, status: 'done' });
    await webhooks.touch(id);
    return toReplay(done);
  }
  if ((after === undefined) === (from === undefined)) {
    throw invalidInput('after', 'must say where to begin: send a cursor as after, or a time as from');
  }
  const underWay = await replays.running(id);
  if (underWay !== undefined) throw replayUnderWay(underWay._id);
  const cursor = await startOf(log, tenant, after ?? 'oldest');
  const upTo = (await log.head())?.position ?? cursor;
  const replay = await replays.create({
    ...about,
    wants: webhook.wants,
    ...(types === undefined || types.includes('*') ? {} : { among: types.map(termOfType) }),
    cursor,
    upTo,
    status: 'running',
    ...(from === undefined ? {} : { from: new Date(from) }),
    ...(to === undefined ? {} : { to: new Date(to) }),
  });
  await webhooks.touch(id);
  return toReplay(replay);
}

/** @throws {PlatformError} WEBHOOK_NOT_FOUND, REPLAY_NOT_FOUND */
export async function showReplay(deps: ChangeWebhookDeps, tenant: Tenant, id: string, replayId: string) {
  await findWebhook(deps, tenant, id);
  const found = await deps.replays.find(id, replayId);
  if (found === undefined) throw replayNotFound(replayId);
  return toReplay(found);
}

/** @throws {PlatformError} WEBHOOK_NOT_FOUND */
export async function findWebhook(
  { webhooks }: Pick<ChangeWebhookDeps, 'webhooks'>,
  tenant: Tenant,
  id: string,
): Promise<WebhookDocument> {
  const found = await webhooks.find(tenant, id);
  if (found === undefined) throw webhookNotFound(id);
  return found;
}

/** Webhooks with what is left to be delivered. */
export async function showWebhooks(
  { deliveries, log }: Pick<ChangeWebhookDeps, 'deliveries' | 'log'>,
  webhooks: readonly WebhookDocument[],
): Promise<Webhook[]> {
  const [head, unarrived] = await Promise.all([log.head(), deliveries.unarrivedOf(webhooks.map(({ _id }) => _id))]);
  return await Promise.all(
    webhooks.map(async (webhook) => {
      const { _id, companyId, cursor, wants } = webhook;
      const { counts, oldestAt } = unarrived.get(_id)!;
      const span = { after: cursor, upTo: head?.position ?? cursor };
      const [next] = await log.read(companyId, { terms: [wants] }, span, { limit: 1, direction: 'oldest-first' });
      return toWebhook(webhook, { counts, oldestUndeliveredAt: oldestAt ?? next?.at });
    }),
  );
}

export async function showWebhook(
  deps: Pick<ChangeWebhookDeps, 'deliveries' | 'log'>,
  webhook: WebhookDocument,
): Promise<Webhook> {
  const [shown] = await showWebhooks(deps, [webhook]);
  return shown!;
}

async function findActive(deps: ChangeWebhookDeps, tenant: Tenant, id: string): Promise<WebhookDocument> {
  const webhook = await findWebhook(deps, tenant, id);
  if (webhook.status !== 'active') throw webhookNotActive(id);
  return webhook;
}

async function sendNow(
  deps: ChangeWebhookDeps,
  webhook: WebhookDocument,
  message: ReturnType<typeof toMessage>,
  timeoutMs?: number,
) {
  const endpoint = { url: webhook.url, secrets: validSecrets(deps, webhook) };
  const options = timeoutMs === undefined ? {} : { timeoutMs };
  return await deps.slots.during(webhook.companyId, async () => deps.sender.send(endpoint, message, options));
}

/**
 * Validates what a company says, and adds the terms of the events that it gets.
 *
 * @throws {PlatformError} VALIDATION_FAILED, FORBIDDEN
 */
function settle(
  { addresses }: ChangeWebhookDeps,
  { description, ...input }: WebhookInput,
  scopes: readonly Scope[],
  wants?: string[],
): SettledWebhook {
  const whyNot = whyNotAUrl(input.url, addresses);
  if (whyNot !== undefined) throw invalidInput('url', whyNot);
  for (const type of wants === undefined ? input.types : []) {
    if (type === '*') continue;
    const needed = scopeToRead(kindOf(type));
    if (needed === undefined) throw invalidInput('types', `has ${type}, and there are no such events`);
    if (!allows(scopes, needed)) throw typeNotReadable(type, needed);
  }
  return {
    ...input,
    ...(description === undefined || description === '' ? {} : { description }),
    wants: wants ?? wantedTerms(input.types, scopes),
  };
}

function toReplay({ _id, status, sent }: ReplayDocument) {
  return { id: _id, status, sent };
}
