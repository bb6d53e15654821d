import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import type { Fields, Manifest } from './manifest.ts';
import { replace, type Replacement } from './replace.ts';

interface Generator {
  name: string;
  behavior?: 'merge';
  literals?: string[];
  files?: string[];
  envs?: string[];
  options?: { annotations?: Record<string, string> };
}

interface Kustomization {
  apiVersion: string;
  kind: string;
  namespace?: string;
  resources?: string[];
  labels?: { pairs: Record<string, string>; includeTemplates?: boolean }[];
  images?: { name: string; newName?: string; newTag?: string }[];
  patches?: { path: string; target: { kind: string; name?: string } }[];
  configMapGenerator?: Generator[];
  secretGenerator?: Generator[];
  replacements?: Replacement[];
}

interface Template {
  metadata: { labels?: Record<string, string> };
}

const KNOWN = new Set([
  'apiVersion',
  'kind',
  'namespace',
  'resources',
  'labels',
  'images',
  'patches',
  'configMapGenerator',
  'secretGenerator',
  'replacements',
]);
/** Objects with this annotation are only for kustomize, and not part of the output. */
const LOCAL_CONFIG = 'config.kubernetes.io/local-config';
/** Lists that a strategic merge matches item by item, with their key field; every other list is replaced. */
const MERGE_KEYS: Readonly<Record<string, string>> = {
  containers: 'name',
  initContainers: 'name',
  volumes: 'name',
  env: 'name',
  volumeMounts: 'mountPath',
  ports: 'containerPort',
};

/**
 * Renders the directory `dir` as `kubectl kustomize` does, so that tests work without kubectl (with it, a test compares
 * the two). Supports the parts of kustomize that these manifests use. One difference: the names of generated ConfigMaps
 * have no hash suffix.
 * @throws Error for an unknown field of kustomization.yaml, a missing file, or a patch without a target
 */
export function render(dir: string): Manifest[] {
  const kustomization = parse(readFileSync(path.join(dir, 'kustomization.yaml'), 'utf8')) as Kustomization;
  const unknown = Object.keys(kustomization).filter((field) => !KNOWN.has(field));
  if (unknown.length > 0) throw new Error(`${dir}: render does not support ${unknown.join(', ')}`);

  const manifests = (kustomization.resources ?? []).flatMap((resource) => load(path.join(dir, resource)));
  for (const { name, behavior, options, ...sources } of kustomization.configMapGenerator ?? []) {
    const data = dataOf(dir, sources);
    const existing = manifests.find((manifest) => manifest.kind === 'ConfigMap' && manifest.metadata.name === name);
    if ((behavior === 'merge') !== (existing !== undefined)) throw new Error(`${dir}: cannot generate ${name}`);
    if (existing === undefined) {
      manifests.push({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...options }, data });
    } else existing['data'] = { ...(existing['data'] as Fields), ...data };
  }
  for (const { name, ...sources } of kustomization.secretGenerator ?? []) {
    const data = Object.fromEntries(
      Object.entries(dataOf(dir, sources)).map(([key, value]) => [key, Buffer.from(value).toString('base64')]),
    );
    manifests.push({ apiVersion: 'v1', kind: 'Secret', metadata: { name }, type: 'Opaque', data });
  }
  for (const { path: file, target } of kustomization.patches ?? []) {
    const patch = parse(readFileSync(path.join(dir, file), 'utf8')) as Fields;
    const targets = manifests.filter(
      ({ kind, metadata }) => kind === target.kind && (target.name ?? metadata.name) === metadata.name,
    );
    if (targets.length === 0) throw new Error(`${dir}: the patch ${file} has no target`);
    const { metadata: _, ...changes } = patch;
    for (const manifest of targets) Object.assign(manifest, merge(manifest, changes));
  }
  for (const manifest of manifests) {
    if (kustomization.namespace !== undefined && manifest.kind !== 'Namespace') {
      manifest.metadata.namespace = kustomization.namespace;
    }
    for (const { pairs, includeTemplates } of kustomization.labels ?? []) {
      manifest.metadata.labels = { ...manifest.metadata.labels, ...pairs };
      const spec = manifest['spec'] as { template?: Template; volumeClaimTemplates?: Template[] } | undefined;
      const templates = [spec?.template ?? [], spec?.volumeClaimTemplates ?? []].flat();
      for (const { metadata } of includeTemplates ? templates : []) metadata.labels = { ...metadata.labels, ...pairs };
    }
    for (const container of containersOf(manifest)) {
      const replaced = kustomization.images?.find(({ name }) => container.image?.split(':')[0] === name);
      if (replaced) container.image = `${replaced.newName ?? replaced.name}:${replaced.newTag}`;
    }
  }
  for (const replacement of kustomization.replacements ?? []) replace(manifests, replacement);
  return manifests.filter(({ metadata }) => metadata.annotations?.[LOCAL_CONFIG] !== 'true');
}

/** The sources of a generated object. */
function dataOf(
  dir: string,
  { literals = [], envs = [], files = [] }: Pick<Generator, 'literals' | 'envs' | 'files'>,
): Record<string, string> {
  const read = (file: string) => readFileSync(path.join(dir, file), 'utf8');
  const lines = envs.flatMap((file) =>
    read(file)
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#')),
  );
  return Object.fromEntries([
    ...[...literals, ...lines].map((literal) => {
      const end = literal.indexOf('=');
      return [literal.slice(0, end), literal.slice(end + 1)] as const;
    }),
    ...files.map((file) => [file, read(file)] as const),
  ]);
}

export interface Container extends Fields {
  name: string;
  image?: string;
  command?: string[];
  args?: string[];
}

/** The containers of a workload; none for other objects. */
export function containersOf(manifest: Manifest): Container[] {
  const spec = manifest['spec'] as { template?: { spec?: { containers?: Container[]; initContainers?: Container[] } } };
  return [...(spec?.template?.spec?.initContainers ?? []), ...(spec?.template?.spec?.containers ?? [])];
}

function load(file: string): Manifest[] {
  if (!existsSync(file)) throw new Error(`${file} does not exist`);
  if (statSync(file).isDirectory()) return render(file);
  return parseAllDocuments(readFileSync(file, 'utf8')).map((document) => {
    if (document.errors.length > 0) throw document.errors[0];
    return document.toJS() as Manifest;
  });
}

function merge(base: unknown, patch: unknown, field = ''): unknown {
  if (Array.isArray(base) && Array.isArray(patch)) {
    const key = MERGE_KEYS[field];
    if (key === undefined) return patch;
    const rest = [...(patch as Fields[])];
    const merged = (base as Fields[]).map((item) => {
      const index = rest.findIndex((other) => other[key] === item[key]);
      return index === -1 ? item : merge(item, rest.splice(index, 1)[0]);
    });
    return [...merged, ...rest];
  }
  if (isObject(base) && isObject(patch)) {
    const merged: Fields = { ...base };
    for (const [name, value] of Object.entries(patch)) merged[name] = merge(base[name], value, name);
    return merged;
  }
  return patch;
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
