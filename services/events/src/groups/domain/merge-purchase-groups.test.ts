import { PlatformError, tenantOf } from '@event-commerce/contracts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { GroupRecord } from './group-record.ts';
import { MEMBERS_MAX, mergePurchaseGroups, NOTES_MAX } from './merge-purchase-groups.ts';
import { uniteMembers } from './unite-members.ts';

const at = '2027-01-01T00:00:00.000Z';
const by = { keyId: 'key_1', at };

function group(changes: Partial<GroupRecord> = {}): GroupRecord {
  return {
    id: 'pg_target',
    tenant: tenantOf({ companyId: 'c', environment: 'live' }),
    eventId: 'evt_1',
    name: 'Team',
    size: 3,
    members: [],
    status: 'active',
    notes: [],
    history: [],
    version: 1,
    created: at,
    changed: at,
    ...changes,
  };
}

const someGroup = (id: string) =>
  fc
    .record({
      size: fc.nat(1_000_000),
      members: fc.array(
        fc.record(
          { id: fc.stringMatching(/^[a-f]$/), customerId: fc.stringMatching(/^[a-f]$/), name: fc.string() },
          { requiredKeys: ['name'] },
        ),
        { maxLength: 12 },
      ),
      notes: fc.array(fc.record({ text: fc.string(), at: fc.constant(at), by: fc.constant('key_0') }), {
        maxLength: 5,
      }),
    })
    .map((fields) => group({ id, ...fields }));

describe('a merge', () => {
  const merge = (target: GroupRecord, source: GroupRecord) =>
    mergePurchaseGroups(
      target,
      source,
      { sourceGroupId: source.id, combinedSize: target.size + source.size, note: 'friends' },
      by,
    );

  test('unites the members and keeps every seat and every note', () => {
    fc.assert(
      fc.property(someGroup('pg_target'), someGroup('pg_source'), (target, source) => {
        const merged = merge(target, source);
        expect(merged.target.size).toBe(target.size + source.size);
        expect(merged.target.members).toEqual(uniteMembers(target.members, source.members));
        expect(merged.target.notes.slice(0, -1)).toEqual([...target.notes, ...source.notes]);
        expect(merged.target.notes.at(-1)).toEqual({ text: 'friends', at, by: 'key_1', sourceGroupId: 'pg_source' });
      }),
    );
  });

  test('changes nothing in the source except to name its target', () => {
    fc.assert(
      fc.property(someGroup('pg_target'), someGroup('pg_source'), (target, source) => {
        const merged = merge(target, source);
        expect(merged.source).toEqual({
          ...source,
          status: 'merged',
          mergedInto: 'pg_target',
          history: [merged.merge],
          version: 2,
        });
        expect(merged.target.history).toEqual([merged.merge]);
      }),
    );
  });

  test('cannot be repeated, in either direction', () => {
    const { target, source } = merge(group(), group({ id: 'pg_source' }));
    const refusal = (path: string) =>
      expect.objectContaining({
        message: expect.stringContaining('pg_source was already merged into pg_target') as string,
        details: [expect.objectContaining({ path })],
      });
    expect(() => merge(target, source)).toThrow(refusal('sourceGroupId'));
    expect(() => merge(source, target)).toThrow(refusal('pgid'));
  });

  test('with a size other than the sum is refused with both sizes', () => {
    let refusal: unknown;
    try {
      const asked = { sourceGroupId: 'pg_source', combinedSize: 8, note: 'x' };
      mergePurchaseGroups(group({ size: 3 }), group({ id: 'pg_source', size: 4 }), asked, by);
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toBeInstanceOf(PlatformError);
    expect(refusal).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ path: 'combinedSize', sourceSize: 4, targetSize: 3 }],
    });
  });

  test('whose result does not fit into one document is refused', () => {
    const members = Array.from({ length: MEMBERS_MAX }, (_, n) => ({ id: `m${n}` }));
    expect(() => merge(group({ members }), group({ id: 'pg_source', members: [{ id: 'one more' }] }))).toThrow(
      /more than 2000 members/,
    );
    const notes = Array.from({ length: NOTES_MAX }, () => ({ text: 'x', at, by: 'key_1' }));
    expect(() => merge(group({ notes }), group({ id: 'pg_source' }))).toThrow(/more than 200 notes/);
  });
});
