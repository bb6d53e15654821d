import { type Client, type components, dataOf } from '@event-commerce/client';
import type { Action } from '../data/use-actions.ts';
import { type EventField, FIELD_TEXT } from './event-draft.ts';
import { valueText } from './value-text.ts';

type Event = components['schemas']['Event'];

/** Resets a field of a date to the value of its series. */
export function revertField(client: Client, series: Event, date: Event, field: EventField): Omit<Action, 'label'> {
  return {
    confirm: {
      title: `Revert the ${FIELD_TEXT[field].toLowerCase()} of “${date.name ?? date.id}”?`,
      text: [
        `It is ${valueText(date, field)} now, and becomes ${valueText(series, field)}, as in its series.`,
        'It follows the series from then on.',
      ],
      yes: 'Revert',
    },
    run: async () => {
      const params = { path: { seriesId: series.id, instanceId: date.id } };
      await dataOf(
        client.POST('/v1/events/{seriesId}/instances/{instanceId}/revert', { params, body: { fields: [field] } }),
      );
    },
    done: {
      text: `The ${FIELD_TEXT[field].toLowerCase()} follows the series again.`,
      undo: async () =>
        await dataOf(
          client.PATCH('/v1/events/{id}', {
            params: { path: { id: date.id } },
            body: { [field]: date[field] ?? null },
          }),
        ),
    },
  };
}
