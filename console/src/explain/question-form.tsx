import { eventName } from '../format/event-name.ts';
import { ChoiceField, SelectField, TextField } from '../ui/fields.tsx';
import { isCurrency, minorUnitsOf, money } from '../format/format.ts';
import { hintOfMore } from '../data/load-events.ts';
import type { Question, Subject } from './question.ts';
import type { Catalogue } from './use-catalogue.ts';

const SUBJECTS: readonly (readonly [Subject, string])[] = [
  ['offering', 'Catalogue'],
  ['price', 'Price'],
  ['cart', 'Cart'],
  ['order', 'Order'],
];

interface Props {
  question: Question;
  catalogue: Catalogue;
  onChange: (changed: Partial<Question>) => void;
}

export function QuestionForm(props: Props) {
  const { question, onChange } = props;
  return (
    <form class="card question" aria-label="What is bought" onSubmit={(event) => event.preventDefault()}>
      <ChoiceField
        label="What to explain"
        value={question.of}
        onChange={(of) => onChange({ of, id: '' })}
        options={SUBJECTS}
      />
      {question.of === 'offering' && <CatalogueFields {...props} />}
      {question.of === 'price' && <PriceFields {...props} />}
      {question.of === 'cart' && (
        <TextField
          label="Cart session"
          hint="The id of the session, as the shop got it."
          placeholder="cs_…"
          value={question.id}
          onChange={(id) => onChange({ id })}
        />
      )}
      {question.of === 'order' && (
        <TextField
          label="Order"
          hint="The order number that the buyer has, or the order’s id."
          placeholder="SUMMER-1001"
          value={question.id}
          onChange={(id) => onChange({ id })}
        />
      )}
      {(question.of === 'offering' || question.of === 'price') && <BuyerFields {...props} />}
    </form>
  );
}

function CatalogueFields({ catalogue, onChange }: Props) {
  const { events, offerings, event, offering } = catalogue;
  // The answer's place says why there is nothing to choose from.
  if (events.value === undefined) return null;
  return (
    <>
      <SelectField
        label="Event"
        hint={hintOfMore(events.value)}
        value={event?.id ?? ''}
        onChange={(id) => onChange({ event: id, offering: '' })}
        options={events.value.items.map((one) => [one.id, eventName(one)])}
      />
      <SelectField
        label="Offering"
        value={offering?.id ?? ''}
        onChange={(id) => onChange({ event: event?.id ?? '', offering: id })}
        options={(offerings.value ?? []).map(({ id, name, price }) => [
          id,
          `${name}, ${money(price.amount, price.currency)}`,
        ])}
      />
    </>
  );
}

function PriceFields({ question, onChange }: Props) {
  const { currency, price } = question;
  const wrongCurrency = !isCurrency(currency);
  const wrongPrice = !wrongCurrency && minorUnitsOf(price, currency) === undefined;
  return (
    <>
      <div class="pair">
        <TextField
          label="List price"
          inputMode="decimal"
          value={price}
          problem={wrongPrice ? `Enter an amount in ${currency}, such as 50.` : undefined}
          onChange={(changed) => onChange({ price: changed })}
        />
        <TextField
          label="Currency"
          value={currency}
          problem={wrongCurrency ? 'Three letters, such as EUR.' : undefined}
          onChange={(changed) => onChange({ currency: changed.toUpperCase() })}
        />
      </div>
      <div class="pair">
        <TextField
          label="Event id"
          placeholder="evt_…"
          value={question.event}
          onChange={(event) => onChange({ event })}
        />
        <TextField
          label="Offering id"
          placeholder="off_…"
          value={question.offering}
          onChange={(offering) => onChange({ offering })}
        />
      </div>
    </>
  );
}

function BuyerFields({ question, catalogue, onChange }: Props) {
  const zone = question.of === 'offering' ? (catalogue.event?.timezone ?? 'UTC') : 'UTC';
  return (
    <>
      <div class="pair narrow-wide">
        <TextField
          label="Tickets"
          type="number"
          min={1}
          value={question.quantity}
          onChange={(quantity) => onChange({ quantity })}
        />
        <TextField
          label="Codes"
          hint="Separated by commas."
          placeholder="SUMMER20, EARLY"
          value={question.codes}
          onChange={(codes) => onChange({ codes })}
        />
      </div>
      <div class="pair">
        <TextField
          label="Segment"
          placeholder="member"
          value={question.segment}
          onChange={(segment) => onChange({ segment })}
        />
        <TextField
          label="Channel"
          placeholder="web"
          value={question.channel}
          onChange={(channel) => onChange({ channel })}
        />
      </div>
      <TextField
        label="Customer"
        hint="Decides how often this customer may still redeem."
        placeholder="cus_…"
        value={question.customer}
        onChange={(customer) => onChange({ customer })}
      />
      <TextField
        label="When"
        type="datetime-local"
        hint={`${zone} time. Empty: now.`}
        value={question.at}
        onChange={(at) => onChange({ at })}
      />
    </>
  );
}
