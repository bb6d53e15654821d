import { setTimeout as delay } from 'node:timers/promises';
import { keyOfTenant, type Tenant } from '@event-commerce/contracts';
import type { Loop } from '@event-commerce/service-kit';
import type { HeadFollower } from '../feed/follow-head.ts';
import type { Position } from '../log/domain/position.ts';
import type { WebhookDocument } from '../models.ts';
import { type Wake, webhookDelivery } from './deliver-to-webhook.ts';
import { type ReplayDeps, runReplay } from './replay.ts';

/** How often changed webhooks are looked for: no attempt begins later than this after its webhook was paused. */
const LOOK_EVERY_MS = 500;
/** The same while there are none: the first one is found within this time. */
const IDLE_LOOK_EVERY_MS = 1_000;
/** How often the log is read without having heard that it grew. */
const READ_EVERY_MS = 5_000;
/** Clocks of replicas differ, and writes are seen late: what changed in this time is read again. */
const LOOK_BACK_MS = 60_000;

interface Running {
  touched: number;
  stop: AbortController;
  done: Promise<void>;
}

export interface DeliverAllDeps extends ReplayDeps {
  head: HeadFollower;
  holdsLease: () => Promise<boolean>;
}

/**
 * Delivers to all webhooks, as long as this process holds the lease: one replica does. For a moment two may: then
 * events are repeated, and none is lost.
 */
export function deliverWebhooks(deps: DeliverAllDeps): Loop {
  const { webhooks, head, log, holdsLease, clock } = deps;
  const running = new Map<string, Running>();
  const wakers = wakersOf();

  const start = (webhook: WebhookDocument): void => {
    const stop = new AbortController();
    const wake = wakers.of(webhook.companyId);
    const done = Promise.all([
      webhookDelivery(deps, webhook, wake).run(stop.signal),
      runReplay(deps, webhook, stop.signal),
    ]).then(() => undefined);
    running.set(webhook._id, { touched: webhook.touched.getTime(), stop, done });
  };

  const stop = async (id: string): Promise<void> => {
    const one = running.get(id);
    running.delete(id);
    one?.stop.abort();
    await one?.done;
  };

  /** Starts, stops and restarts what changed since `since`. */
  const look = async (since: Date): Promise<void> => {
    const touched = await webhooks.touchedSince(since);
    const changed = touched.filter(({ _id, touched: at }) => running.get(_id)?.touched !== at.getTime());
    // All at once: the attempts of one may wait behind those of others.
    for (const { _id } of changed) running.get(_id)?.stop.abort();
    for (const webhook of changed) {
      // Its attempts end first: no event is sent by two at once.
      await stop(webhook._id);
      // They have raised its cursor.
      const current = await webhooks.find(webhook.companyId, webhook._id);
      if (current?.status === 'active') start(current);
    }
  };

  const followLog = async (stopped: AbortSignal): Promise<void> => {
    let seen: Position = (await log.head())?.position ?? 0;
    while (!stopped.aborted) {
      await head.grownBeyond(seen, READ_EVERY_MS, stopped);
      const upTo = (await log.head())?.position ?? seen;
      if (upTo <= seen || running.size === 0) {
        seen = Math.max(seen, upTo);
        continue;
      }
      for (const tenant of await log.companiesBetween({ after: seen, upTo })) wakers.wake(tenant, upTo);
      seen = upTo;
    }
  };

  return {
    name: 'delivering webhooks',
    everyMs: 1_000,
    firstAfterMs: 0,
    run: async (stopped) => {
      if (!(await holdsLease())) return;
      const lost = new AbortController();
      const ending = AbortSignal.any([stopped, lost.signal]);
      const following = followLog(ending).catch((err: unknown) => lost.abort(err));
      let since = new Date(0);
      try {
        while (!ending.aborted && (await holdsLease())) {
          const next = new Date(clock().getTime() - LOOK_BACK_MS);
          await look(since);
          since = next;
          const pauseMs = running.size === 0 ? IDLE_LOOK_EVERY_MS : LOOK_EVERY_MS;
          await delay(pauseMs, undefined, { signal: ending }).catch(() => undefined);
        }
      } finally {
        lost.abort();
        await Promise.all([following, ...[...running.keys()].map(stop)]);
      }
    },
  };
}

/** Wakes those who wait for a company's log to grow. */
function wakersOf() {
  const waiting = new Map<string, Set<() => void>>();
  const grownTo = new Map<string, Position>();
  return {
    wake(tenant: Tenant, position: Position): void {
      const key = keyOfTenant(tenant);
      const all = waiting.get(key);
      if (all === undefined) return;
      grownTo.set(key, position);
      for (const go of all) go();
    },
    of(tenant: Tenant): Wake {
      const key = keyOfTenant(tenant);
      const all = waiting.get(key) ?? new Set();
      waiting.set(key, all);
      return {
        grownTo: () => grownTo.get(key) ?? 0,
        after: async (position, waitMs, stopped) => {
          if (stopped.aborted || (grownTo.get(key) ?? 0) > position) return;
          const { promise, resolve } = Promise.withResolvers<void>();
          const go = () => resolve();
          all.add(go);
          stopped.addEventListener('abort', go);
          const timer = setTimeout(go, waitMs);
          await promise;
          clearTimeout(timer);
          stopped.removeEventListener('abort', go);
          all.delete(go);
        },
      };
    },
  };
}
