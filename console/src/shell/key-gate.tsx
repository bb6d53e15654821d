import { ApiError, createClient, dataOf } from '@event-commerce/client';
import type { ComponentChildren } from 'preact';
import { useCallback, useMemo, useState } from 'preact/hooks';
import { createSession, SessionContext, storedKey } from './session.tsx';
import { sentenceOf } from '../ui/states.tsx';

/** Shows its children once the tab has a key; until then asks for one. */
export function KeyGate({ children }: { children: ComponentChildren }) {
  const [apiKey, setApiKey] = useState(storedKey.read);
  const [reason, setReason] = useState<string>();
  const forget = useCallback((why?: string) => {
    storedKey.remove();
    setReason(why);
    setApiKey(undefined);
  }, []);
  const session = useMemo(() => (apiKey === undefined ? undefined : createSession(apiKey, forget)), [apiKey, forget]);

  if (session !== undefined) return <SessionContext.Provider value={session}>{children}</SessionContext.Provider>;
  return (
    <KeyForm
      reason={reason}
      onAccepted={(key) => {
        storedKey.write(key);
        setApiKey(key);
      }}
    />
  );
}

function KeyForm({ reason, onAccepted }: { reason: string | undefined; onAccepted: (key: string) => void }) {
  const [key, setKey] = useState('');
  const [problem, setProblem] = useState(reason);
  const [busy, setBusy] = useState(false);

  async function submit(): Promise<void> {
    setBusy(true);
    try {
      await checkKey(key.trim());
      onAccepted(key.trim());
    } catch (error) {
      setProblem(sentenceOf(error));
      setBusy(false);
    }
  }

  return (
    <main class="gate">
      <form
        class="card"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <h1>Event Commerce console</h1>
        <p class="soft">See prices, campaigns and sales with an API key of your company. It stays in this tab only.</p>
        <div class="field">
          <label for="key">API key</label>
          <input
            id="key"
            type="password"
            autocomplete="off"
            spellcheck={false}
            required
            placeholder="eck_live_…"
            aria-describedby="key-hint key-problem"
            value={key}
            onInput={(event) => setKey(event.currentTarget.value)}
          />
          <small id="key-hint">npm start prints one for the company “demo”.</small>
        </div>
        <p id="key-problem" class="problem" role="alert">
          {problem}
        </p>
        <button type="submit" class="primary" disabled={busy}>
          {busy ? 'Checking …' : 'Open the console'}
        </button>
      </form>
    </main>
  );
}

/** Any key of a company may ask for the usage, whatever its scopes. */
async function checkKey(apiKey: string): Promise<void> {
  // Text that a header cannot contain is not a key, and would fail before anything is sent.
  if (!/^[!-~]+$/.test(apiKey)) throw new Error('An API key has letters, digits and underscores only.');
  try {
    await dataOf(createClient({ baseUrl: location.origin, apiKey, retries: 0 }).GET('/v1/usage'));
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) {
      throw new Error("The console needs a company's key; this is the operator's key.", { cause: error });
    }
    // A service that does not respond says nothing about the key.
    if (error instanceof ApiError && error.status >= 500) return;
    throw error;
  }
}
