import { DOMAIN_EVENTS, type DomainEventType, KEY_ENVIRONMENTS } from '@event-commerce/contracts';
import { z } from 'zod';

const EVENT_ATTRIBUTES =
  'specversion id source type subject time datacontenttype companyid environment schemaversion data'.split(' ');

/** The message of an event, as AsyncAPI describes it. */
export function eventMessage(type: DomainEventType) {
  const { service, schemaVersion } = DOMAIN_EVENTS[type];
  return {
    name: type,
    headers: {
      type: 'object',
      required: ['Nats-Msg-Id'],
      properties: { 'Nats-Msg-Id': { type: 'string', description: 'The id of the event.' } },
    },
    payload: {
      type: 'object',
      required: EVENT_ATTRIBUTES,
      properties: {
        specversion: { const: '1.0' },
        id: { type: 'string' },
        source: { const: `/${service}` },
        type: { const: type },
        subject: { type: 'string', description: 'The id of the entity that changed.' },
        time: { type: 'string', format: 'date-time' },
        datacontenttype: { const: 'application/json' },
        companyid: { type: 'string' },
        environment: { enum: [...KEY_ENVIRONMENTS], description: 'The environment of the company.' },
        schemaversion: { const: schemaVersion },
        actor: {
          type: 'string',
          description:
            "The id of the API key whose request caused the event, or `root` for the operator's. Absent if the platform acted on its own, such as when an order expires.",
        },
        actorname: { type: 'string', description: 'The name that this key had then.' },
        requestid: { type: 'string', description: 'The id of the request that caused the event.' },
        traceparent: { type: 'string', description: 'W3C trace context.' },
        version: {
          type: 'integer',
          description: 'The version that the record got by the change; `data` may show a later one.',
        },
        changes: {
          type: 'string',
          description:
            'What the change changed, as JSON text: an array of `{path, before, after}`, as in `GET /v1/activity`.',
        },
        data: { $ref: schemaRef(dataName(type)) },
      },
    },
  };
}

/** The data of the events, each named once: most events of one entity share theirs. */
export function eventData(events: readonly DomainEventType[]): z.ZodType[] {
  return events.map((type) => {
    const { data } = DOMAIN_EVENTS[type];
    return z.globalRegistry.get(data)?.id === undefined ? data.meta({ id: dataName(type) }) : data;
  });
}

/** Most events of one entity have the same data, named after the entity; other data is named after its first event. */
function dataName(type: DomainEventType): string {
  const { data } = DOMAIN_EVENTS[type];
  const all = Object.entries(DOMAIN_EVENTS);
  const [first] = all.find(([, definition]) => definition.data === data) ?? [type];
  const entity = first.split('.')[0] ?? first;
  const shared = all.filter(([, definition]) => definition.data === data).length > 1;
  const isUsual = shared && all.find(([name]) => name.startsWith(`${entity}.`))?.[0] === first;
  const words = (isUsual ? entity : first).split(/[._]/);
  return `${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}Data`;
}

export function schemaRef(name: string): string {
  return `#/components/schemas/${name}`;
}
