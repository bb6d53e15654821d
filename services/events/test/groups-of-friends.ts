import type { Services } from '../../../tests/harness/services.ts';
import { created } from './concert.ts';

/** A company with an event that people buy for together. */
export async function newEvent(services: Services) {
  const company = services.newCompany();
  const { events: api } = company;
  const event = await created(api, '/events', { name: 'Gala' });
  const path = `/events/${event.id}/purchase-groups`;
  return {
    company,
    api,
    event,
    path,
    group: async (size: number, of: unknown[] = [], name = 'Team') => created(api, path, { name, size, members: of }),
    read: async (id: string) => (await api.get(`${path}/${id}`)).body.data,
    merge: async (target: string, source: string, combinedSize: number, replica = 0) =>
      api.replica(replica).post(`${path}/${target}/merge`, {
        sourceGroupId: source,
        combinedSize,
        note: 'They are friends',
      }),
  };
}

export const members = (...ids: string[]) => ids.map((id) => ({ id, name: `Name ${id}`, email: `${id}@example.com` }));
