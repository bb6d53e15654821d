import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

const repository = path.resolve(import.meta.dirname, '../..');
const composeFile = path.join(repository, 'docker-compose.yml');
const HOW_TO_RENEW = "`npx vitest run --project unit deploy/docker -u` writes a changed file's digest";

// Compose replaces a container when its definition changes, not when a file that it mounts does: after an upgrade NATS
// would refuse what only the new release may do.
it('gives each container a label with the digest of the files that it mounts', async () => {
  let text = readFileSync(composeFile, 'utf8');
  const { services } = parse(text, { merge: true }) as { services: Record<string, { volumes?: string[] }> };
  for (const [name, { volumes = [] }] of Object.entries(services)) {
    const mounted = volumes.map((volume) => volume.split(':')[0] ?? '').filter((from) => from.startsWith('./'));
    if (mounted.length === 0) continue;
    const label = new RegExp(`(?<=^  ${name}:\\n(?: {4}.*\\n)*? {4}labels: \\{ mounted-files: ')\\w*`, 'm');
    expect(text, `${name} has no label mounted-files`).toMatch(label);
    text = text.replace(label, digestOf(mounted.flatMap(filesIn)));
  }
  await expect(text).toMatchFileSnapshot(composeFile, HOW_TO_RENEW);
});

it('mounts settings with which the broker acknowledges an event only once the only copy is on disk', () => {
  const { services } = parse(readFileSync(composeFile, 'utf8'), { merge: true }) as {
    services: Record<string, { volumes?: string[] }>;
  };
  const settings = 'deploy/helm/stores/nats.conf';
  expect(services['nats']?.volumes?.map((volume) => volume.split(':')[0])).toContain(`./${settings}`);
  const jetstream = /^jetstream \{(.*?)^\}/ms.exec(readFileSync(path.join(repository, settings), 'utf8'))?.[1];
  expect(jetstream).toMatch(/^ +sync_interval: always$/m);
});

function filesIn(from: string): string[] {
  const found = path.join(repository, from);
  if (statSync(found).isFile()) return [found];
  const entries = readdirSync(found, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .toSorted();
}

function digestOf(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 12);
}
