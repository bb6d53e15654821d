import { moment } from '../format/format.ts';
import { listOf } from '../data/list-of.ts';
import { useResource } from '../data/resource.ts';
import { useSession } from '../shell/session.tsx';
import { isForbidden, Loaded } from '../ui/states.tsx';
import { Changes } from './changes.tsx';
import { actorName, happened } from './entry-text.ts';

const REFRESH_MS = 3_000;
const LISTED_MAX = 20;

/** Who changed a record, when, and what. Nothing for a key that may not see that. */
export function History({ of }: { of: string }) {
  const { client } = useSession();
  const history = useResource(
    async (signal) => {
      const query = { subject: of, limit: LISTED_MAX };
      return await listOf(client.GET('/v1/activity', { params: { query }, signal }));
    },
    [client, of],
    { everyMs: REFRESH_MS },
  );
  if (isForbidden(history.error)) return null;
  return (
    <section class="card">
      <h2>History</h2>
      <Loaded from={history}>
        {({ items, next }) => (
          <>
            {items.length === 0 && <p class="soft">No history, or it is no longer kept.</p>}
            <ol class="history">
              {items.map((entry) => (
                <li key={entry.id}>
                  <div class="history-head">
                    <b>{happened(entry)}</b>
                    <span>{actorName(entry)}</span>
                    <time class="soft" dateTime={entry.timestamp}>
                      {moment(entry.timestamp)}
                    </time>
                  </div>
                  <Changes of={entry} />
                </li>
              ))}
            </ol>
            {next !== undefined && (
              <p class="card-end">
                <a href={`/console/activity?subject=${encodeURIComponent(of)}`}>Everything that happened to it</a>
              </p>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}
