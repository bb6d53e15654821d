import { describe, expect, it } from 'vitest';
import type { Manifest } from './manifest.ts';
import { problemsOf } from './problems-of.ts';
import { charts, containerOf, missing, type Process } from './charts.fixture.ts';

describe.skipIf(missing !== undefined)('the schema check', () => {
  const broken = (change: (deployment: Manifest, container: Process) => void) => {
    const deployment = structuredClone(charts[0]?.workloads.find(({ kind }) => kind === 'Deployment')) as Manifest;
    change(deployment, containerOf(deployment));
    return problemsOf(deployment);
  };

  it('finds a field that does not exist, a wrong type, a missing field and an unknown kind', async () => {
    expect(
      await broken((_deployment, container) => {
        container.securityContext = { readOnlyRootFileSystem: true };
      }),
    ).toEqual([expect.stringContaining('/securityContext/readOnlyRootFileSystem')]);
    expect(
      await broken((deployment) => {
        (deployment['spec'] as Record<string, unknown>)['revisionHistoryLimit'] = '5';
      }),
    ).toEqual([expect.stringContaining('/spec/revisionHistoryLimit')]);
    expect(
      await broken((deployment) => {
        delete (deployment['spec'] as Record<string, unknown>)['selector'];
      }),
    ).toEqual([expect.stringContaining('selector')]);
    expect(
      await broken((deployment) => {
        deployment.kind = 'Deploiment';
      }),
    ).toEqual(['no kind Deploiment in apps/v1']);
  });
});
