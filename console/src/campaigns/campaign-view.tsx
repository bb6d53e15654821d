import { type components, dataOf } from '@event-commerce/client';
import { useRoute } from 'preact-iso';
import { useState } from 'preact/hooks';
import { History } from '../activity/history.tsx';
import { useCatalogue } from '../explain/use-catalogue.ts';
import { OWN_ZONE } from '../format/format.ts';
import { loadReadableEvents } from '../data/load-events.ts';
import { useResource } from '../data/resource.ts';
import { useSession } from '../shell/session.tsx';
import { Loaded, Notice } from '../ui/states.tsx';
import { Rehearse } from '../rehearsals/rehearsal.tsx';
import { Title } from '../shell/title.tsx';
import { CampaignForm } from './campaign-form.tsx';
import { changeOf, codeOf, creationOf, type Draft, draftOf, NEW_DRAFT, problemsOf, proposalOf } from './draft.ts';
import { FormEnd } from './form-end.tsx';
import { eventAt, eventIdOf, type Place, placeOf, zoneAt } from './place.ts';
import { Preview } from './preview.tsx';
import { StatusActions } from './status-actions.tsx';
import { useEditing } from './use-editing.ts';

type Adjustment = components['schemas']['Adjustment'];
type Event = components['schemas']['Event'];

const NEW = 'new';

/** One campaign to create or change, and beside it what a buyer will pay. */
export function CampaignView() {
  const { client } = useSession();
  const id = useRoute().params['id'] ?? NEW;
  const loaded = useResource(
    async (signal) => {
      const adjustment =
        id === NEW
          ? undefined
          : await dataOf(client.GET('/v1/pricing/adjustments/{id}', { params: { path: { id } }, signal }));
      const named = adjustment?.targets.flatMap((target) => eventIdOf(placeOf(target)) ?? []) ?? [];
      return { adjustment, events: await loadReadableEvents(client, signal, named) };
    },
    [client, id],
  );
  const current = loaded.value?.adjustment;
  return (
    <>
      <Title text={id === NEW ? 'New campaign' : (current?.name ?? 'Campaign')}>
        {current?.id === id && <StatusActions adjustment={current} onDone={loaded.reload} />}
        <a class="button" href="/console/campaigns">
          All campaigns
        </a>
      </Title>
      <Loaded from={loaded}>
        {({ adjustment, events }) => {
          if (adjustment?.id !== (id === NEW ? undefined : id)) return <p role="status">Loading …</p>;
          if (adjustment?.couponId !== undefined) {
            return (
              <Notice title="This belongs to a coupon">
                Its price follows the coupon. <a href={`/console/coupons/${adjustment.couponId}`}>Change the coupon</a>
              </Notice>
            );
          }
          const onSaved = (saved: Adjustment) => loaded.replace({ adjustment: saved, events });
          return (
            <div class="stack">
              <Editor key={id} adjustment={adjustment} events={events} onSaved={onSaved} />
              {adjustment !== undefined && <History of={adjustment.id} />}
            </div>
          );
        }}
      </Loaded>
    </>
  );
}

function Editor({
  adjustment,
  events,
  onSaved,
}: {
  adjustment: Adjustment | undefined;
  events: readonly Event[];
  onSaved: (saved: Adjustment) => void;
}) {
  const { client } = useSession();
  const state = useState<Partial<Draft>>({});
  const [typed] = state;
  const [place] = typed.places ?? adjustment?.targets.map(placeOf) ?? NEW_DRAFT.places;
  const catalogue = useCatalogue({
    of: 'offering',
    event: (place && eventAt(place, events)) ?? '',
    offering: place?.offeringId ?? '',
  });
  const saved = savedDraft(adjustment, events, catalogue.offering?.price.currency);
  const editing = useEditing(saved, state, async (wanted) => {
    if (adjustment === undefined) {
      const { id } = await dataOf(client.POST('/v1/pricing/adjustments', { body: creationOf(wanted) }));
      return `/console/campaigns/${id}`;
    }
    const params = { path: { id: adjustment.id } };
    onSaved(await dataOf(client.PATCH('/v1/pricing/adjustments/{id}', { params, body: changeOf(wanted, saved) })));
    return undefined;
  });
  const { draft } = editing;
  const problems = problemsOf(draft);
  const canSave = Object.keys(problems).length === 0 && draft.places.length > 0;
  const status = adjustment?.status ?? 'active';

  const proposed = canSave ? proposalOf(draft, adjustment) : undefined;
  return (
    <div class="stack">
      <div class="split wide">
        <CampaignForm
          draft={draft}
          events={events}
          problems={problems}
          effectAsItIs={adjustment?.effect}
          onChange={editing.type}
          onSubmit={editing.submit}
          isLocked={editing.busy && adjustment === undefined}
        >
          <FormEnd editing={editing} isNew={adjustment === undefined} canSave={canSave} />
        </CampaignForm>
        <Preview
          proposed={proposed}
          catalogue={catalogue}
          saves={editing.saves}
          note={
            status === 'active' || status === 'scheduled'
              ? undefined
              : `It is ${status}: this is what it does once you activate it.`
          }
          buyer={{
            minQuantity: draft.minQuantity,
            code: codeOf(draft),
            segment: firstOf(draft.segments),
            channel: firstOf(draft.channels),
          }}
        />
      </div>
      <Rehearse proposed={proposed} before={adjustment} />
    </div>
  );
}

function firstOf(listed: string): string {
  return listed.split(',')[0]?.trim() ?? '';
}

/** What is stored, as the form holds it; if nothing is, what a new campaign begins with. */
function savedDraft(adjustment: Adjustment | undefined, events: readonly Event[], soldIn: string | undefined): Draft {
  const zoneOf = (place: Place) => zoneAt(place, events) ?? OWN_ZONE;
  if (adjustment !== undefined) return draftOf(adjustment, zoneOf, soldIn);
  return { ...NEW_DRAFT, zone: OWN_ZONE, currency: soldIn ?? NEW_DRAFT.currency };
}
