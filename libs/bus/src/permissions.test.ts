import path from 'node:path';
import { PROCESSES } from '@event-commerce/contracts';
import { expect, it } from 'vitest';
import { natsPermissions, permissionsOf } from './permissions.ts';

it('the permissions match the shipped NATS configuration', async () => {
  const shipped = path.resolve(import.meta.dirname, '../../../deploy/helm/stores/nats-permissions.conf');
  await expect(natsPermissions()).toMatchFileSnapshot(shipped);
});

it.each(PROCESSES)('the permissions let %s read only its own inbox, and change no stream', (process) => {
  const { publish, subscribe } = permissionsOf(process);
  expect(subscribe.filter((subject) => subject.includes('>'))).toEqual([`_INBOX_${process}.>`]);
  for (const subject of publish) {
    expect(subject).not.toMatch(/STREAM\.(DELETE|PURGE|UPDATE|MSG|SNAPSHOT|RESTORE)|DIRECT/);
    // Its own reader, which it recreates wherever it continues.
    if (subject.includes(`.${process}-reader`)) continue;
    expect(subject).not.toMatch(/CONSUMER\.DELETE/);
    // A consumer of orders that concern its process, whomever else they concern.
    if (subject.startsWith('$JS.API.CONSUMER.CREATE.')) expect(subject).toMatch(/^[^*>]+(\.\*|\.[a-z]+)*$/);
    else if (subject.includes('>') || subject.includes('*')) expect(subject).toMatch(/^(\$JS\.ACK\.|domain\.)/);
  }
});
