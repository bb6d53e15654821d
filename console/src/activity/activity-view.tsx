import { useLocation } from 'preact-iso';
import { useEffect, useState } from 'preact/hooks';
import { SelectField, TextField } from '../ui/fields.tsx';
import { moment } from '../format/format.ts';
import { listOf, type Page } from '../data/list-of.ts';
import { useResource } from '../data/resource.ts';
import { useSession } from '../shell/session.tsx';
import { Loaded, Notice, sentenceOf } from '../ui/states.tsx';
import { Title } from '../shell/title.tsx';
import { useActions } from '../data/use-actions.ts';
import { useSettled } from '../data/use-settled.ts';
import { Changes } from './changes.tsx';
import { actorName, briefly, recordOf, sentence } from './entry-text.ts';
import { type Entry, type Filter, followActivity, type News } from './follow-activity.ts';

const PAGE = 50;
/** The most entries that a tab keeps when it is open for days. */
const SHOWN_MAX = 2_000;
/** Each kind is what one scope lets a key read. */
const KINDS = [
  ['', 'Everything'],
  ['order.*', 'Orders'],
  ['adjustment.*,redemption.*', 'Campaigns'],
  ['coupon.*', 'Coupons'],
  ['event.*,instance.*,offering.*,purchase_group.*', 'Events and offerings'],
  ['cart.*,table.*', 'Carts and tables'],
  ['webhook.*', 'Webhooks'],
  ['api_key.*', 'Keys'],
] as const;
const FILTERS = ['type', 'subject', 'actor'] as const;
type Typed = Record<(typeof FILTERS)[number], string>;

function addressOf(typed: Partial<Typed>): string {
  const filled = Object.entries(typed).filter(([, value]) => value !== '');
  const address = new URLSearchParams(Object.fromEntries(filled)).toString();
  return `/console/activity${address === '' ? '' : `?${address}`}`;
}

/** What happens in the company, while it happens. */
export function ActivityView() {
  const { client } = useSession();
  const { query, route } = useLocation();
  const typed = Object.fromEntries(FILTERS.map((name) => [name, query[name] ?? ''])) as Typed;
  const filled = FILTERS.map((name) => [name, typed[name].trim()]).filter(([, value]) => value !== '');
  const asked = useSettled(JSON.stringify(Object.fromEntries(filled)));
  const loaded = useResource(
    async (signal) => {
      const filter = JSON.parse(asked) as Filter;
      const list = async (more: { after?: string; limit: number }) =>
        await listOf(client.GET('/v1/activity', { params: { query: { ...filter, ...more } }, signal }));
      // Asks where to follow from first: what happens between the two requests is in both, and shown once.
      const { next: start = 'now' } = await list({ after: 'now', limit: 1 });
      return { asked, filter, start, page: await list({ limit: PAGE }) };
    },
    [client, asked],
  );
  const field = (name: keyof Typed) => ({
    value: typed[name],
    onChange: (value: string) => route(addressOf({ ...typed, [name]: value }), true),
  });
  const isListed = KINDS.some(([kind]) => kind === typed.type);
  return (
    <>
      <Title text="Activity">
        <SelectField
          label="About"
          options={isListed ? KINDS : [...KINDS, [typed.type, typed.type]]}
          {...field('type')}
        />
        <TextField label="Record" type="search" placeholder="ord_…" {...field('subject')} />
        <TextField label="API key" type="search" placeholder="key_…" {...field('actor')} />
      </Title>
      <Loaded from={loaded}>
        {({ asked: of, ...first }) => <Feed key={of} {...first} isFiltered={of !== '{}'} />}
      </Loaded>
    </>
  );
}

interface Shown {
  entries: readonly Entry[];
  /** Whether there are older ones. */
  more: boolean;
}

function Feed({
  filter,
  start,
  page,
  isFiltered,
}: {
  filter: Filter;
  start: string;
  page: Page<Entry>;
  isFiltered: boolean;
}) {
  const { client } = useSession();
  const [{ entries, more }, setShown] = useState<Shown>({ entries: page.items, more: page.next !== undefined });
  const [state, setState] = useState<Omit<News, 'entries'>>();
  useEffect(() => {
    const abort = new AbortController();
    const onNews = ({ entries: news, ...now }: News) => {
      setState(now);
      if (news.length > 0) setShown((shown) => withNews(shown, news));
    };
    followActivity(client, filter, start, onNews, abort.signal).catch((problem: unknown) => {
      if (!abort.signal.aborted) setState({ live: false, problem });
    });
    return () => abort.abort();
  }, [client]);
  const { busy, problem, run } = useActions(() => {});
  const showOlder = async () => {
    const last = entries.at(-1);
    if (last === undefined) return;
    const query = { ...filter, cursor: last.cursor, limit: PAGE };
    const older = await listOf(client.GET('/v1/activity', { params: { query } }));
    setShown((shown) => ({ entries: [...shown.entries, ...older.items], more: older.next !== undefined }));
  };

  return (
    <div class="stack small">
      <p role="status">
        {state?.live === true && <span class="badge good">live</span>}
        {state?.live === false && state.problem === undefined && <span class="badge warn">every few seconds</span>}
        {state?.problem !== undefined && <span class="problem">Not up to date: {sentenceOf(state.problem)}</span>}
      </p>
      {entries.length === 0 ? (
        <Notice title={isFiltered ? 'Nothing matches' : 'Nothing has happened yet'}>
          {isFiltered ? 'Try fewer filters.' : 'It appears here as it happens.'}
        </Notice>
      ) : (
        <ol class="feed" aria-label="What happened">
          {entries.map((entry) => (
            <Line key={entry.id} entry={entry} />
          ))}
        </ol>
      )}
      <p class="problem" role="alert">
        {problem}
      </p>
      {more && (
        <button type="button" class="add" disabled={busy} onClick={() => void run({ run: showOlder })}>
          Show older
        </button>
      )}
    </div>
  );
}

function withNews({ entries, more }: Shown, news: readonly Entry[]): Shown {
  const known = new Set(entries.map(({ id }) => id));
  const all = [...news.filter(({ id }) => !known.has(id)).toReversed(), ...entries];
  return { entries: all.slice(0, SHOWN_MAX), more: more || all.length > SHOWN_MAX };
}

function Line({ entry }: { entry: Entry }) {
  const [isOpen, setOpen] = useState(false);
  const changes = entry.changes ?? [];
  return (
    <li>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <time dateTime={entry.timestamp}>{moment(entry.timestamp)}</time>
          <span class="what">
            {sentence(entry)}
            {changes.length > 0 && <small>{briefly(entry)}</small>}
          </span>
          <span class="who">{actorName(entry)}</span>
        </summary>
        {isOpen && <Opened entry={entry} />}
      </details>
    </li>
  );
}

function Opened({ entry }: { entry: Entry }) {
  const { type, subject, actor, requestId, related, data, changes = [] } = entry;
  const { href } = recordOf(entry);
  return (
    <div class="opened">
      <p class="links">
        {href !== undefined && <a href={href}>Open the record</a>}
        <a href={addressOf({ subject })}>Everything about {subject}</a>
        {actor !== undefined && <a href={addressOf({ actor: actor.keyId })}>Everything by {actorName(entry)}</a>}
        <a href={addressOf({ type })}>
          Every <code>{type}</code>
        </a>
      </p>
      {changes.length > 0 && (
        <>
          <h2>Changes</h2>
          <Changes of={entry} />
        </>
      )}
      <h2>The record afterwards</h2>
      <pre>{JSON.stringify(data, null, 2)}</pre>
      {related.length > 0 && <p class="soft">Concerns {related.join(', ')}</p>}
      {requestId !== undefined && (
        <p class="soft">
          Request <code>{requestId}</code>
        </p>
      )}
    </div>
  );
}
