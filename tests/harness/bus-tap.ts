import { connect, type Msg } from '@nats-io/transport-node';

interface TappedMessage {
  subject: string;
  headers: Record<string, string>;
  body: unknown;
}

export interface BusTap {
  /** The domain events and requests, as they were sent. */
  sent: TappedMessage[];
  /** Replies, with the subject of the request. */
  replies: TappedMessage[];
  close(): Promise<void>;
}

/** Listens to everything on the bus. */
export async function tapBus(natsUrl: string): Promise<BusTap> {
  const url = new URL(natsUrl);
  const nats = await connect({
    servers: url.host,
    ...(url.username === '' ? {} : { user: url.username, pass: url.password }),
  });
  const tap: BusTap = {
    sent: [],
    replies: [],
    close: () => nats.close(),
  };
  const subjectByInbox = new Map<string, string>();
  nats.subscribe('>', {
    callback: (_error, message) => {
      const asked = subjectByInbox.get(message.subject);
      if (asked !== undefined) {
        tap.replies.push({ ...tapped(message), subject: asked });
        return;
      }
      if (!/^(domain|rpc)\./.test(message.subject)) return;
      if (message.subject.startsWith('rpc.') && message.reply) subjectByInbox.set(message.reply, message.subject);
      tap.sent.push(tapped(message));
    },
  });
  await nats.flush();
  return tap;
}

function tapped(message: Msg): TappedMessage {
  const headers: Record<string, string> = {};
  for (const name of message.headers?.keys() ?? []) headers[name] = message.headers?.get(name) ?? '';
  // Without the services that an event concerns: `domain.<service>.<entity>.<fact>`.
  const subject = message.subject.startsWith('domain.')
    ? message.subject.split('.').slice(0, 4).join('.')
    : message.subject;
  return { subject, headers, body: parsed(message.string()) };
}

/** Text that is not JSON stays text: some requests carry a caller's body unchanged. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
