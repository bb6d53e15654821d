import { ALL_OPERATIONS, type Operation, publicPath } from '@event-commerce/contracts';
import { vi } from 'vitest';
import { type BusTap, tapBus } from '../harness/bus-tap.ts';
import { sharedPlatform } from '../harness/platform.ts';
import { textOf } from '../harness/text-of.ts';
import { servedDocument, type ServedDocument } from './api-document.ts';
import type { Sent } from './cases-of.ts';
import { isStream, problemOf, type Received, refusedBySchema } from './problem-of.ts';
import { refusals } from './refusals.ts';
import { type RenamedIds, renamedIds } from './rename-ids.ts';

/** The examples belong to the company that `npm start` makes a key for. */
export const COMPANY = 'demo';

/** What the examples of the document led to, sent in order. */
interface Story {
  answers: Record<string, { status: number; body: unknown }>;
  /** The operations whose response to an `If-Match` of another version was not as declared. */
  wrongAboutIfMatch: string[];
}

export interface CheckedPlatform {
  url: string;
  apiKey: string;
  readOnlyKey: string;
  api: ServedDocument;
  events: ServedDocument;
  ids: RenamedIds;
  refused: ReturnType<typeof refusals>;
  tap: BusTap;
  /** The operations that succeeded at least once. */
  seenSuccess: Set<string>;
  story: Story;
  /** How many messages the bus had carried when the examples were done. */
  messagesOfStory: number;
  /** Sends a request, and checks that the document allows the response. Path parameters must be encoded. */
  send: (operation: Operation, request: Sent) => Promise<Received>;
}

/** The platform of this worker, with the documents that it serves, after their examples were sent in order. */
export async function checkedPlatform(): Promise<CheckedPlatform> {
  const { url, newCompany, services } = await sharedPlatform();
  const tap = await tapBus(services.natsUrl);
  const readDocument = async (route: string) =>
    servedDocument((await (await fetch(`${url}${route}`)).json()) as Record<string, any>);
  const [api, events] = [await readDocument('/openapi.json'), await readDocument('/asyncapi.json')];
  const { key: apiKey } = await newCompany({ companyId: COMPANY });
  const { key: readOnlyKey } = await newCompany({ companyId: COMPANY, scopes: ['events:read'] });
  const [ids, refused, seenSuccess] = [renamedIds(), refusals(), new Set<string>()];

  const send = async (operation: Operation, request: Sent): Promise<Received> => {
    const route = publicPath(operation).replaceAll(
      /\{(\w+)\}/g,
      (_, name: string) => request.path?.[name] ?? 'missing',
    );
    const query = request.rawQuery ?? new URLSearchParams(request.query).toString();
    const raw =
      request.raw ??
      (request.body === undefined
        ? undefined
        : { contentType: 'application/json', text: JSON.stringify(request.body) });
    const key = request.key === undefined ? apiKey : request.key;
    const response = await fetch(`${url}${route}${query && `?${query}`}`, {
      method: operation.method,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(raw === undefined ? {} : { 'content-type': raw.contentType }),
        ...(request.ifMatch === undefined ? {} : { 'if-match': request.ifMatch }),
      },
      ...(raw === undefined ? {} : { body: raw.text }),
    });
    const text = await textOf(response);
    const received = {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : isStream(response.headers) ? text : JSON.parse(text),
    };
    const problem =
      problemOf(api, operation, received) ??
      (received.status < 300 && request.body !== undefined ? refusedBySchema(api, operation, request.body) : undefined);
    if (problem !== undefined) {
      const sent = `${operation.method} ${route}${query && `?${query}`} ${raw?.text.slice(0, 1_000) ?? ''}`;
      throw new Error(`${problem}\n  sent: ${sent}\n  answered: ${received.status} ${text.slice(0, 1_000)}`);
    }
    if (received.status < 300) seenSuccess.add(operation.id);
    else refused.add(operation.id, received.status, received.body.error);
    return received;
  };

  const story = await tell(ids, send);
  const messagesOfStory = tap.sent.length;
  return { url, apiKey, readOnlyKey, api, events, ids, refused, tap, seenSuccess, story, messagesOfStory, send };
}

async function tell(ids: RenamedIds, send: CheckedPlatform['send']): Promise<Story> {
  const story: Story = { answers: {}, wrongAboutIfMatch: [] };
  /** Sends the next valid request with an `If-Match` of another version: it must have no effect. */
  const sendAtOtherVersion = async (operation: Operation, request: Sent): Promise<void> => {
    if (operation.method === 'GET' || operation.rpc !== undefined) return;
    const { status, body } = await send(operation, { ...request, ifMatch: '"1000000"' });
    const response = `${status} ${body.error?.code} ${body.error?.details?.[0]?.path}`;
    const declared =
      operation.versioned === 'changes' ? '409 VERSION_CONFLICT If-Match' : '400 VALIDATION_FAILED If-Match';
    if (response !== declared) story.wrongAboutIfMatch.push(`${operation.id}: ${response}`);
  };
  for (const operation of ALL_OPERATIONS) {
    if (operation.id === 'listActivity') await logged('event.call_off_undone', operation, send);
    for (const [name, example] of Object.entries(operation.examples)) {
      const { makes = {}, ...request } = example;
      const real = ids.toReal(request);
      await sendAtOtherVersion(operation, real);
      const { status, body } = await send(operation, real);
      if (status >= 300) throw new Error(`${operation.id} ${name}: ${status} ${JSON.stringify(body)}`);
      for (const [place, exampleName] of Object.entries(makes)) {
        ids.bind(
          exampleName,
          place.split('.').reduce((value, member) => value[member], body),
        );
      }
      story.answers[`${operation.id}.${name}`] = { status, body: ids.toExample(body) };
    }
  }
  return story;
}

/** Resolves once the log has an event of this type, the last one that the examples before the log's own cause. */
async function logged(type: string, listActivity: Operation, send: CheckedPlatform['send']): Promise<void> {
  const isLogged = async () => (await send(listActivity, { query: { type } })).body.data.length > 0;
  await vi.waitUntil(isLogged, { timeout: 10_000 });
}

/** The messages on the bus that the served document does not describe. */
export function undescribed({ events, tap, messagesOfStory }: CheckedPlatform): string[] {
  const channels = events.document['channels'] as Record<string, { messages: Record<string, { $ref: string }> }>;
  const problems = new Set<string>();
  const check = (channel: string, { headers, body }: { headers: Record<string, string>; body: unknown }) => {
    const messages = Object.values(channels[channel]?.messages ?? {});
    const fits = messages.some(({ $ref }) => {
      const headersFit =
        events.resolve({ $ref })['headers'] === undefined || events.validator(`${$ref}/headers`)(headers);
      return headersFit && events.validator(`${$ref}/payload`)(body);
    });
    if (!fits) problems.add(`${channel}: ${JSON.stringify({ body, headers }).slice(0, 2_000)}`);
  };
  for (const [index, message] of tap.sent.entries()) {
    // The gateway passes on what it is sent, including requests that pricing then rejects.
    const isRefusable = message.subject === 'rpc.pricing.evaluate' && index >= messagesOfStory;
    if (!isRefusable) check(message.subject, message);
  }
  // One with a 1xx is not the reply yet.
  const replies = tap.replies.filter(({ headers }) => headers['status']?.startsWith('1') !== true);
  for (const reply of replies) check(`${reply.subject}.reply`, reply);
  return [...problems];
}
