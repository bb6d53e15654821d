import mongoose from 'mongoose';
import { expect, it } from 'vitest';
import { durability, risksOf } from './mongo.ts';

it('rejects a server that is not a replica set, naming the setting', () => {
  expect(() => risksOf({})).toThrow(/^MongoDB at MONGO_URL is not a replica set/);
});

it('warns of a set that does not survive the loss of one member', () => {
  const set = (...hosts: string[]) => risksOf({ setName: 'rs0', hosts });
  expect(set('a')).toEqual([
    expect.objectContaining({ risk: 'members', message: expect.stringContaining('one server') as string }),
  ]);
  expect(set('a', 'b')).toEqual([expect.objectContaining({ message: expect.stringContaining('2 members') as string })]);
  expect(set('a', 'b', 'c')).toEqual([]);
  expect(risksOf({ setName: 'rs0', hosts: ['a', 'b'], passives: ['c'] })).toEqual([]);
});

it('does not guess what a router hides', () => {
  expect(risksOf({ msg: 'isdbgrid' })).toEqual([]);
});

it.each(['w=1', 'w=0', 'journal=false', 'readConcernLevel=local', 'readPreference=secondary', 'retryWrites=false'])(
  'keeps acknowledged writes durable and reads current, whatever the URL says: %s',
  (said) => {
    const client = new mongoose.mongo.MongoClient(`mongodb://127.0.0.1:1/?${said}`, durability);
    const { writeConcern, readConcern, readPreference, retryWrites } = client.options;
    expect(writeConcern).toMatchObject({ w: 'majority', j: true });
    expect(readConcern).toEqual({ level: 'majority' });
    expect(readPreference.mode).toBe('primary');
    expect(retryWrites).toBe(true);
  },
);
