import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { CONTAINER_IMAGES } from './container-images.ts';
import { serverNames } from './infrastructure.ts';

const repository = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(repository, file), 'utf8');
/** A digest pins a tag; it does not name another image. */
const withoutDigest = (image: string): string => image.replace(/@sha256:.*$/, '');

test('npm start runs the same images as Compose', () => {
  const { services } = parse(read('docker-compose.yml'), { merge: true }) as {
    services: Record<string, { image: string }>;
  };
  const images = serverNames.map((name) => [name, withoutDigest(services[name]?.image ?? '')]);
  expect(Object.fromEntries(images)).toEqual(CONTAINER_IMAGES);
});

test('npm start runs the same images as Kubernetes', () => {
  const images = serverNames.map((name) => {
    const template = read(`deploy/helm/templates/stores/${name}.yaml`);
    return [name, withoutDigest(/^ +image: (\S+)$/m.exec(template)?.[1] ?? '')];
  });
  expect(Object.fromEntries(images)).toEqual(CONTAINER_IMAGES);
});
