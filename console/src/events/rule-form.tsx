import { type components, dataOf } from '@event-commerce/client';
import { useEffect, useState } from 'preact/hooks';
import { fieldProblems } from '../data/field-problems.ts';
import { count, day as dayOf, number, time } from '../format/format.ts';
import { localOf } from '../format/zoned-time.ts';
import { ChoiceField, SelectField, TextField } from '../ui/fields.tsx';
import { doneOf, useDatesWork } from './dates-work.ts';
import { datesOf, REPEATS, type Repeats, RULE_PATHS, type RuleDraft, ruleProblems, weekdaysOf } from './rule-draft.ts';
import { WeekdayChoice } from '../ui/weekday-choice.tsx';

type Schemas = components['schemas'];

/** Adds dates to a series by a rule, after showing them in the calendar. */
export function RuleForm({
  series,
  onPlanned,
  onAdded,
  onChangeMany,
}: {
  series: Schemas['Event'];
  /** When those dates of the rule start that the series does not have yet. */
  onPlanned: (instants: readonly string[]) => void;
  /** Dates were added; the first one starts at `first`. */
  onAdded: (first: string) => void;
  /** The existing dates are to be changed instead. */
  onChangeMany: () => void;
}) {
  const zone = series.timezone ?? 'UTC';
  const [draft, setDraft] = useState<RuleDraft>(() => ({
    from: '',
    time: series.startsAt === undefined ? '20:00' : localOf(series.startsAt, zone).slice(11),
    repeats: '1',
    weekdays: [],
    until: '',
    except: '',
    capacity: '',
    offerings: 'copy',
  }));
  const type = (typed: Partial<RuleDraft>) => setDraft((last) => ({ ...last, ...typed }));
  const own = ruleProblems(draft);
  const body = Object.keys(own).length === 0 ? datesOf(draft) : undefined;
  const { plan, work, run, busy, error, isAsking } = useDatesWork(series.id, body, async (client, asked, signal) => {
    const params = { path: { seriesId: series.id } };
    const init = { params, body: asked, ...(signal === undefined ? {} : { signal }) };
    return await dataOf(client.POST('/v1/events/{seriesId}/instances/by-rule', init));
  });
  const added = plan?.dates ?? [];
  const shown = JSON.stringify(added.map(({ startsAt }) => startsAt));
  useEffect(() => {
    onPlanned(JSON.parse(shown) as string[]);
    return () => onPlanned([]);
  }, [shown]);

  const add = async () => {
    const [first] = added;
    if (first !== undefined) await run(() => onAdded(first.startsAt));
  };

  const refused = fieldProblems(error, RULE_PATHS);
  const problems = { ...refused.fields, ...own };
  const text = (field: Exclude<keyof RuleDraft, 'weekdays' | 'repeats' | 'offerings'>) => ({
    value: draft[field],
    problem: problems[field],
    onChange: (value: string) => type({ [field]: value }),
  });
  const isOnce = draft.repeats === 'once';
  return (
    <form
      class="card question"
      aria-label="Add dates"
      onSubmit={(submit) => {
        submit.preventDefault();
        void add();
      }}
    >
      <h2>Add dates</h2>
      <div class="pair">
        <TextField label={isOnce ? 'On' : 'From'} type="date" {...text('from')} />
        <TextField label="At" type="time" hint={`${zone} time.`} {...text('time')} />
      </div>
      <SelectField
        label="Repeats"
        value={draft.repeats}
        onChange={(repeats) => type({ repeats: repeats as Repeats })}
        options={REPEATS}
      />
      {!isOnce && (
        <>
          <WeekdayChoice chosen={weekdaysOf(draft)} onChange={(weekdays) => type({ weekdays })} />
          <TextField label="Until" type="date" hint="The last day that may have a date." {...text('until')} />
          <TextField
            label="Not on"
            placeholder="2027-12-24, 2027-12-25"
            hint="Days without a date, separated by commas."
            {...text('except')}
          />
        </>
      )}
      <TextField
        label="Capacity of each date"
        inputMode="numeric"
        hint={series.capacity === undefined ? 'Empty: no limit.' : `Empty: ${number(series.capacity)}, as the series.`}
        {...text('capacity')}
      />
      <ChoiceField
        label="Offerings"
        value={draft.offerings}
        onChange={(offerings) => type({ offerings })}
        options={[
          ['copy', 'With the offerings of the series'],
          ['none', 'Without offerings'],
        ]}
      />
      {body !== undefined && <code class="rule">{body.rule}</code>}
      <p class="problem" role="alert">
        {refused.rest}
      </p>
      <div role="status" class="soft">
        {body === undefined && 'Fill in the days and the time to see the dates.'}
        {isAsking && 'Finding the dates …'}
        {plan !== undefined && !busy && <p>{planText(plan, zone)}</p>}
        {work !== undefined && work.status === 'running' && (
          <label class="progress">
            {number(doneOf(work))} of {count(work.total, 'date')} made
            <progress value={doneOf(work)} max={work.total} />
          </label>
        )}
        {work?.status === 'done' &&
          work.stopped === undefined &&
          `Done: the series has all ${count(work.total, 'date')}.`}
      </div>
      {work?.stopped !== undefined && <p class="problem">It stopped: {work.stopped}</p>}
      <div class="form-end">
        <button type="submit" class="primary" disabled={busy || added.length === 0}>
          {busy ? 'Adding …' : added.length === 0 ? 'Add dates' : `Add ${count(added.length, 'date')}`}
        </button>
        <button type="button" onClick={onChangeMany}>
          Change many dates
        </button>
      </div>
    </form>
  );
}

/** `26 dates, 2 of which are there already: Sep 3 to Dec 31, 2027.` */
function planText({ dates: added, leftAlone }: Schemas['DatesJob'], zone: string): string {
  const dates = [...added, ...leftAlone].toSorted((a, b) => (a.startsAt < b.startsAt ? -1 : 1));
  const [first, last] = [dates[0], dates.at(-1)];
  if (first === undefined || last === undefined) return '';
  const existing = leftAlone.length;
  const there =
    existing === 0
      ? ''
      : existing === dates.length
        ? ', all of which are there already'
        : `, ${number(existing)} of which ${existing === 1 ? 'is' : 'are'} there already`;
  if (dates.length === 1) return `${time(first.startsAt, zone)}${existing === 1 ? ' is there already' : ''}.`;
  return `${count(dates.length, 'date')}${there}: ${dayOf(first.startsAt, zone)} to ${dayOf(last.startsAt, zone)}.`;
}
