import type { ApiClient } from '@event-commerce/test-kit';
import { expect } from 'vitest';

export async function created(api: ApiClient, path: string, body: unknown): Promise<any> {
  const reply = await api.post(path, body);
  expect(reply).toMatchObject({ status: 201 });
  return reply.body.data;
}
