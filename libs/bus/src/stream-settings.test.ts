import { PersistMode, RetentionPolicy, StorageType, type StreamConfig } from '@nats-io/jetstream';
import { expect, it } from 'vitest';
import { reviewStream, streamRisks, streamSettings } from './stream-settings.ts';

const made = (replicas: number) => streamSettings(replicas)[0] as StreamConfig;

it('leaves a stream with the same settings unchanged', () => {
  expect(reviewStream(made(3), made(3))).toEqual({ changes: {}, kept: {}, unusable: undefined });
});

it('adds the copies that a stream lacks', () => {
  expect(reviewStream(made(1), made(3)).changes).toEqual({ num_replicas: 3 });
});

it('never removes copies, whatever the settings of the starting process', () => {
  const { changes, kept } = reviewStream(made(3), made(1));
  expect(changes).toEqual({});
  expect(kept).toEqual({ num_replicas: { is: 3, default: 1 } });
});

it.each([
  ['memory', { storage: StorageType.Memory }, 'restart'],
  ['asynchronous writes', { persist_mode: PersistMode.Async }, 'before it has written'],
  ['retention by interest', { retention: RetentionPolicy.Interest }, 'before every consumer'],
])('calls a stream unusable that would lose acknowledged events: %s', (_why, setting, reason) => {
  expect(reviewStream({ ...made(1), ...setting }, made(1)).unusable).toContain(reason);
});

it('reports which events too few copies put at risk', () => {
  expect(streamRisks(3, { name: 'c', servers: 3 })).toEqual([]);
  expect(streamRisks(1, { name: 'c', servers: 3 })).toEqual([
    expect.objectContaining({ message: expect.stringContaining('1 of 3 servers of the NATS cluster c') as string }),
  ]);
  expect(streamRisks(1, undefined)).toEqual([
    expect.objectContaining({ message: expect.stringContaining('NATS is one server') as string }),
  ]);
});
