import { noLongerValid } from '@event-commerce/contracts';
import type { CompiledAdjustment, CompiledConditions } from '../../../snapshot/domain/compiled-adjustment.ts';
import { isInWindow, nextOpening } from '../windows/recurring-windows.ts';
import { localTimeText, windowsText } from '../windows/window-text.ts';
import type { Refusal } from './refusal.ts';

type Window = Pick<CompiledConditions, 'startsAtMs' | 'endsAtMs' | 'windows'>;

/**
 * Valid from `startsAt` up to, not including, `endsAt`, and then only in its recurring windows. Only the window
 * decides, not whether the status is active or scheduled.
 */
export function windowRefusal(conditions: CompiledConditions, nowMs: number): Refusal | undefined {
  if (nowMs < conditions.startsAtMs) {
    return { reason: 'not-started', detail: `starts at ${iso(conditions.startsAtMs)}, it is ${iso(nowMs)}` };
  }
  if (nowMs >= conditions.endsAtMs) {
    return { reason: 'ended', detail: noLongerValid(conditions.endsAtMs, nowMs) };
  }
  const { windows } = conditions;
  if (windows === undefined || isInWindow(windows, nowMs)) return undefined;
  return {
    reason: 'outside-recurring-window',
    detail: `runs ${windowsText(windows.map(({ given }) => given))}, ${nextText(conditions, nowMs)}`,
  };
}

function nextText({ windows = [], endsAtMs }: CompiledConditions, nowMs: number): string {
  const next = nextOpening(windows, nowMs);
  if (next === undefined || next.atMs >= endsAtMs) return 'and not again before it ends';
  return `next on ${localTimeText(next.timezone, next.atMs)}`;
}

export function isOpen({ startsAtMs, endsAtMs, windows }: Window, nowMs: number): boolean {
  return startsAtMs <= nowMs && nowMs < endsAtMs && (windows === undefined || isInWindow(windows, nowMs));
}

export function hasWindow({ conditions }: Pick<CompiledAdjustment, 'conditions'>): boolean {
  const { startsAtMs, endsAtMs, windows } = conditions;
  return startsAtMs !== -Infinity || endsAtMs !== Infinity || windows !== undefined;
}

function iso(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
