import { beforeAll, describe, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { members, newEvent } from './groups-of-friends.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

describe('a merge', () => {
  test('returns the target with the members united, the sizes summed, note and history', async () => {
    const { company, group, read, merge } = await newEvent(services);
    const target = await group(3, members('a', 'b'));
    const source = await group(2, members('b', 'c'));
    const { status, body } = await merge(target.id, source.id, 5);
    expect(status).toBe(200);
    const record = {
      sourceGroupId: source.id,
      targetGroupId: target.id,
      sourceSize: 2,
      targetSize: 3,
      combinedSize: 5,
      note: 'They are friends',
      at: expect.any(String),
      by: 'key_test',
    };
    expect(body.data).toEqual({
      ...target,
      size: 5,
      members: members('a', 'b', 'c'),
      notes: [{ text: 'They are friends', at: expect.any(String), by: 'key_test', sourceGroupId: source.id }],
      history: [record],
      version: 2,
      changed: expect.any(String),
    });
    expect(await read(target.id)).toEqual(body.data);
    expect(await read(source.id)).toEqual({
      ...source,
      status: 'merged',
      mergedInto: target.id,
      history: [record],
      version: 2,
      changed: expect.any(String),
    });

    const merged = () => company.published('purchase_group.merged');
    await expect.poll(() => merged().length).toBe(1);
    const [event] = merged();
    const { note, ...others } = record;
    expect(JSON.stringify(event)).not.toContain(note);
    expect(event).toMatchObject({ subject: target.id, data: { size: 5, version: 2, merge: others } });
    expect(event?.data).not.toHaveProperty('members');
  });

  test('with If-Match succeeds for one of many concurrent merges into a group', async () => {
    const { api, path, group, read } = await newEvent(services);
    const target = await group(1);
    const sources = await Promise.all(Array.from({ length: 6 }, async () => group(2)));
    const given = { 'if-match': `"${target.version}"` };
    const mergeWith = async (sourceGroupId: string, combinedSize: number, n: number) =>
      api.replica(n % 2).post(`${path}/${target.id}/merge`, { sourceGroupId, combinedSize, note: 'Friends' }, given);
    const replies = await Promise.all(sources.map(async ({ id }, n) => mergeWith(id, 3, n)));
    const merged = replies.findIndex(({ status }) => status === 200);
    expect(replies.map(({ body }) => body.error?.code)).toEqual(
      sources.map((_, n) => (n === merged ? undefined : 'VERSION_CONFLICT')),
    );
    expect(await read(target.id)).toMatchObject({ size: 3, version: target.version + 1 });
    const left = await Promise.all(sources.map(async ({ id }) => read(id)));
    expect(left.filter((_, n) => n !== merged)).toEqual(sources.filter((_, n) => n !== merged));
    const again = await api.delete(`${path}/${target.id}`, given);
    expect([again.status, again.body.error.message]).toEqual([
      409,
      'The group does not match If-Match: it is at version 2. Read it and try again.',
    ]);
  });

  test('keeps notes through a chain of merges', async () => {
    const { group, read, merge } = await newEvent(services);
    const [a, b, c] = [await group(1), await group(2), await group(3)];
    expect((await merge(b.id, a.id, 3)).status).toBe(200);
    expect((await merge(c.id, b.id, 6)).status).toBe(200);
    expect((await read(c.id)).notes.map((note: any) => note.sourceGroupId)).toEqual([a.id, b.id]);
    expect((await read(c.id)).size).toBe(6);
  });

  test('with a size that is not the current sum is refused, naming both sizes', async () => {
    const { group, read, merge } = await newEvent(services);
    const [target, source] = [await group(3), await group(2)];
    const { status, body } = await merge(target.id, source.id, 6);
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(body.error.details).toEqual([
      {
        path: 'combinedSize',
        message: 'must be 5: the source has 2, the target 3 (got 6)',
        sourceSize: 2,
        targetSize: 3,
      },
    ]);
    expect([await read(target.id), await read(source.id)]).toEqual([target, source]);
  });

  test('of a group into itself, or of a group that was merged before, is refused', async () => {
    const { group, merge } = await newEvent(services);
    const [a, b, c] = [await group(1), await group(2), await group(3)];
    const same = await merge(a.id, a.id, 2);
    expect([same.status, same.body.error.details[0].path]).toEqual([400, 'sourceGroupId']);
    await merge(b.id, a.id, 3);
    for (const [target, source, size] of [
      [b.id, a.id, 4],
      [c.id, a.id, 4],
      [a.id, c.id, 4],
    ] as const) {
      const { status, body } = await merge(target, source, size);
      expect([status, body.error.code]).toEqual([400, 'VALIDATION_FAILED']);
      expect(body.message).toContain(`${a.id} was already merged into ${b.id}`);
    }
  });

  test('with an unknown group, one of another event or of another company finds nothing', async () => {
    const one = await newEvent(services);
    const other = await newEvent(services);
    const [mine, theirs] = [await one.group(1), await other.group(1)];
    const event = (await one.api.post('/events', { name: 'Second' })).body.data;
    const elsewhere = (await one.api.post(`/events/${event.id}/purchase-groups`, { name: 'x', size: 1 })).body.data;
    for (const [target, source] of [
      [mine.id, 'pg_nobody'],
      ['pg_nobody', mine.id],
      [mine.id, theirs.id],
      [theirs.id, mine.id],
      [mine.id, elsewhere.id],
    ]) {
      const { status, body } = await one.merge(target, source, 2);
      expect([status, body.error.code]).toEqual([404, 'PURCHASE_GROUP_NOT_FOUND']);
    }
    expect(await other.read(theirs.id)).toEqual(theirs);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['no source', { sourceGroupId: undefined }, 'sourceGroupId'],
    ['an operator as source', { sourceGroupId: { a: 1 } }, 'sourceGroupId'],
    ['no size', { combinedSize: undefined }, 'combinedSize'],
    ['a size as text', { combinedSize: '5' }, 'combinedSize'],
    ['no note', { note: undefined }, 'note'],
    ['a blank note', { note: ' ' }, 'note'],
  ])('refuses %s', async (_what, change, field) => {
    const { api, path, group } = await newEvent(services);
    const [target, source] = [await group(3), await group(2)];
    const body = { sourceGroupId: source.id, combinedSize: 5, note: 'x', ...change };
    const reply = await api.post(`${path}/${target.id}/merge`, body);
    expect([reply.status, reply.body.error.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(reply.body.error.details[0].path).toBe(field);
  });
});

test('exactly one of 20 concurrent merges of one source into different targets succeeds', async () => {
  const { group, read, merge } = await newEvent(services);
  const source = await group(5, members('s'));
  const targets = await Promise.all(Array.from({ length: 20 }, async (_, n) => group(1, members(`t${n}`))));
  const replies = await Promise.all(targets.map(async ({ id }, n) => merge(id, source.id, 6, n % 2)));
  for (const { status } of replies) expect([200, 400, 409]).toContain(status);
  const won = replies.filter(({ status }) => status === 200);
  expect(won).toHaveLength(1);
  const after = await Promise.all(targets.map(async ({ id }) => read(id)));
  expect(after.filter(({ size }) => size === 6)).toHaveLength(1);
  expect(after.filter(({ size }) => size === 1)).toHaveLength(19);
  expect((await read(source.id)).mergedInto).toBe(won[0]?.body.data.id);
});
