import { EventPicker } from '../ui/event-picker.tsx';
import { ChoiceField, TextField } from '../ui/fields.tsx';
import { isCurrency, minorUnitsOf } from '../format/format.ts';
import { OfferingPicker } from '../ui/offering-picker.tsx';
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

function CatalogueFields({ question, catalogue, onChange }: Props) {
  const { event, offering } = catalogue;
  return (
    <>
      <EventPicker
        label="Event"
        value={event?.id ?? question.event}
        known={event}
        onPick={(picked) => onChange({ event: picked?.id ?? '', offering: '' })}
      />
      <OfferingPicker
        label="Offering"
        value={offering?.id ?? question.offering}
        known={offering}
        eventId={event?.id ?? ''}
        onPick={(picked) => onChange({ event: event?.id ?? '', offering: picked?.id ?? '' })}
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
      <EventPicker
        label="Event"
        hint="Whose campaigns apply."
        none="No event"
        value={question.event}
        onPick={(picked) => onChange({ event: picked?.id ?? '', offering: '' })}
      />
      {question.event !== '' && (
        <OfferingPicker
          label="Offering"
          none="None of its offerings"
          value={question.offering}
          eventId={question.event}
          onPick={(picked) => onChange({ offering: picked?.id ?? '' })}
        />
      )}
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
