import { type Weekday, WEEKDAYS } from '../format/weekdays.ts';

/** Some days of the week. */
export function WeekdayChoice({
  chosen,
  onChange,
}: {
  chosen: readonly Weekday[];
  onChange: (days: readonly Weekday[]) => void;
}) {
  return (
    <fieldset class="choice weekdays">
      <legend class="visually-hidden">Days of the week</legend>
      {WEEKDAYS.map((weekday) => (
        <label key={weekday}>
          <input
            type="checkbox"
            checked={chosen.includes(weekday)}
            onChange={({ currentTarget: { checked } }) => {
              const others = chosen.filter((one) => one !== weekday);
              onChange(checked ? [...others, weekday] : others);
            }}
          />
          <span>{weekday.slice(0, 1).toUpperCase() + weekday.slice(1)}</span>
        </label>
      ))}
    </fieldset>
  );
}
