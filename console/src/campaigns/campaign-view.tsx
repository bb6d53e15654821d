import { type components, dataOf } from '@event-commerce/client';
import { useLocation, useRoute } from 'preact-iso';
import { useState } from 'preact/hooks';
import { useResource } from '../shell/resource.ts';
import { useSession } from '../shell/session.tsx';
import { Loaded, Notice } from '../shell/states.tsx';
import { CampaignForm } from './campaign-form.tsx';
import { changeOf, creationOf, type Draft, draftOf, NEW_DRAFT, problemsOf, proposalOf } from './draft.ts';
import { FormEnd } from './form-end.tsx';
import { loadEvents } from './load-events.ts';
import { eventAt, eventIdOf, type Place } from './place.ts';
import { Preview } from './preview.tsx';
import { StatusActions } from './status-actions.tsx';
import { useSaving } from './use-saving.ts';

type Adjustment = components['schemas']['Adjustment'];
type Event = components['schemas']['Event'];

const NEW = 'new';

/** One campaign to create or change, and beside it what a buyer will pay. */
export function CampaignView() {
  const { client } = useSession();
  const id = useRoute().params['id'] ?? NEW;
  const loaded = useResource(
    async (signal) => {
      const [adjustment, events] = await Promise.all([
        id === NEW
          ? undefined
          : dataOf(client.GET('/v1/pricing/adjustments/{id}', { params: { path: { id } }, signal })),
        loadEvents(client, signal),
      ]);
      return { adjustment, events };
    },
    [client, id],
  );
  const current = loaded.value?.adjustment;
  return (
    <>
      <div class="title">
        <h1>{id === NEW ? 'New campaign' : (current?.name ?? 'Campaign')}</h1>
        <div class="title-actions">
          {current?.id === id && <StatusActions adjustment={current} onDone={loaded.reload} />}
          <a class="button" href="/console/campaigns">
            All campaigns
          </a>
        </div>
      </div>
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
          return <Editor key={id} adjustment={adjustment} events={events} />;
        }}
      </Loaded>
    </>
  );
}

function Editor({ adjustment, events }: { adjustment: Adjustment | undefined; events: readonly Event[] }) {
  const { client } = useSession();
  const { route, query } = useLocation();
  const [saved, setSaved] = useState(adjustment);
  // Creating leads to the address of what was created.
  const saving = useSaving('created' in query ? 1 : 0);
  const [draft, setDraft] = useState<Draft>(() => initialDraft(adjustment, events));
  const [savedDraft, setSavedDraft] = useState(draft);
  const problems = problemsOf(draft);
  const canSave = Object.keys(problems).length === 0 && draft.places.length > 0;
  const status = adjustment?.status ?? 'active';

  const save = async () => {
    const path = { id: saved?.id ?? '' };
    const made =
      saved === undefined
        ? await dataOf(client.POST('/v1/pricing/adjustments', { body: creationOf(draft) }))
        : await dataOf(
            client.PATCH('/v1/pricing/adjustments/{id}', { params: { path }, body: changeOf(draft, savedDraft) }),
          );
    setSaved(made);
    setSavedDraft(draft);
    if (saved === undefined) route(`/console/campaigns/${made.id}?created`, true);
  };

  return (
    <div class="split wide">
      <CampaignForm
        draft={draft}
        events={events}
        problems={problems}
        effectAsItIs={saved?.effect}
        onChange={(changed) => setDraft((last) => ({ ...last, ...changed }))}
        onSubmit={() => void saving.run(save)}
      >
        <FormEnd
          saving={saving}
          isNew={saved === undefined}
          isSaved={saving.saves > 0 && draft === savedDraft && status === 'active'}
          canSave={canSave}
        />
      </CampaignForm>
      <Preview
        proposed={canSave ? proposalOf(draft, saved) : undefined}
        saves={saving.saves}
        note={
          status === 'active' || status === 'scheduled'
            ? undefined
            : `It is ${status}: this is what it does once you activate it.`
        }
        buyer={{
          eventId: draft.places[0] && eventAt(draft.places[0], events),
          offeringId: draft.places[0]?.offeringId ?? '',
          minQuantity: draft.minQuantity,
          code: draft.code,
          segment: firstOf(draft.segments),
          channel: firstOf(draft.channels),
        }}
      />
    </div>
  );
}

function firstOf(listed: string): string {
  return listed.split(',')[0]?.trim() ?? '';
}

function initialDraft(adjustment: Adjustment | undefined, events: readonly Event[]): Draft {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zoneOf = (place: Place) => events.find(({ id }) => id === eventIdOf(place))?.timezone ?? own;
  return adjustment === undefined ? { ...NEW_DRAFT, zone: own } : draftOf(adjustment, zoneOf);
}
