import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useResource } from '../data/resource.ts';
import { useSettled } from '../data/use-settled.ts';
import { Field, type FieldProps } from './fields.tsx';
import { sentenceOf } from './states.tsx';

/** Something that can be picked. */
export interface Choice<T> {
  id: string;
  /** What the field shows once it is picked. */
  text: string;
  /** What distinguishes it from others of the same name. */
  about?: string;
  of: T;
}

/** Picks one of many by its name: type to search, choose with the arrow keys or the mouse. */
export function PickerField<T>({
  shown,
  value,
  none,
  find,
  findsIn = '',
  onPick,
  ...field
}: FieldProps & {
  /** The text of what is picked. */
  shown: string;
  /** The id of what is picked; empty if nothing is. */
  value: string;
  /** What picking nothing is called; undefined where something must be picked. */
  none?: string | undefined;
  /** What matches, best first. */
  find: (typed: string, signal: AbortSignal) => Promise<readonly Choice<T>[]>;
  /** What `find` searches in: it searches again when this changes. */
  findsIn?: string | undefined;
  onPick: (picked: T | undefined) => void;
}) {
  const listId = useId();
  const list = useRef<HTMLUListElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(0);
  const asked = useSettled(typed.trim());
  const found = useResource(
    async (signal) => (isOpen ? { asked, choices: await find(asked, signal) } : undefined),
    [isOpen, asked, findsIn],
  );
  const choices = found.value?.choices ?? [];
  const options: readonly (Choice<T> | undefined)[] =
    none !== undefined && typed.trim() === '' ? [undefined, ...choices] : choices;
  const isCurrent = found.value?.asked === typed.trim();
  const open = () => {
    if (isOpen) return;
    setTyped('');
    setActive(0);
    setOpen(true);
  };
  const pick = (choice: Choice<T> | undefined) => {
    setOpen(false);
    onPick(choice?.of);
  };
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event;
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault();
      const step = key === 'ArrowDown' ? 1 : -1;
      if (!isOpen) open();
      else if (options.length > 0) setActive((active + step + options.length) % options.length);
    } else if (isOpen && key === 'Enter') {
      event.preventDefault();
      // What was found for the beginning of a word is not picked for the whole word.
      if (isCurrent && active < options.length) pick(options[active]);
    } else if (isOpen && key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      setOpen(false);
    }
  };

  return (
    <Field {...field}>
      {(attributes) => (
        <div class="picker">
          <input
            {...attributes}
            type="text"
            role="combobox"
            aria-expanded={isOpen}
            aria-controls={isOpen ? listId : undefined}
            aria-autocomplete="list"
            aria-activedescendant={isOpen && active < options.length ? `${listId}-${active}` : undefined}
            autocomplete="off"
            spellcheck={false}
            placeholder={isOpen && shown !== '' ? shown : (none ?? 'Search by name')}
            value={isOpen ? typed : shown}
            onFocus={(event) => event.currentTarget.select()}
            onClick={open}
            onBlur={() => setOpen(false)}
            onInput={(event) => {
              setOpen(true);
              setActive(0);
              setTyped(event.currentTarget.value);
            }}
            onKeyDown={onKeyDown}
          />
          {isOpen && (
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the field keeps the focus
            <div class="picker-list" onMouseDown={(event) => event.preventDefault()}>
              {options.length > 0 && (
                <ul ref={list} id={listId} role="listbox" aria-label={field.label}>
                  {options.map((choice, index) => (
                    <li
                      key={choice?.id ?? ''}
                      id={`${listId}-${index}`}
                      role="option"
                      aria-selected={index === active}
                      class={(choice?.id ?? '') === value ? 'picked' : undefined}
                      onMouseMove={() => setActive(index)}
                      onClick={() => pick(choice)}
                    >
                      {choice?.text ?? none}
                      {choice?.about !== undefined && <small>{choice.about}</small>}
                    </li>
                  ))}
                </ul>
              )}
              <p role="status" class="soft">
                {found.error !== undefined && sentenceOf(found.error)}
                {found.error === undefined && choices.length === 0 && (isCurrent ? 'Nothing matches.' : 'Searching …')}
              </p>
            </div>
          )}
        </div>
      )}
    </Field>
  );
}
