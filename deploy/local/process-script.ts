import path from 'node:path';
import { bundleOf } from '@event-commerce/service-kit/dist';
import type { ProcessName } from './process-names.ts';

/** What a process runs: its bundle, or its source while that is watched. */
export function scriptOf(name: ProcessName, { watch }: { watch: boolean }): string {
  if (!watch) return bundleOf(name);
  return path.resolve(import.meta.dirname, '../..', name === 'gateway' ? name : `services/${name}`, 'src/main.ts');
}
