import { splitReplies, splitRequests, TOGETHER_OPTION } from '@event-commerce/bus';
import { IDENTITY_HEADER } from '@event-commerce/contracts';
import { connect, type Msg } from '@nats-io/transport-node';

interface TappedMessage {
  subject: string;
  headers: Record<string, string>;
  body: unknown;
}

export interface BusTap {
  /** The domain events and requests, as they were sent; each of those that share a message. */
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
  const askedByInbox = new Map<string, { subject: string; isShared: boolean }>();
  nats.subscribe('>', {
    callback: (_error, message) => {
      const asked = askedByInbox.get(message.subject);
      if (asked !== undefined) {
        const { subject, isShared } = asked;
        tap.replies.push(
          ...(isShared ? sharedReplies(message) : [tapped(message)]).map((one) => ({ ...one, subject })),
        );
        return;
      }
      if (!/^(domain|rpc)\./.test(message.subject)) return;
      const isShared = message.headers?.has(`option-${TOGETHER_OPTION}`) === true;
      if (message.subject.startsWith('rpc.') && message.reply)
        askedByInbox.set(message.reply, { subject: message.subject, isShared });
      tap.sent.push(...(isShared ? sharedRequests(message) : [tapped(message)]));
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

/** The requests of a message, as if each had been sent alone. */
function sharedRequests({ subject, data }: Msg): TappedMessage[] {
  return splitRequests(data).map(({ about: { identityToken = '', requestId, traceparent, options = {} }, body }) => ({
    subject,
    headers: {
      [IDENTITY_HEADER]: identityToken,
      'x-request-id': requestId,
      ...(traceparent === undefined ? {} : { traceparent }),
      ...Object.fromEntries(Object.entries(options).map(([name, value]) => [`option-${name}`, value])),
    },
    body: parsed(Buffer.from(body).toString()),
  }));
}

function sharedReplies({ subject, data }: Msg): TappedMessage[] {
  return splitReplies(data).flatMap((reply) => {
    if (reply === undefined) return [];
    const { status, body, retryAfterSeconds } = reply;
    const headers = {
      ...(status === 200 ? {} : { status: String(status) }),
      ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
    };
    return [{ subject, headers, body: parsed(Buffer.from(body).toString()) }];
  });
}

/** Text that is not JSON stays text: some requests carry a caller's body unchanged. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
