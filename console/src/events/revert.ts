import { type Client, type components, dataOf } from '@event-commerce/client';
import { type EventField, FIELD_TEXT } from './event-draft.ts';
import { valueText } from './value-text.ts';

type Event = components['schemas']['Event'];

/** Gives a field of a date the value of its series again. */
export function revertField(client: Client, series: Event, date: Event, field: EventField) {
  return {
    confirm: `Revert the ${FIELD_TEXT[field].toLowerCase()} of “${date.name ?? date.id}” to that of its series, ${valueText(series, field)}?`,
    run: async () => {
      const params = { path: { seriesId: series.id, instanceId: date.id } };
      await dataOf(
        client.POST('/v1/events/{seriesId}/instances/{instanceId}/revert', { params, body: { fields: [field] } }),
      );
    },
  };
}
