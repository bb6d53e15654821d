import { type Client, createClient } from '@event-commerce/client';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** The tab's own storage: another tab asks for the key again, and closing the tab forgets it. */
const STORED = 'event-commerce-key';

export interface Session {
  client: Client;
  environment: 'live' | 'test';
  /** Asks for a key again, and says why if there is a reason. */
  forget: (reason?: string) => void;
}

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('There is no key yet.');
  return session;
}

export const storedKey = {
  read: (): string | undefined => sessionStorage.getItem(STORED) ?? undefined,
  write: (key: string): void => sessionStorage.setItem(STORED, key),
  remove: (): void => sessionStorage.removeItem(STORED),
};

/** `forget` is called when the platform no longer accepts the key. */
export function createSession(apiKey: string, forget: Session['forget']): Session {
  const client = createClient({ baseUrl: location.origin, apiKey, retries: 2, delayMaxMs: 3_000 });
  client.use({
    onResponse: ({ response }) => {
      if (response.status === 401) forget('The platform no longer accepts this key.');
    },
  });
  return { client, environment: apiKey.startsWith('eck_test_') ? 'test' : 'live', forget };
}
