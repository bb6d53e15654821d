import type { components } from '@event-commerce/client';
import { weekText } from '../format/condition-text.ts';
import { WEEKDAYS } from '../format/weekdays.ts';
import { TextField } from '../ui/fields.tsx';
import { WeekdayChoice } from '../ui/weekday-choice.tsx';
import { ZonePicker } from '../ui/zone-picker.tsx';

export type RecurringWindow = NonNullable<components['schemas']['Conditions']['recurring']>[number];

const DAY_MINUTES = 24 * 60;
const END_OF_DAY = '24:00';

interface Props {
  windows: readonly RecurringWindow[];
  /** The zone of a new window. */
  zone: string;
  problem: string | undefined;
  onChange: (windows: readonly RecurringWindow[]) => void;
}

/** The times of the week at which a campaign counts, and a drawing of them. */
export function WindowFields({ windows, zone, problem, onChange }: Props) {
  const change = (index: number, changed: Partial<RecurringWindow>) =>
    onChange(windows.map((one, n) => (n === index ? { ...one, ...changed } : one)));
  return (
    <>
      {windows.map((window, index) => (
        <fieldset key={index} class="rows" aria-label={`Time ${index + 1}`}>
          <WeekdayChoice chosen={window.days} onChange={(days) => change(index, { days: [...days] })} />
          <div class="row">
            <TextField
              label="From"
              type="time"
              required
              value={window.from}
              onChange={(from) => change(index, { from })}
            />
            <TextField
              label="Until"
              type="time"
              required
              value={window.to === END_OF_DAY ? '00:00' : window.to}
              onChange={(to) => change(index, { to: to === '00:00' ? END_OF_DAY : to })}
            />
            <button
              type="button"
              aria-label={`Remove time ${index + 1}`}
              onClick={() => onChange(windows.filter((_, n) => n !== index))}
            >
              Remove
            </button>
          </div>
          <ZonePicker
            label="Time zone"
            hint="Whose clock decides. A time that ends before it begins ends on the next day."
            value={window.timezone}
            onPick={(timezone) => change(index, { timezone })}
          />
        </fieldset>
      ))}
      <p class="problem" role="alert">
        {problem}
      </p>
      {windows.length > 0 && problem === undefined && <Week windows={windows} />}
      <button
        type="button"
        class="add"
        onClick={() => onChange([...windows, { days: ['mon'], from: '17:00', to: '19:00', timezone: zone }])}
      >
        Add a time
      </button>
    </>
  );
}

/** A column for each day, from midnight to midnight. */
function Week({ windows }: { windows: readonly RecurringWindow[] }) {
  return (
    <figure class="week" role="img" aria-label={weekText({ recurring: [...windows] })}>
      {WEEKDAYS.map((day) => (
        <div key={day}>
          <span>{day}</span>
          <div class="week-day">
            {openOn(day, windows).map(([from, to]) => (
              <i key={`${from}-${to}`} style={{ top: percent(from), height: percent(to - from) }} />
            ))}
          </div>
        </div>
      ))}
    </figure>
  );
}

/** When it counts on a day: minutes since midnight. What goes on past midnight is on the next day too. */
export function openOn(
  day: RecurringWindow['days'][number],
  windows: readonly RecurringWindow[],
): (readonly [number, number])[] {
  const before = WEEKDAYS[(WEEKDAYS.indexOf(day) + WEEKDAYS.length - 1) % WEEKDAYS.length];
  return windows.flatMap(({ days, from, to }) => {
    const [begins, ends] = [minutesOf(from), minutesOf(to)];
    const endsNextDay = ends <= begins;
    return [
      ...(days.includes(day) ? [[begins, endsNextDay ? DAY_MINUTES : ends] as const] : []),
      ...(endsNextDay && ends > 0 && before !== undefined && days.includes(before) ? [[0, ends] as const] : []),
    ];
  });
}

function minutesOf(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  return 60 * hours + minutes;
}

function percent(minutes: number): string {
  return `${(100 * minutes) / DAY_MINUTES}%`;
}
