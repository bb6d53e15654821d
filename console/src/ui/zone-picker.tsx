import type { FieldProps } from './fields.tsx';
import { PickerField } from './picker.tsx';

const OFFERED_MAX = 50;

/** Picks a time zone of the IANA database by a part of its name. */
export function ZonePicker({
  value,
  onPick,
  ...field
}: FieldProps & { value: string; none?: string | undefined; onPick: (zone: string) => void }) {
  return (
    <PickerField
      {...field}
      value={value}
      shown={value}
      find={async (typed) => {
        const words = typed.toLowerCase().split(/[\s_/]+/);
        const isFound = (zone: string) => words.every((word) => zone.toLowerCase().includes(word));
        return [...Intl.supportedValuesOf('timeZone'), 'UTC']
          .filter(isFound)
          .slice(0, OFFERED_MAX)
          .map((zone) => ({ id: zone, text: zone, about: clockIn(zone), of: zone }));
      }}
      onPick={(zone) => onPick(zone ?? '')}
    />
  );
}

function clockIn(timeZone: string): string {
  return new Date().toLocaleTimeString(undefined, {
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'shortOffset',
  });
}
