import { z } from 'zod';
import { externalId, OPAQUE_LENGTH_MAX, plain } from '../schema/primitives.ts';

/** The kinds that a target can name, at most one of each: where events happen, who holds them, and what is sold. */
const CONTEXT_KINDS = ['event', 'series', 'venue', 'organization'] as const;

/**
 * The company's id may have colons too, so the target comes last. `[\s\S]`, because ids may have line separators, and
 * JSON Schema has no flags.
 */
const URN = new RegExp(`^urn:([^:]*):([\\s\\S]*?):([^:]+):((${CONTEXT_KINDS.join('|')}|offering)/([\\s\\S]{1,256}))$`);

/** The limit does not count the company, which the server sets: a urn in a response can always be sent back. */
const URN_LENGTH_MAX = 1024;

function parseUrn(urn: string) {
  const [, version, company = '', namespace, path, kind, id] = URN.exec(urn) ?? [];
  if (kind === undefined || id === undefined) throw new TypeError(`not a target urn: ${urn}`);
  return { version, company, namespace, path, kind, id };
}

function isTooLong(urn: string): boolean {
  return URN.test(urn) && urn.length - parseUrn(urn).company.length > URN_LENGTH_MAX;
}

/** What contradicts the urn of `target`, if anything: an offering or event with another id in the urn. */
function contradiction({ urn, eventId, offeringId }: { urn?: string; eventId?: string; offeringId?: string }) {
  if (urn === undefined || !URN.test(urn)) return undefined;
  const { kind, id } = parseUrn(urn);
  if (kind === 'offering') return offeringId === undefined || offeringId === id ? undefined : 'offeringId';
  return eventId === undefined || (kind === 'event' && eventId === id) ? undefined : 'eventId';
}

/**
 * A target as a caller may write it: a `urn`, or just the `eventId` or `offeringId` that a urn is then built from. An
 * offering together with an event, series, venue or organization means that offering there.
 */
export const targetInput = z
  .strictObject({
    urn: plain(z.string().max(URN_LENGTH_MAX + OPAQUE_LENGTH_MAX))
      .regex(
        URN,
        `must read urn:<version>:<company>:<namespace>:<kind>/<id>, with ${CONTEXT_KINDS.join(', ')} or offering for <kind>, or event/* at its end`,
      )
      .refine((urn) => !isTooLong(urn), `must have at most ${URN_LENGTH_MAX} characters besides the company's`)
      .optional(),
    eventId: externalId.optional(),
    offeringId: externalId.optional(),
    companyId: z.unknown().optional().describe('Ignored: the company is that of the key.'),
  })
  .refine((t) => t.urn !== undefined || t.eventId !== undefined || t.offeringId !== undefined, {
    path: ['urn'],
    message: 'is required, unless eventId or offeringId is given',
  })
  .superRefine((t, ctx) => {
    const field = contradiction(t as Parameters<typeof contradiction>[0]);
    if (field !== undefined) ctx.addIssue({ code: 'custom', path: [field], message: 'contradicts the urn' });
  })
  .meta({ id: 'TargetInput' });
type TargetInput = Pick<z.output<typeof targetInput>, 'urn' | 'eventId' | 'offeringId'>;

export const target = z
  .object({
    urn: z.string(),
    eventId: z.string().exactOptional(),
    offeringId: z.string().exactOptional().describe('Only this offering in that context.'),
    companyId: z.string(),
  })
  .meta({ id: 'Target' });
export type Target = z.output<typeof target>;

/** `input` with the company set inside its urn, whatever company it named. */
export function targetOf(companyId: string, input: TargetInput): Target {
  const place = input.eventId === undefined ? `offering/${input.offeringId}` : `event/${input.eventId}`;
  const { version, namespace, path, kind, id } = parseUrn(input.urn ?? `urn:v1::events:${place}`);
  const eventId = kind === 'event' && id !== '*' ? id : input.eventId;
  return {
    urn: `urn:${version || 'v1'}:${companyId}:${namespace}:${path}`,
    ...(eventId === undefined ? {} : { eventId }),
    ...(input.offeringId === undefined ? {} : { offeringId: input.offeringId }),
    companyId,
  };
}

/** What a target points at: an offering, everything in a context, or an offering in a context. */
export interface TargetPath {
  /** `<kind>/<id>`; absent, anywhere. `event/*` is every event. */
  context?: string;
  offeringId?: string;
}

/** The event and the offering that a stored target names. A series is an event too; `*` is every event. */
export function namedBy({ urn, eventId, offeringId }: Pick<Target, 'urn' | 'eventId' | 'offeringId'>): {
  eventId: string | undefined;
  offeringId: string | undefined;
} {
  const { kind, id } = parseUrn(urn);
  return {
    eventId: kind === 'event' || kind === 'series' ? id : eventId,
    offeringId: kind === 'offering' ? id : offeringId,
  };
}

export const EVERY_EVENT = 'event/*';

export function isEverywhere({ context, offeringId }: TargetPath): boolean {
  return context === EVERY_EVENT && offeringId === undefined;
}

export function targetPath(given: Pick<Target, 'urn' | 'eventId' | 'offeringId'>): TargetPath {
  const { kind, id } = parseUrn(given.urn);
  if (kind === 'offering') {
    return { offeringId: id, ...(given.eventId === undefined ? {} : { context: pathOf(given.eventId) }) };
  }
  return {
    context: kind === 'event' ? pathOf(id) : `${kind}/${id}`,
    ...(given.offeringId === undefined ? {} : { offeringId: given.offeringId }),
  };
}

/** What an id names, judging by its beginning: an event (which may be a series), a venue or an organization. */
export function contextKindOf(id: string): 'event' | 'venue' | 'organization' {
  if (id.startsWith('ven_')) return 'venue';
  return id.startsWith('org_') ? 'organization' : 'event';
}

/** What the context of a cart or an order says about its offerings: their event, their venue or their seller. */
export function whereabouts(contextId: string | undefined): {
  eventId?: string;
  venueId?: string;
  organizerId?: string;
} {
  if (contextId === undefined) return {};
  const kind = contextKindOf(contextId);
  if (kind === 'venue') return { venueId: contextId };
  return kind === 'organization' ? { organizerId: contextId } : { eventId: contextId };
}

function pathOf(contextId: string): string {
  return `${contextKindOf(contextId)}/${contextId}`;
}
