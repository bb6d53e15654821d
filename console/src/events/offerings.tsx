import { type components, dataOf } from '@event-commerce/client';
import { useState } from 'preact/hooks';
import { fieldProblems } from '../data/field-problems.ts';
import { OfferingBar, useOfferings } from '../sales/availability.tsx';
import { useSession } from '../shell/session.tsx';
import { ChoiceField, TextField } from '../ui/fields.tsx';
import { Loaded, Notice } from '../ui/states.tsx';
import {
  newOfferingDraft,
  OFFERING_PATHS,
  offeringChangeOf,
  offeringCreationOf,
  type OfferingDraft,
  offeringDraftOf,
  offeringProblems,
  saleText,
} from './offering-draft.ts';

type Schemas = components['schemas'];
type Event = Schemas['Event'];
type Offering = Schemas['Offering'];

const NEW = 'new';
const ABOUT: Record<Event['kind'], string> = {
  single: 'A ticket, a package, a seat: something with a price.',
  instance: 'This date sells nothing until it has an offering of its own.',
  series: 'Dates do not sell the offerings of their series: they get copies when you add them.',
};

/** What an event sells, how much of it is sold, and changing that. */
export function Offerings({ event }: { event: Event }) {
  const offerings = useOfferings(event.id);
  const [editing, setEditing] = useState<string>();
  const done = () => {
    setEditing(undefined);
    offerings.reload();
  };
  const form = (offering: Offering | undefined, currency?: string) => (
    <OfferingForm
      key={offering?.id ?? NEW}
      event={event}
      offering={offering}
      currency={currency}
      onSaved={done}
      onLeave={() => setEditing(undefined)}
    />
  );
  return (
    <section class="card" aria-label="Offerings">
      <h2>Offerings</h2>
      <Loaded from={offerings}>
        {({ items, next }) => (
          <div class="stack">
            {items.length === 0 && editing !== NEW && <Notice title="Nothing is sold yet">{ABOUT[event.kind]}</Notice>}
            {items.length > 0 && event.kind === 'series' && <p class="soft">{ABOUT.series}</p>}
            <ul class="bars">
              {items.map((offering) =>
                editing === offering.id ? (
                  <li key={offering.id} class="whole">
                    {form(offering)}
                  </li>
                ) : (
                  <OfferingBar key={offering.id} offering={offering}>
                    <small>{saleText(offering, event.timezone)}</small>
                    <button type="button" aria-label={`Edit ${offering.name}`} onClick={() => setEditing(offering.id)}>
                      Edit
                    </button>
                  </OfferingBar>
                ),
              )}
            </ul>
            {next !== undefined && <p class="soft">These are the newest ones; there are more.</p>}
            {editing === NEW ? (
              form(undefined, items[0]?.price.currency)
            ) : (
              <button type="button" class="add" onClick={() => setEditing(NEW)}>
                Add an offering
              </button>
            )}
          </div>
        )}
      </Loaded>
    </section>
  );
}

function OfferingForm({
  event,
  offering,
  currency,
  onSaved,
  onLeave,
}: {
  event: Event;
  /** Undefined for a new one. */
  offering: Offering | undefined;
  currency: string | undefined;
  onSaved: () => void;
  onLeave: () => void;
}) {
  const { client } = useSession();
  const zone = event.timezone ?? 'UTC';
  // What is sold meanwhile changes the record, not what is typed.
  const [saved] = useState(() =>
    offering === undefined ? newOfferingDraft(currency) : offeringDraftOf(offering, zone),
  );
  const [draft, setDraft] = useState(saved);
  const [busy, setBusy] = useState(false);
  const [isSent, setSent] = useState(false);
  const [error, setError] = useState<unknown>();
  const own = offeringProblems(draft);
  const refused = fieldProblems(error, OFFERING_PATHS);
  const problems = { ...refused.fields, ...(isSent ? own : {}) };
  const text = (field: keyof OfferingDraft) => ({
    value: draft[field],
    problem: problems[field],
    onChange: (value: string) => setDraft((last) => ({ ...last, [field]: value })),
  });
  const submit = async () => {
    setSent(true);
    if (busy || Object.keys(own).length > 0) return;
    setBusy(true);
    setError(undefined);
    try {
      if (offering === undefined) {
        const params = { path: { id: event.id } };
        await dataOf(client.POST('/v1/events/{id}/offerings', { params, body: offeringCreationOf(draft) }));
      } else {
        const params = { path: { id: offering.id } };
        await dataOf(client.PATCH('/v1/offerings/{id}', { params, body: offeringChangeOf(draft, saved) }));
      }
      onSaved();
    } catch (refusal) {
      setError(refusal);
      setBusy(false);
    }
  };
  return (
    <form
      class="question inset"
      inert={busy}
      aria-label={offering === undefined ? 'New offering' : `Offering ${offering.name}`}
      onSubmit={(submitted) => {
        submitted.preventDefault();
        void submit();
      }}
    >
      <TextField label="Offering" placeholder="Standing" {...text('name')} />
      <div class="pair">
        <TextField label="Price" inputMode="decimal" hint="Of one ticket." {...text('amount')} />
        <TextField
          label="Currency"
          {...text('currency')}
          onChange={(typed) => setDraft((last) => ({ ...last, currency: typed.toUpperCase() }))}
        />
      </div>
      <div class="pair">
        <TextField label="Tickets" inputMode="numeric" hint="Empty: no limit." {...text('capacity')} />
        <TextField label="Max per order" inputMode="numeric" hint="Empty: no limit." {...text('maxPerOrder')} />
        <TextField
          label="Max per customer"
          inputMode="numeric"
          hint="In all orders. Empty: no limit."
          {...text('maxPerCustomer')}
        />
      </div>
      <div class="pair stacks">
        <TextField
          label="On sale from"
          type="datetime-local"
          hint={`${zone} time. Empty: now.`}
          {...text('onSaleFrom')}
        />
        <TextField
          label="On sale until"
          type="datetime-local"
          hint={event.kind === 'series' ? 'Moves along with each date.' : 'Empty: until the event is over.'}
          {...text('onSaleUntil')}
        />
      </div>
      <TextField
        label="Tags"
        placeholder="seated, balcony"
        hint="Campaigns find tickets by them. Separated by commas."
        {...text('tags')}
      />
      <ChoiceField
        label="For sale"
        value={draft.status}
        onChange={(status) => setDraft((last) => ({ ...last, status }))}
        options={[
          ['active', 'For sale'],
          ['inactive', 'Not for sale'],
        ]}
      />
      <p class="problem" role="alert">
        {refused.rest}
      </p>
      <div class="form-end">
        <button type="submit" class="primary" disabled={busy}>
          {offering === undefined ? 'Put on sale' : 'Save offering'}
        </button>
        <button type="button" onClick={onLeave}>
          Back
        </button>
      </div>
    </form>
  );
}
