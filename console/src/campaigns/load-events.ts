import type { Client, components } from '@event-commerce/client';
import { listOf } from '../shell/list-of.ts';
import { isForbidden } from '../shell/states.tsx';

const LISTED_MAX = 200;

/** The events that a form offers. Whoever may change prices and not read events still can choose every event. */
export async function loadEvents(client: Client, signal: AbortSignal): Promise<components['schemas']['Event'][]> {
  try {
    return (await listOf(client.GET('/v1/events', { params: { query: { limit: LISTED_MAX } }, signal }))).items;
  } catch (error) {
    if (isForbidden(error)) return [];
    throw error;
  }
}
