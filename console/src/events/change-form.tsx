import { type components, dataOf } from '@event-commerce/client';
import { useState } from 'preact/hooks';
import { fieldProblems } from '../data/field-problems.ts';
import { count, day as dayOf, number, time } from '../format/format.ts';
import { TextField } from '../ui/fields.tsx';
import { CHANGE_PATHS, type ChangeDraft, changeOf, changeProblems } from './change-draft.ts';
import { doneOf, useDatesWork } from './dates-work.ts';
import { WeekdayChoice } from '../ui/weekday-choice.tsx';

type Schemas = components['schemas'];

/** How many of the dates that are left alone are listed. */
const LISTED = 12;

const ALSO_TEXT = {
  byHand: 'that were changed on their own',
  sold: 'with tickets that are sold or held',
};

const EMPTY: ChangeDraft = {
  from: '',
  to: '',
  weekdays: [],
  startsAt: '',
  endsAt: '',
  capacity: '',
  name: '',
  byHand: false,
  sold: false,
};

/** Changes many dates of a series, after showing which change and which are left alone. */
export function ChangeForm({
  series,
  onChanged,
  onLeave,
}: {
  series: Schemas['Event'];
  onChanged: () => void;
  onLeave: () => void;
}) {
  const zone = series.timezone ?? 'UTC';
  const [draft, setDraft] = useState(EMPTY);
  const type = (typed: Partial<ChangeDraft>) => {
    setDraft((last) => ({ ...last, ...typed }));
    dates.forget();
  };
  const own = changeProblems(draft);
  const body = Object.keys(own).length === 0 ? changeOf(draft) : undefined;
  const dates = useDatesWork(series.id, body, async (client, asked, signal) => {
    const params = { path: { seriesId: series.id } };
    const init = { params, body: asked, ...(signal === undefined ? {} : { signal }) };
    return await dataOf(client.PATCH('/v1/events/{seriesId}/instances', init));
  });
  const { plan, work, run, busy, error, isAsking } = dates;
  const shown = work ?? plan;
  const changed = shown?.dates.length ?? 0;

  const refused = fieldProblems(error, CHANGE_PATHS);
  const problems = { ...refused.fields, ...own };
  const text = (field: keyof typeof CHANGE_PATHS) => ({
    value: draft[field],
    problem: problems[field],
    onChange: (value: string) => type({ [field]: value }),
  });
  return (
    <form
      class="card question"
      aria-label="Change many dates"
      onSubmit={(submit) => {
        submit.preventDefault();
        if (changed > 0) void run(onChanged);
      }}
    >
      <h2>Change many dates</h2>
      <div class="pair">
        <TextField label="From" type="date" hint="Empty: the first date." {...text('from')} />
        <TextField label="To" type="date" hint="Empty: the last date." {...text('to')} />
      </div>
      <WeekdayChoice chosen={draft.weekdays} onChange={(weekdays) => type({ weekdays })} />
      <div class="pair">
        <TextField label="New start" type="time" hint={`${zone} time.`} {...text('startsAt')} />
        <TextField label="New end" type="time" hint="Empty: as it is." {...text('endsAt')} />
      </div>
      <TextField label="New capacity" inputMode="numeric" hint="Empty: as it is." {...text('capacity')} />
      <TextField label="New name" hint="Empty: as it is." {...text('name')} />
      <fieldset class="scopes">
        <legend>Also change dates</legend>
        {(['byHand', 'sold'] as const).map((which) => (
          <label key={which}>
            <input
              type="checkbox"
              checked={draft[which]}
              onChange={({ currentTarget: { checked } }) => type({ [which]: checked })}
            />
            <span>{ALSO_TEXT[which]}</span>
          </label>
        ))}
      </fieldset>
      <p class="problem" role="alert">
        {refused.rest}
      </p>
      <div role="status" class="soft">
        {body === undefined && 'Fill in what is new to see which dates would change.'}
        {shown === undefined && isAsking && 'Finding the dates …'}
        {shown !== undefined && <p>{planText(shown, zone)}</p>}
        {work?.status === 'running' && <progress aria-label="Dates dealt with" value={doneOf(work)} max={work.total} />}
      </div>
      {shown !== undefined && shown.leftAlone.length > 0 && (
        <ul class="overrides" aria-label="Left alone">
          {shown.leftAlone.slice(0, LISTED).map(({ eventId, startsAt, why }) => (
            <li key={eventId}>
              <span>
                <b>{time(startsAt, zone)}</b>
                <small>{why}</small>
              </span>
            </li>
          ))}
          {shown.leftAlone.length > LISTED && <li>… and {number(shown.leftAlone.length - LISTED)} more</li>}
        </ul>
      )}
      <div class="form-end">
        <button type="submit" class="primary" disabled={busy || work !== undefined || changed === 0}>
          {busy ? 'Changing …' : changed === 0 ? 'Change dates' : `Change ${count(changed, 'date')}`}
        </button>
        <button type="button" onClick={onLeave}>
          Add dates
        </button>
      </div>
    </form>
  );
}

/** `12 dates would be changed: Jun 4, 2027 to Aug 27, 2027. 2 dates would be left alone:` */
function planText({ status, dates, leftAlone, total }: Schemas['DatesJob'], zone: string): string {
  if (total === 0) return 'The series has no such dates.';
  const would = status === 'preview' ? (n: number) => `${count(n, 'date')} would be` : (n: number) => count(n, 'date');
  const [first, last] = [dates[0], dates.at(-1)];
  const span =
    first === undefined || last === undefined || dates.length === 1
      ? ''
      : `: ${dayOf(first.startsAt, zone)} to ${dayOf(last.startsAt, zone)}`;
  const rest = leftAlone.length === 0 ? '' : ` ${would(leftAlone.length)} left alone:`;
  return `${would(dates.length)} changed${span}.${rest}`;
}
