import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

export interface FieldProps {
  label: string;
  /** What the field means, and what to write. */
  hint?: ComponentChildren;
  problem?: string | undefined;
}

export function Field({
  label,
  hint,
  problem,
  children,
}: FieldProps & {
  children: (attributes: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }) => ComponentChildren;
}) {
  const id = useId();
  const described = hint !== undefined || problem !== undefined;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        ...(described ? { 'aria-describedby': `${id}-about` } : {}),
        ...(problem === undefined ? {} : { 'aria-invalid': true as const }),
      })}
      {described && (
        <small id={`${id}-about`} class={problem === undefined ? undefined : 'problem'}>
          {problem ?? hint}
        </small>
      )}
    </div>
  );
}

export function TextField({
  value,
  onChange,
  type = 'text',
  placeholder,
  required,
  min,
  inputMode,
  suggestions = [],
  ...field
}: FieldProps & {
  value: string;
  onChange: (value: string) => void;
  type?: 'text' | 'number' | 'datetime-local' | 'date' | 'time' | 'search';
  placeholder?: string;
  required?: boolean;
  min?: number;
  inputMode?: 'decimal' | 'numeric';
  /** What was written there before, to choose from. */
  suggestions?: readonly string[];
}) {
  const listId = useId();
  // Preact types the attributes of each type of input separately.
  const given: object = { type, placeholder, required, min, inputMode };
  return (
    <Field {...field}>
      {(attributes) => (
        <>
          <input
            {...attributes}
            {...given}
            value={value}
            list={suggestions.length === 0 ? undefined : listId}
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => onChange(event.currentTarget.value)}
          />
          {suggestions.length > 0 && (
            <datalist id={listId}>
              {suggestions.map((one) => (
                <option key={one} value={one} />
              ))}
            </datalist>
          )}
        </>
      )}
    </Field>
  );
}

/** Text of several lines. */
export function TextAreaField({
  value,
  onChange,
  placeholder,
  ...field
}: FieldProps & { value: string; onChange: (value: string) => void; placeholder?: string }) {
  return (
    <Field {...field}>
      {(attributes) => (
        <textarea
          {...attributes}
          rows={3}
          placeholder={placeholder}
          value={value}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

export function SelectField({
  value,
  onChange,
  options,
  ...field
}: FieldProps & { value: string; onChange: (value: string) => void; options: readonly (readonly [string, string])[] }) {
  return (
    <Field {...field}>
      {(attributes) => (
        <select {...attributes} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
          {options.map(([key, text]) => (
            <option key={key} value={key}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** A choice of one among a few, all in sight. */
export function ChoiceField<T extends string>({
  label,
  value,
  onChange,
  options,
}: {
  label: string;
  value: T;
  onChange: (value: T) => void;
  options: readonly (readonly [T, string])[];
}) {
  const name = useId();
  return (
    <fieldset class="choice">
      <legend class="visually-hidden">{label}</legend>
      {options.map(([key, text]) => (
        <label key={key}>
          <input type="radio" name={name} checked={key === value} onChange={() => onChange(key)} />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  );
}
