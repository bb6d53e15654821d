import {
  type EventEnvelope,
  orderSale,
  parseEnvelope,
  type RecordChange,
  shownData,
  tenantOf,
} from '@event-commerce/contracts';
import type { EntryDocument } from '../models.ts';
import type { Position } from './domain/position.ts';
import { relatedIds } from './domain/related-ids.ts';
import { termsOf } from './domain/terms.ts';

/** The entry of the event in `bytes`, whatever its type. @throws {Error} if it is not an event */
export function entryOfEvent(bytes: Uint8Array, position: Position): EntryDocument {
  const event: EventEnvelope = parseEnvelope(JSON.parse(Buffer.from(bytes).toString()));
  const { companyid: companyId, environment, type, subject, actor: keyId, changes } = event;
  const shown = shownData(type, event.data);
  const { version = shown['version'] } = event;
  const related = relatedIds(event.data, subject, changesIn(changes));
  const about = { type, subject, related, ...(keyId === undefined ? {} : { keyId }) };
  const data = JSON.stringify(shown);
  const terms = termsOf(about);
  const { data: sale } = orderSale.optional().safeParse(event.data['sale']);
  return {
    ...about,
    _id: event.id,
    companyId: tenantOf({ companyId, environment }),
    environment,
    ...(event.actorname === undefined ? {} : { keyName: event.actorname }),
    ...(event.requestid === undefined ? {} : { requestId: event.requestid }),
    position,
    terms,
    at: new Date(event.time),
    ...(typeof version === 'number' ? { version } : {}),
    data,
    ...(changes === undefined ? {} : { changes }),
    bytes: bytesOf({ data, changes, terms }),
    ...(sale === undefined ? {} : { sale }),
  };
}

/** How much an entry adds to the size of its company's log. */
export function bytesOf({
  data,
  changes = '',
  terms,
}: Pick<EntryDocument, 'data' | 'terms'> & { changes?: string | undefined }): number {
  return data.length + changes.length + terms.join('').length;
}

export function changesIn(text: string | undefined): RecordChange[] {
  return text === undefined ? [] : (JSON.parse(text) as RecordChange[]);
}
