import { setTimeout as delay } from 'node:timers/promises';
import type { ReplayDocument, WebhookDocument } from '../models.ts';
import { toMessage } from '../log/log.repository.ts';
import { type DeliverDeps, validSecrets } from './deliver-to-webhook.ts';
import type { ReplayRepository } from './replay.repository.ts';

const PAGE = 100;
/** Half as many subjects at once as for new events. */
const LANES = 4;
const AGAIN_AFTER_MS = 5_000;

export interface ReplayDeps extends DeliverDeps {
  replays: ReplayRepository;
}

/** Sends the past events that the webhook's company asked for again, until all are sent or `stopped`. */
export async function runReplay(deps: ReplayDeps, webhook: WebhookDocument, stopped: AbortSignal): Promise<void> {
  const { replays, logger } = deps;
  while (!stopped.aborted) {
    try {
      const running = await replays.running(webhook._id);
      if (running === undefined) return;
      if (await sendPage(deps, webhook, running, stopped)) continue;
    } catch (err) {
      logger.warn({ err, webhookId: webhook._id }, 'a replay failed; it continues');
    }
    await delay(AGAIN_AFTER_MS, undefined, { signal: stopped }).catch(() => undefined);
  }
}

/** Sends the next events of a replay. Returns false if one did not arrive: the replay then waits until it does. */
async function sendPage(
  deps: ReplayDeps,
  webhook: WebhookDocument,
  { _id, companyId, wants, among, cursor, upTo, from, to }: ReplayDocument,
  stopped: AbortSignal,
): Promise<boolean> {
  const { log, sender, slots, replays } = deps;
  const forgottenTo = await log.forgottenTo(companyId);
  const found = await log.read(
    companyId,
    { terms: [wants, ...(among === undefined ? [] : [among])], from, to },
    { after: Math.max(cursor, forgottenTo), upTo },
    { limit: PAGE, direction: 'oldest-first' },
  );
  const endpoint = { url: webhook.url, secrets: validSecrets(deps, webhook) };
  const lanes = Map.groupBy(found, ({ subject }) => subject).values();
  let [sent, reached] = [0, found.length === PAGE ? (found.at(-1)?.position ?? upTo) : upTo];
  await Promise.all(
    Array.from({ length: LANES }, async () => {
      for (const entries of lanes) {
        for (const entry of entries) {
          const outcome = stopped.aborted
            ? undefined
            : await slots.during(companyId, async () => sender.send(endpoint, toMessage(entry), { stopped }));
          if (outcome?.succeeded) sent += 1;
          else {
            reached = Math.min(reached, entry.position - 1);
            break;
          }
        }
      }
    }),
  );
  const isWhole = found.length === 0 || reached >= (found.at(-1)?.position ?? 0);
  await replays.advance(_id, { cursor: reached, sent, isDone: isWhole && found.length < PAGE });
  return isWhole;
}
