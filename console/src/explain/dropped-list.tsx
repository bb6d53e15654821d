import type { components } from '@event-commerce/client';
import { time } from '../format/format.ts';
import type { HowFar } from './how-far.ts';

type Dropped = components['schemas']['DroppedAdjustment'];

/** Adjustments for other tickets, or that were not asked for: of interest only to somebody who misses one. */
const NOT_MEANT: ReadonlySet<Dropped['reason']> = new Set(['target-mismatch', 'code-not-presented']);

/** Every adjustment that did not apply, with its sentence; those that were meant for this purchase first. */
export function DroppedList({
  dropped,
  away,
  mark,
  timeZone,
}: {
  dropped: readonly Dropped[];
  away: ReadonlyMap<string, HowFar>;
  /** The adjustment that this is about: it is always in sight. */
  mark?: string | undefined;
  /** The event's time zone, in which times are shown. */
  timeZone: string | undefined;
}) {
  // The buyer entered the code of an adjustment that another replaced: it redeems the other.
  const isMeant = (one: Dropped) =>
    !NOT_MEANT.has(one.reason) || one.replacedBy !== undefined || one.adjustmentId === mark;
  const meant = dropped.filter(isMeant).toSorted((a, b) => Number(isMarked(b)) - Number(isMarked(a)));
  const others = dropped.filter((one) => !isMeant(one));
  const replacedBy = (id: string | undefined) => dropped.find(({ adjustmentId }) => adjustmentId === id)?.name;
  function isMarked({ adjustmentId }: Dropped): boolean {
    return adjustmentId === mark;
  }
  if (dropped.length === 0) return <p class="soft">Nothing was left out.</p>;
  return (
    <>
      {meant.length === 0 && <p class="soft">Everything that is meant for these tickets applied.</p>}
      <ul class="reasons">
        {meant.map((one) => (
          <Reason
            key={one.adjustmentId}
            dropped={one}
            away={away.get(one.adjustmentId)}
            replacedBy={replacedBy(one.replacedBy)}
            marked={isMarked(one)}
            timeZone={timeZone}
          />
        ))}
      </ul>
      {others.length > 0 && (
        <details>
          <summary>{others.length} for other tickets, or with a code that was not entered</summary>
          <ul class="reasons">
            {others.map((one) => (
              <Reason
                key={one.adjustmentId}
                dropped={one}
                away={undefined}
                replacedBy={undefined}
                marked={false}
                timeZone={timeZone}
              />
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function Reason({
  dropped: { name, category, detail },
  away,
  replacedBy,
  marked,
  timeZone,
}: {
  dropped: Dropped;
  away: HowFar | undefined;
  replacedBy: string | undefined;
  marked: boolean;
  timeZone: string | undefined;
}) {
  return (
    <li class={marked ? 'marked' : undefined}>
      <div class="reason-head">
        <b>{name ?? 'An adjustment with a code'}</b>
        <span class="badge">{category}</span>
      </div>
      <p>
        {sentence(detail, timeZone)}
        {replacedBy !== undefined && ` See ${replacedBy}.`}
      </p>
      {away !== undefined && (
        <div class="away">
          {away.share !== undefined && (
            <span class="meter" aria-hidden="true">
              <i style={{ width: `${Math.min(1, away.share) * 100}%` }} />
            </span>
          )}
          <span class="badge near">{away.text}</span>
        </div>
      )}
    </li>
  );
}

const INSTANT = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/** The platform's reasons begin with their verb, and have its times: `needs at least 4 tickets, the cart has 2`. */
function sentence(detail: string, timeZone: string | undefined): string {
  const local = detail.replaceAll(INSTANT, (instant) => time(instant, timeZone));
  return `${local.charAt(0).toUpperCase()}${local.slice(1)}${local.endsWith('.') ? '' : '.'}`;
}
