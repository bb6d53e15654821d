import { randomUUID } from 'node:crypto';
import type { ApiClient } from '@event-commerce/test-kit';
import { expect } from 'vitest';
import { type Company, type Services } from '../../../tests/harness/services.ts';

export const TABLES = '/cart/table-commitments';
export const item = (offeringId: string) => ({ offeringId, quantity: 1, price: 100 });

export async function newSession(api: ApiClient, contextId?: string): Promise<string> {
  const id = `session-${randomUUID()}`;
  const { status } = await api.post('/cart/sessions', { id, ...(contextId ? { contextId } : {}) });
  expect(status).toBe(201);
  return id;
}

export async function newTable(api: ApiClient, seats: number, contextId = 'evt_1'): Promise<string> {
  const { status, body } = await api.post(TABLES, { contextId, seats });
  expect(status).toBe(201);
  return body.data.id;
}

export const join = (api: ApiClient, session: string, tableCommitmentId: string, headers = {}, seats?: number) =>
  api.post(`/cart/sessions/${session}/join-table`, { tableCommitmentId, ...(seats ? { seats } : {}) }, headers);

export const table = async (api: ApiClient, id: string) => (await api.get(`${TABLES}/${id}`)).body.data;

export const tableOf = async (api: ApiClient, session: string) =>
  (await api.get(`/cart/sessions/${session}`)).body.data?.tableCommitmentId;

/** Sessions and tables must agree: every seat belongs to one live session, and that session names this table. */
export async function expectConsistent(services: Services, company: Company): Promise<void> {
  const ofCompany = { companyId: company.companyId };
  const tables = await services.models.cart.tables.collection.find(ofCompany as never).toArray();
  const sessions = await services.models.cart.sessions.collection.find(ofCompany as never).toArray();
  const seats = tables.flatMap((one) =>
    one['joined'].flatMap((seat: any) => (seat.boughtBy ? [] : [`${seat.sessionId} at ${one['tableId']}`])),
  );
  const said = sessions.flatMap((one) =>
    one['tableCommitmentId'] && !one['ordered'] ? [`${one['sessionId']} at ${one['tableCommitmentId']}`] : [],
  );
  expect(new Set(seats)).toEqual(new Set(said));
  expect(seats).toHaveLength(said.length);
  for (const { sessionId, tableCommitmentId, ordered, expiresAt, purgeAt } of sessions) {
    // The database deletes expired sessions, except those with a seat of their own.
    const isDeleted = purgeAt instanceof Date && purgeAt >= expiresAt;
    expect({ sessionId, isDeleted }).toEqual({ sessionId, isDeleted: !tableCommitmentId || ordered !== undefined });
  }
  for (const one of tables) {
    expect(one['seatsTaken']).toBe(one['joined'].reduce((sum: number, { seats: n }: any) => sum + n, 0));
    expect(one['seatsTaken']).toBeLessThanOrEqual(one['seats']);
  }
}

export const leave = (api: ApiClient, session: string, headers = {}) =>
  api.post(`/cart/sessions/${session}/leave-table`, undefined, headers);
