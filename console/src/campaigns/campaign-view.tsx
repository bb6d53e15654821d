import { type components, dataOf } from '@event-commerce/client';
import { useLocation, useRoute } from 'preact-iso';
import { useState } from 'preact/hooks';
import { EvaluationExplained } from '../explain/explained.tsx';
import { questionFrom } from '../explain/question.ts';
import { requestOf } from '../explain/request-of.ts';
import { useCatalogue } from '../explain/use-catalogue.ts';
import { TextField } from '../shell/fields.tsx';
import { count } from '../shell/format.ts';
import { listOf } from '../shell/list-of.ts';
import { useResource } from '../shell/resource.ts';
import { useSession } from '../shell/session.tsx';
import { isForbidden, Loaded, Notice, sentenceOf } from '../shell/states.tsx';
import { CampaignForm } from './campaign-form.tsx';
import { changeOf, creationOf, type Draft, draftOf, NEW_DRAFT, OTHER_TARGETS, problemsOf } from './draft.ts';

type Adjustment = components['schemas']['Adjustment'];
type Event = components['schemas']['Event'];

const NEW = 'new';
const LISTED_MAX = 200;

/** One campaign to create or change, and beside it what a buyer pays. */
export function CampaignView() {
  const { client } = useSession();
  const id = useRoute().params['id'] ?? NEW;
  const loaded = useResource(
    async (signal) => {
      const [adjustment, events] = await Promise.all([
        id === NEW
          ? undefined
          : dataOf(client.GET('/v1/pricing/adjustments/{id}', { params: { path: { id } }, signal })),
        // Whoever may change prices and not read events still can write an event's id through the API.
        listOf(client.GET('/v1/events', { params: { query: { limit: LISTED_MAX } }, signal })).catch(
          (error: unknown) => {
            if (isForbidden(error)) return { items: [] };
            throw error;
          },
        ),
      ]);
      return { adjustment, events: events.items };
    },
    [client, id],
  );
  return (
    <>
      <div class="title">
        <h1>{id === NEW ? 'New campaign' : (loaded.value?.adjustment?.name ?? 'Campaign')}</h1>
        <a href="/console/campaigns">All campaigns</a>
      </div>
      <Loaded from={loaded}>
        {({ adjustment, events }) => {
          if (loaded.loading && adjustment?.id !== (id === NEW ? undefined : id)) return <p role="status">Loading …</p>;
          if (adjustment?.couponId !== undefined) {
            return (
              <Notice title="This belongs to a coupon">Change the coupon through the API; its campaign follows.</Notice>
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
  const [saves, setSaves] = useState('created' in query ? 1 : 0);
  const [draft, setDraft] = useState<Draft>(() => initialDraft(adjustment, events));
  const [savedDraft, setSavedDraft] = useState(saves > 0 ? draft : undefined);
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const problems = problemsOf(draft);

  async function save(): Promise<void> {
    setBusy(true);
    setProblem(undefined);
    try {
      const path = { id: saved?.id ?? '' };
      const made =
        saved === undefined
          ? await dataOf(client.POST('/v1/pricing/adjustments', { body: creationOf(draft) }))
          : await dataOf(
              client.PATCH('/v1/pricing/adjustments/{id}', { params: { path }, body: changeOf(draft, saved) }),
            );
      setSaved(made);
      setSavedDraft(draft);
      setSaves((n) => n + 1);
      if (saved === undefined) route(`/console/campaigns/${made.id}?created`, true);
    } catch (error) {
      setProblem(sentenceOf(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <div class="split wide">
      <CampaignForm
        draft={draft}
        events={events}
        problems={problems}
        effectAsItIs={saved?.effect}
        onChange={(changed) => setDraft((last) => ({ ...last, ...changed }))}
        onSubmit={() => void save()}
      >
        <p class="problem" role="alert">
          {problem}
        </p>
        <div class="form-end">
          <button type="submit" class="primary" disabled={busy || Object.keys(problems).length > 0}>
            {saved === undefined ? 'Create' : 'Save'}
          </button>
          <span role="status" class="soft">
            {busy ? 'Saving …' : draft === savedDraft ? 'Saved: it counts from now on.' : ''}
          </span>
        </div>
      </CampaignForm>
      <Preview draft={draft} saves={saves} />
    </div>
  );
}

/** What a buyer of the campaign's tickets pays now. */
function Preview({ draft, saves }: { draft: Draft; saves: number }) {
  const [quantity, setQuantity] = useState(draft.minQuantity || '1');
  const question = {
    ...questionFrom({}),
    event: draft.eventId === OTHER_TARGETS ? '' : draft.eventId,
    offering: draft.offeringId,
    quantity,
    codes: draft.code,
    segment: draft.segments.split(',')[0] ?? '',
  };
  const catalogue = useCatalogue(question);
  const request = requestOf(question, catalogue);
  const { event, offering } = catalogue;
  return (
    <div class="preview">
      <div class="card preview-head">
        <p class="soft">
          {offering === undefined
            ? 'What a buyer pays is shown here once there is an offering.'
            : `What a buyer of ${offering.name} for ${event?.name ?? offering.eventId} pays now. Changes count once they are saved.`}
        </p>
        <TextField label="Tickets" type="number" min={1} value={quantity} onChange={setQuantity} />
      </div>
      {request !== undefined && (
        <EvaluationExplained
          key={saves}
          request={request}
          listNote={count(request.cartContext.quantity ?? 1, 'ticket')}
        />
      )}
    </div>
  );
}

function initialDraft(adjustment: Adjustment | undefined, events: readonly Event[]): Draft {
  const zoneOf = (eventId: string) =>
    events.find(({ id }) => id === eventId)?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (adjustment === undefined) return { ...NEW_DRAFT, zone: zoneOf('') };
  return draftOf(adjustment, zoneOf);
}
