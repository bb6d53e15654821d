import type { ApiClient } from '@event-commerce/test-kit';
import { expect } from 'vitest';

export const concert = {
  name: 'Open air',
  description: 'Two stages',
  startsAt: '2027-05-01T20:00:00+02:00',
  endsAt: '2027-05-01T23:00:00+02:00',
  timezone: 'Europe/Berlin',
  venueId: 'ven_park',
  organizerId: 'org_city',
  capacity: 5000,
  status: 'published',
  tags: ['rock', 'open air'],
};

export async function created(api: ApiClient, path: string, body: unknown): Promise<any> {
  const reply = await api.post(path, body);
  expect(reply).toMatchObject({ status: 201 });
  return reply.body.data;
}
