import { type EventOverrides, invalidInput } from '@event-commerce/contracts';

/**
 * Refuses a change of the times, `given`, after which the event would not end later than it starts. `merged` is the event after
 * the change, what it inherits included. A change that leaves both times alone passes, whatever they are: a series that moves, or
 * a revert, is never refused for the sake of an instance, so an instance may stand wrong until somebody sets its times.
 *
 * @throws {PlatformError} VALIDATION_FAILED
 */
export function refuseWrongTimes(given: object, own: EventOverrides, merged: EventOverrides): void {
  if (!('startsAt' in given) && !('endsAt' in given)) return;
  const { startsAt, endsAt } = merged;
  if (startsAt === undefined || endsAt === undefined || startsAt < endsAt) return;
  const from = (field: 'startsAt' | 'endsAt') => (own[field] === undefined ? ', inherited from the series' : '');
  const message = `must be after startsAt (startsAt is ${startsAt}${from('startsAt')}; endsAt is ${endsAt}${from('endsAt')})`;
  throw invalidInput('endsAt', message);
}
