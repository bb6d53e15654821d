import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { CONTAINER_IMAGES } from './container-images.ts';
import { serverNames } from './infrastructure.ts';

const repository = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(repository, file), 'utf8');
/** A digest pins a tag; it does not name another image. */
const withoutDigest = (image: string): string => image.replace(/@sha256:.*$/, '');

interface Workload {
  kind?: string;
  metadata?: { name: string };
  spec?: { template?: { spec: { containers: { image?: string }[] } } };
}

test('npm start runs the same images as Compose', () => {
  const { services } = parse(read('docker-compose.yml'), { merge: true }) as {
    services: Record<string, { image: string }>;
  };
  const images = serverNames.map((name) => [name, withoutDigest(services[name]?.image ?? '')]);
  expect(Object.fromEntries(images)).toEqual(CONTAINER_IMAGES);
});

test('npm start runs the same images as Kubernetes', () => {
  const folder = 'deploy/k8s/stores';
  const workloads = readdirSync(path.join(repository, folder))
    .filter((file) => file.endsWith('.yaml'))
    .flatMap((file) => parseAllDocuments(read(path.join(folder, file))).map((document) => document.toJS() as Workload));
  const images = workloads.flatMap(({ metadata, spec }) =>
    // A patch names a container without an image.
    (spec?.template?.spec.containers ?? []).flatMap(({ image }) =>
      image === undefined ? [] : [[metadata?.name, withoutDigest(image)]],
    ),
  );
  expect(Object.fromEntries(images)).toEqual(CONTAINER_IMAGES);
});
