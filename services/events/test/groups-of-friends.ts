import type { EventsReplicas } from './harness.ts';

export async function newEvent(events: EventsReplicas) {
  const { companyId, api } = events.newCompany();
  const event = (await api().post('/events', { name: 'Gala' })).body.data;
  const path = `/events/${event.id}/purchase-groups`;
  const group = async (size: number, members: unknown[] = [], name = 'Team') =>
    (await api().post(path, { name, size, members })).body.data;
  const read = async (id: string) => (await api().get(`${path}/${id}`)).body.data;
  const merge = async (target: string, source: string, combinedSize: number, replica = 0) =>
    api(replica).post(`${path}/${target}/merge`, { sourceGroupId: source, combinedSize, note: 'They are friends' });
  return { companyId, api, event, path, group, read, merge };
}

export const members = (...ids: string[]) => ids.map((id) => ({ id, name: `Name ${id}`, email: `${id}@example.com` }));
