import { type components, dataOf } from '@event-commerce/client';
import { useState } from 'preact/hooks';
import { EvaluationExplained } from '../explain/explained.tsx';
import { questionFrom } from '../explain/question.ts';
import { requestOf } from '../explain/request-of.ts';
import type { Catalogue } from '../explain/use-catalogue.ts';
import { whyNoOffering } from '../explain/why-no-offering.ts';
import { TextField } from '../ui/fields.tsx';
import { count, money } from '../format/format.ts';
import { useResource } from '../data/resource.ts';
import { useSession } from '../shell/session.tsx';
import { Loaded, Notice } from '../ui/states.tsx';

type Schemas = components['schemas'];
type Request = Schemas['EvaluateRequest'];

/** Who buys: a buyer for whom the campaign is meant. */
interface Buyer {
  minQuantity: string;
  code: string;
  segment: string;
  channel: string;
}

/** What a buyer will pay once the form is saved. `proposed` is undefined while the form cannot be saved. */
export function Preview({
  proposed,
  catalogue,
  buyer,
  note,
  saves,
}: {
  proposed: Schemas['ProposedAdjustment'] | undefined;
  /** What is bought. */
  catalogue: Catalogue;
  buyer: Buyer;
  note?: string | undefined;
  /** How often the form was saved: what is paid now changes with it. */
  saves: number;
}) {
  const [typed, setQuantity] = useState<string>();
  const quantity = typed ?? (buyer.minQuantity || '1');
  const question = {
    ...questionFrom({}),
    quantity,
    codes: buyer.code,
    segment: buyer.segment,
    channel: buyer.channel,
  };
  const request = requestOf(question, catalogue);
  const { event, offering } = catalogue;
  const reason = whyNoOffering(catalogue);
  return (
    <div class="preview">
      <div class="card preview-head">
        <div>
          <h2>What a buyer will pay</h2>
          <p class="soft">
            {offering === undefined
              ? reason && `${reason.title}.`
              : `${offering.name} for ${event?.name ?? offering.eventId}, with the form as filled in. ${note ?? ''}`}
          </p>
        </div>
        <TextField label="Tickets" type="number" min={1} value={quantity} onChange={setQuantity} />
      </div>
      {catalogue.events.error !== undefined && <Loaded from={catalogue.events}>{() => null}</Loaded>}
      {catalogue.offerings.error !== undefined && <Loaded from={catalogue.offerings}>{() => null}</Loaded>}
      {proposed === undefined && <Notice title="The form is not complete">The price appears once it is.</Notice>}
      {request !== undefined && proposed !== undefined && (
        <EvaluationExplained
          request={{ ...request, proposed: [proposed] }}
          listNote={count(request.cartContext.quantity ?? 1, 'ticket')}
          timeZone={event?.timezone}
          mark={proposed.id ?? 'proposed_0'}
          head={(total, currency) => <Change key={saves} before={request} total={total} currency={currency} />}
        />
      )}
    </div>
  );
}

/** How the price changes for this buyer. */
function Change({ before, total, currency }: { before: Request; total: number; currency: string }) {
  const { client } = useSession();
  const asked = JSON.stringify(before);
  const now = useResource(
    async (signal) => {
      const body = JSON.parse(asked) as Request;
      const params = { query: { dropped: 'candidates' } } as const;
      return (await dataOf(client.POST('/v1/pricing/adjustments/evaluate', { params, body, signal }))).summary.total;
    },
    [client, asked],
  );
  if (now.value === undefined) return <p class="change">&nbsp;</p>;
  const difference = total - now.value;
  return (
    <p class="change" role="status">
      {difference === 0 ? (
        <>
          <b>{money(total, currency)}</b> <span class="soft">same as before</span>
        </>
      ) : (
        <>
          <b>{money(total, currency)}</b> <span class="soft">instead of {money(now.value, currency)}</span>{' '}
          <span class={`badge ${difference < 0 ? 'good' : 'warn'}`}>{money(difference, currency, 'always')}</span>
        </>
      )}
    </p>
  );
}
