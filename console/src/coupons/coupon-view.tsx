import { type components, dataOf } from '@event-commerce/client';
import { useRoute } from 'preact-iso';
import { useState } from 'preact/hooks';
import { History } from '../activity/history.tsx';
import { FormEnd } from '../campaigns/form-end.tsx';
import { eventAt, eventIdOf } from '../campaigns/place.ts';
import { Preview } from '../campaigns/preview.tsx';
import { StatusActions } from '../campaigns/status-actions.tsx';
import { useEditing } from '../campaigns/use-editing.ts';
import { useCatalogue } from '../explain/use-catalogue.ts';
import { effectText } from '../format/effect-text.ts';
import { OWN_ZONE } from '../format/format.ts';
import { listOf } from '../data/list-of.ts';
import { loadReadableEvents } from '../data/load-events.ts';
import { useResource } from '../data/resource.ts';
import { useSession } from '../shell/session.tsx';
import { Loaded } from '../ui/states.tsx';
import { Rehearse } from '../rehearsals/rehearsal.tsx';
import { Title } from '../shell/title.tsx';
import {
  adjustmentOfCoupon,
  codeToPreview,
  couponBodyOf,
  couponChangeOf,
  type CouponDraft,
  couponDraftOf,
  couponProblems,
  NEW_COUPON,
} from './coupon-draft.ts';
import { CouponForm } from './coupon-form.tsx';
import { IssuedCodes } from './issued-codes.tsx';

type Schemas = components['schemas'];
type Coupon = Schemas['Coupon'];
type Adjustment = Schemas['Adjustment'];

const NEW = 'new';

/** One coupon to create or change, and beside it what a buyer with its code will pay. */
export function CouponView() {
  const { client } = useSession();
  const id = useRoute().params['id'] ?? NEW;
  const loaded = useResource(
    async (signal) => {
      const coupon =
        id === NEW ? undefined : await dataOf(client.GET('/v1/coupons/{id}', { params: { path: { id } }, signal }));
      const named =
        coupon === undefined ? [] : couponDraftOf(coupon, OWN_ZONE).places.flatMap((place) => eventIdOf(place) ?? []);
      const events = await loadReadableEvents(client, signal, named);
      if (coupon === undefined) return { coupon, events, adjustment: undefined };
      const query = { couponId: coupon.id };
      const { items } = await listOf(client.GET('/v1/pricing/adjustments', { params: { query }, signal }));
      return { coupon, events, adjustment: items[0] };
    },
    [client, id],
  );
  const current = loaded.value;
  return (
    <>
      <Title text={id === NEW ? 'New coupon' : `Coupon ${current?.coupon?.code ?? current?.coupon?.description ?? ''}`}>
        {current?.coupon?.id === id && current.adjustment !== undefined && (
          <StatusActions adjustment={current.adjustment} onDone={loaded.reload} />
        )}
        <a class="button" href="/console/campaigns">
          All campaigns
        </a>
      </Title>
      <Loaded from={loaded}>
        {({ coupon, events, adjustment }) =>
          coupon?.id === (id === NEW ? undefined : id) ? (
            <div class="stack">
              <Editor
                key={id}
                coupon={coupon}
                adjustment={adjustment}
                events={events}
                onSaved={(saved) => loaded.replace({ coupon: saved, events, adjustment })}
              />
              {coupon?.uniqueCodes === true && <IssuedCodes couponId={coupon.id} />}
              {coupon !== undefined && <History of={coupon.id} />}
            </div>
          ) : (
            <p role="status">Loading …</p>
          )
        }
      </Loaded>
    </>
  );
}

function Editor({
  coupon,
  adjustment,
  events,
  onSaved,
}: {
  coupon: Coupon | undefined;
  adjustment: Adjustment | undefined;
  events: readonly Schemas['Event'][];
  onSaved: (saved: Coupon) => void;
}) {
  const { client } = useSession();
  const state = useState<Partial<CouponDraft>>({});
  const [typed] = state;
  const stored = coupon === undefined ? { ...NEW_COUPON, zone: OWN_ZONE } : couponDraftOf(coupon, OWN_ZONE);
  const { places, offeringIds } = { ...stored, ...typed };
  const catalogue = useCatalogue({
    of: 'offering',
    event: (places[0] && eventAt(places[0], events)) ?? '',
    offering: offeringIds[0] ?? '',
  });
  const soldIn = catalogue.offering?.price.currency ?? stored.currency;
  const saved = coupon?.amountOff === undefined ? { ...stored, currency: soldIn } : stored;
  const editing = useEditing(saved, state, async (wanted) => {
    if (coupon === undefined) {
      const { id } = await dataOf(client.POST('/v1/coupons', { body: couponBodyOf(wanted) }));
      return `/console/coupons/${id}`;
    }
    const params = { path: { id: coupon.id } };
    onSaved(await dataOf(client.PATCH('/v1/coupons/{id}', { params, body: couponChangeOf(wanted, saved) })));
    return undefined;
  });
  const { draft } = editing;
  const problems = couponProblems(draft);
  const canSave = Object.keys(problems).length === 0;
  const status = adjustment?.status ?? 'active';

  const proposed = canSave ? adjustmentOfCoupon(draft, adjustment) : undefined;
  return (
    <div class="stack">
      <div class="split wide">
        <CouponForm
          draft={draft}
          effect={coupon?.effect === undefined ? undefined : effectText(coupon.effect)}
          events={events}
          problems={problems}
          onChange={editing.type}
          onSubmit={editing.submit}
          isLocked={editing.busy && coupon === undefined}
        >
          <FormEnd editing={editing} isNew={coupon === undefined} canSave={canSave} />
        </CouponForm>
        <Preview
          proposed={proposed}
          catalogue={catalogue}
          saves={editing.saves}
          note={status === 'active' ? undefined : 'It is not active: this is what it does once you activate it.'}
          buyer={{
            minQuantity: '',
            code: codeToPreview(draft),
            segment: '',
            channel: '',
          }}
        />
      </div>
      <Rehearse proposed={proposed} before={adjustment} />
    </div>
  );
}
