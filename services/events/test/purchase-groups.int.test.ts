import { beforeAll, describe, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { allPages } from './pages.ts';
import { members, newEvent } from './groups-of-friends.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

describe('a purchase group', () => {
  test('is created, read and listed', async () => {
    const { company, api, event, path, read } = await newEvent(services);
    const given = { name: 'Team', size: 4, members: [{ customerId: 'cus_1', role: 'host' }, 'cus_2'] };
    const { status, body } = await api.post(path, { ...given, id: 'pg_mine', status: 'merged', notes: ['x'] });
    expect(status).toBe(201);
    expect(body.data).toEqual({
      id: expect.stringMatching(/^pg_[0-9a-z]{26}$/),
      companyId: company.companyId,
      eventId: event.id,
      name: 'Team',
      size: 4,
      members: [{ customerId: 'cus_1', role: 'host' }, { id: 'cus_2' }],
      status: 'active',
      notes: [],
      history: [],
      version: 1,
      created: expect.any(String),
      changed: expect.any(String),
    });
    expect(await read(body.data.id)).toEqual(body.data);
    expect((await api.get(path)).body).toEqual({ data: [body.data], page: { next: null, limit: 50 } });
  });

  test('without a size has as many places as members', async () => {
    const { api, path } = await newEvent(services);
    const { body } = await api.post(path, { name: 'Team', members: members('a', 'b') });
    expect(body.data.size).toBe(2);
  });

  test('keeps the caller’s own fields of its members, whatever their names, even when it is changed or merged', async () => {
    const { api, path, group, merge, read } = await newEvent(services);
    const own = { 'seat (e.g. A1)': 'B.2', $note: { $ref: 'x', '100%': 1 } };
    const sent = { name: 'Ada', email: ' ada@Bücher.example ', customerId: '', ...own };
    const { body } = await api.post(path, { name: 'Team', size: 2, members: [sent] });
    const member = { name: 'Ada', email: 'ada@Bücher.example', ...own };
    expect(body.data.members).toEqual([member]);
    expect((await api.patch(`${path}/${body.data.id}`, { name: 'Other' })).body.data.members).toEqual([member]);
    const target = await group(3, [{ email: 'ADA@xn--bcher-kva.example' }]);
    expect((await merge(target.id, body.data.id, 5)).status).toBe(200);
    expect((await read(target.id)).members).toHaveLength(1);
    expect((await read(body.data.id)).members).toEqual([member]);
  });

  test('is listed in pages, newest first, and by status', async () => {
    const { api, path, group, merge } = await newEvent(services);
    const made: any[] = [];
    for (let n = 0; n < 7; n++) made.push(await group(n, [], `G${n}`));
    const ids = made.map(({ id }) => id);
    expect((await allPages(api, path, 3)).map(({ id }) => id)).toEqual(ids.toReversed());
    expect((await merge(ids[0], ids[1], 1)).status).toBe(200);
    expect((await allPages(api, `${path}?status=merged`, 3)).map(({ id }) => id)).toEqual([ids[1]]);
    expect(await allPages(api, `${path}?status=active`, 3)).toHaveLength(6);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['no name', { name: undefined }, 'name'],
    ['half a person', { size: 1.5 }, 'size'],
    ['a negative number of people', { size: -1 }, 'size'],
    ['more members than places', { size: 1, members: ['cus_1', 'cus_2'] }, 'size'],
    ['members that are no list', { members: 'cus_1' }, 'members'],
    ['a member that is null', { members: [null] }, 'members[0]'],
    ['a member with a broken email', { members: [{ email: 'ada' }] }, 'members[0].email'],
    ['a member larger than 1,024 characters', { members: [{ id: 'a', about: 'x'.repeat(1024) }] }, 'members[0]'],
    ['501 members', { members: Array.from({ length: 501 }, (_, n) => `m${n}`) }, 'members'],
  ])('refuses %s', async (_what, change, field) => {
    const { api, path } = await newEvent(services);
    const { status, body } = await api.post(path, { name: 'Team', size: 2, members: [], ...change });
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(body.error.details.map((detail: { path: string }) => detail.path)).toContain(field);
  });

  test('is changed by a merge patch', async () => {
    const { api, path, group, read } = await newEvent(services);
    const made = await group(3, members('a'));
    const patch = async (change: object) => (await api.patch(`${path}/${made.id}`, change)).body.data;
    expect(await patch({ name: ' Choir ', size: 5 })).toMatchObject({ name: 'Choir', size: 5, members: members('a') });
    expect(await patch({ members: ['b', 'c'] })).toMatchObject({ size: 5, members: [{ id: 'b' }, { id: 'c' }] });
    expect(await patch({ size: null })).toMatchObject({ name: 'Choir', size: 2 });
    const emptied = await patch({ members: null, size: null, id: 'pg_x', status: 'merged', notes: ['x'] });
    expect(emptied).toEqual({ ...made, name: 'Choir', size: 0, members: [], version: 5, changed: expect.any(String) });
    expect(await read(made.id)).toEqual(emptied);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['fewer places than members', { size: 1 }, 'size'],
    ['more members than places', { members: members('a', 'b', 'c', 'd') }, 'members'],
    ['no name', { name: null }, 'name'],
  ])('is not changed to %s', async (_what, change, field) => {
    const { api, path, group, read } = await newEvent(services);
    const made = await group(3, members('a', 'b'));
    const { status, body } = await api.patch(`${path}/${made.id}`, change);
    expect([status, body.error.code, body.error.details[0].path]).toEqual([400, 'VALIDATION_FAILED', field]);
    expect(await read(made.id)).toEqual(made);
  });

  test('that was merged can no longer be changed', async () => {
    const { api, path, group, merge } = await newEvent(services);
    const [target, source] = [await group(1), await group(2)];
    await merge(target.id, source.id, 3);
    expect((await api.patch(`${path}/${source.id}`, { size: 7 })).status).toBe(400);
    expect((await api.patch(`${path}/${target.id}`, { size: 7 })).body.data).toMatchObject({ size: 7 });
  });

  test('is deleted for good, and not found afterwards', async () => {
    const { api, path, group, merge } = await newEvent(services);
    const [target, source] = [await group(1), await group(2)];
    const { data: merged } = (await merge(target.id, source.id, 3)).body;
    const other = await newEvent(services);
    expect((await api.delete(`${other.path}/${target.id}`)).status).toBe(404);
    expect((await other.api.delete(`${path}/${target.id}`)).status).toBe(404);
    // Right after the merge, whose event may not be published yet.
    expect((await api.delete(`${path}/${target.id}`)).body.data).toEqual(merged);
    expect((await api.delete(`${path}/${source.id}`)).body.data).toMatchObject({ mergedInto: target.id });
    for (const gone of [api.delete(`${path}/${target.id}`), api.get(`${path}/${source.id}`)]) {
      expect((await gone).body.error.code).toBe('PURCHASE_GROUP_NOT_FOUND');
    }
    expect(await allPages(api, path, 3)).toEqual([]);
  });

  test('publishes its changes in events that say nothing about people', async () => {
    const { company, api, path, group, merge } = await newEvent(services);
    const [target, source] = [await group(2, members('ada')), await group(1, members('grace'))];
    await api.patch(`${path}/${target.id}`, { name: 'Friends of Ada', size: 4 });
    await merge(target.id, source.id, 5);
    await api.delete(`${path}/${target.id}`);
    const told = () => company.published().filter(({ type }) => type.startsWith('purchase_group.'));
    await expect.poll(() => told().map(({ type }) => type), { timeout: 5_000 }).toHaveLength(6);
    const changes = (text: unknown) => (typeof text === 'string' ? JSON.parse(text) : undefined);
    expect(told().map((one) => [one.type, one.subject, one.version, changes(one.changes)])).toEqual(
      expect.arrayContaining([
        ['purchase_group.created', target.id, 1, undefined],
        ['purchase_group.created', source.id, 1, undefined],
        [
          'purchase_group.updated',
          target.id,
          2,
          [
            { path: 'name', redacted: true },
            { path: 'size', before: 2, after: 4 },
          ],
        ],
        [
          'purchase_group.updated',
          source.id,
          2,
          [
            { path: 'status', before: 'active', after: 'merged' },
            { path: 'history', redacted: true },
            { path: 'mergedInto', after: target.id },
          ],
        ],
        ['purchase_group.merged', target.id, 3, expect.arrayContaining([{ path: 'size', before: 4, after: 5 }])],
        ['purchase_group.deleted', target.id, 4, undefined],
      ]),
    );
    expect(JSON.stringify(told())).not.toMatch(/\bada\b|grace|friends/i);
    const { collection } = services.models.events.purchaseGroups;
    const kept = async () => JSON.stringify(await collection.findOne({ _id: target.id as never }));
    await expect.poll(kept, { timeout: 5_000 }).not.toMatch(/\bada\b|grace|friends/i);
  });

  test('of an unknown event, another event or another company is not found', async () => {
    const { api, group, path } = await newEvent(services);
    const other = await newEvent(services);
    const mine = await group(1);
    const codeOf = async (reply: Promise<{ status: number; body: any }>) => {
      const { status, body } = await reply;
      return [status, body.error.code];
    };
    expect(await codeOf(api.post('/events/evt_nobody/purchase-groups', { name: 'x' }))).toEqual([
      404,
      'EVENT_NOT_FOUND',
    ]);
    expect(await codeOf(api.get('/events/evt_nobody/purchase-groups'))).toEqual([404, 'EVENT_NOT_FOUND']);
    expect(await codeOf(other.api.get(path))).toEqual([404, 'EVENT_NOT_FOUND']);
    expect(await codeOf(other.api.get(`${path}/${mine.id}`))).toEqual([404, 'PURCHASE_GROUP_NOT_FOUND']);
    expect(await codeOf(api.get(`${other.path}/${mine.id}`))).toEqual([404, 'PURCHASE_GROUP_NOT_FOUND']);
  });
});
