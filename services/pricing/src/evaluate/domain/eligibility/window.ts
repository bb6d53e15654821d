import { noLongerValid } from '@event-commerce/contracts';
import type { CompiledAdjustment, CompiledConditions } from '../../../snapshot/domain/compiled-adjustment.ts';
import type { Refusal } from './refusal.ts';

/**
 * Valid from `startsAt` up to, not including, `endsAt`. Only the window decides, not whether the status is active or
 * scheduled.
 */
export function windowRefusal(conditions: CompiledConditions, nowMs: number): Refusal | undefined {
  if (nowMs < conditions.startsAtMs) {
    return { reason: 'not-started', detail: `starts at ${iso(conditions.startsAtMs)}, it is ${iso(nowMs)}` };
  }
  if (nowMs >= conditions.endsAtMs) {
    return { reason: 'ended', detail: noLongerValid(conditions.endsAtMs, nowMs) };
  }
  return undefined;
}

export function isOpen({ startsAtMs, endsAtMs }: CompiledConditions, nowMs: number): boolean {
  return startsAtMs <= nowMs && nowMs < endsAtMs;
}

export function hasWindow({ conditions }: Pick<CompiledAdjustment, 'conditions'>): boolean {
  return conditions.startsAtMs !== -Infinity || conditions.endsAtMs !== Infinity;
}

function iso(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
