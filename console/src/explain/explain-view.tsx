import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import { count } from '../format/format.ts';
import { Loaded, Notice } from '../ui/states.tsx';
import { Title } from '../shell/title.tsx';
import { EvaluationExplained, StoredExplained } from './explained.tsx';
import { QuestionForm } from './question-form.tsx';
import { addressOf, type Question, questionFrom } from './question.ts';
import { requestOf } from './request-of.ts';
import { type Catalogue, useCatalogue } from './use-catalogue.ts';
import { whyNoOffering } from './why-no-offering.ts';

/** What a buyer pays and why: the price as a cascade, and beside it what did not apply. */
export function ExplainView() {
  const { query, route } = useLocation();
  const question = questionFrom(query);
  const catalogue = useCatalogue(question);
  return (
    <>
      <Title text="Why does it cost that?">
        <CopyAddress />
      </Title>
      <div class="split">
        <QuestionForm
          question={question}
          catalogue={catalogue}
          onChange={(changed) => route(addressOf({ ...question, ...changed }), true)}
        />
        <Answer question={question} catalogue={catalogue} />
      </div>
    </>
  );
}

function Answer({ question, catalogue }: { question: Question; catalogue: Catalogue }) {
  if (question.of === 'cart' || question.of === 'order') {
    const id = question.id.trim();
    if (id !== '') return <StoredExplained of={question.of} id={id} />;
    if (question.of === 'cart')
      return <Notice title="Which cart?">Enter the id of a cart session to see its price.</Notice>;
    return <Notice title="Which order?">Enter an order number to see what the buyer paid, and why.</Notice>;
  }
  const request = requestOf(question, catalogue);
  if (request !== undefined) {
    const listNote = count(request.cartContext.quantity ?? 1, 'ticket');
    return <EvaluationExplained request={request} listNote={listNote} timeZone={catalogue.event?.timezone} />;
  }
  if (question.of === 'price') return <Notice title="No price yet">Enter a list price and a number of tickets.</Notice>;
  const reason = whyNoOffering(catalogue);
  if (reason !== undefined) return <Notice title={reason.title}>{reason.hint}</Notice>;
  return (
    <Loaded from={catalogue.events}>
      {() => (
        <Loaded from={catalogue.offerings}>
          {() => <Notice title="How many tickets?">Enter a whole number, 1 or more.</Notice>}
        </Loaded>
      )}
    </Loaded>
  );
}

/** Everyone with a key of the company sees the same at this address. */
function CopyAddress() {
  const [copied, setCopied] = useState('');
  // Browsers offer the clipboard to secure pages only.
  if (navigator.clipboard === undefined) return null;
  return (
    <button
      type="button"
      onClick={() => {
        navigator.clipboard.writeText(location.href).then(
          () => setCopied(location.href),
          () => setCopied(''),
        );
      }}
    >
      {copied === location.href ? 'Address copied' : 'Copy address'}
    </button>
  );
}
