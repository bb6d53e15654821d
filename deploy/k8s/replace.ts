import type { Fields, Manifest } from './manifest.ts';

/** Copies a value of one object into others. */
export interface Replacement {
  source: { kind: string; name: string; fieldPath: string };
  targets: { select: { kind: string; name?: string }; fieldPaths: string[] }[];
}

/**
 * Applies a replacement of a kustomization to `manifests`.
 * @throws Error if its source has no such field, or no object has a field that it names
 */
export function replace(manifests: readonly Manifest[], { source, targets }: Replacement): void {
  const from = manifests.find(({ kind, metadata }) => kind === source.kind && metadata.name === source.name);
  const value = stepsOf(source.fieldPath).reduce<unknown>((at, step) => (at as Fields | undefined)?.[step], from);
  if (value === undefined) throw new Error(`fieldPath ${source.fieldPath} is missing in ${source.kind} ${source.name}`);
  for (const { select, fieldPaths } of targets) {
    const selected = manifests.filter(
      ({ kind, metadata }) => kind === select.kind && (select.name ?? metadata.name) === metadata.name,
    );
    if (selected.length === 0) throw new Error(`nothing is selected to put ${source.fieldPath} into`);
    for (const manifest of selected) for (const fieldPath of fieldPaths) put(manifest, fieldPath, value);
  }
}

function put(manifest: Manifest, fieldPath: string, value: unknown): void {
  const steps = stepsOf(fieldPath);
  const last = steps.pop() ?? '';
  const parent = steps.reduce<unknown>((at, step) => {
    const [, key, wanted] = /^\[(\w+)=(.*)\]$/.exec(step) ?? [];
    if (key === undefined) return (at as Fields | undefined)?.[step];
    return (at as Fields[]).find((item) => item[key] === wanted);
  }, manifest) as Fields | undefined;
  if (parent?.[last] === undefined) throw new Error(`${manifest.kind} ${manifest.metadata.name} has no ${fieldPath}`);
  parent[last] = value;
}

/** The steps of a path such as `spec.containers.[name=process].image`; a backslash escapes a dot within a step. */
function stepsOf(fieldPath: string): string[] {
  return fieldPath.split(/(?<!\\)\./).map((step) => step.replaceAll('\\.', '.'));
}
