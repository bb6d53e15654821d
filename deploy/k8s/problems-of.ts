import type { Manifest } from './manifest.ts';

type Validate = ((data: unknown) => boolean) & {
  errors?: { instancePath: string; message?: string; params: object }[];
};

/**
 * The violations in `manifest` of the schema that Kubernetes publishes for its kind, in sentences. Unknown fields are
 * violations too, as on a server with strict validation. Needs no network and no cluster.
 */
export async function problemsOf(manifest: Manifest): Promise<string[]> {
  const validate = await schemaOf(manifest);
  if (validate === undefined) return [`no kind ${manifest.kind} in ${manifest.apiVersion}`];
  const read = new Set<string>();
  validate(watched(manifest, '', read));
  return [
    ...(validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath}: ${message ?? ''} ${JSON.stringify(params)}`,
    ),
    ...fieldsOf(manifest, '')
      .filter((field) => !read.has(field))
      .map((field) => `${field}: no such field in ${manifest.kind}`),
  ];
}

/** The package names its schemas like `IoK8sApiAppsV1Deployment`. */
async function schemaOf({ apiVersion, kind }: Manifest): Promise<Validate | undefined> {
  const [version = '', group = 'core'] = apiVersion.split('/').toReversed();
  const name = `IoK8sApi${capitalised(group.split('.')[0] ?? '')}${capitalised(version)}${kind}`;
  try {
    return ((await import(`kubernetes-models/_schemas/${name}`)) as { validate: Validate }).validate;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

function capitalised(word: string): string {
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
}

/** `value`; adds the path of each field that is read to `read`. A validator reads every field that its schema knows. */
function watched<T extends object>(value: T, at: string, read: Set<string>): T {
  return new Proxy(value, {
    get(target, field, receiver) {
      const found: unknown = Reflect.get(target, field, receiver);
      if (typeof field === 'symbol') return found;
      read.add(`${at}/${field}`);
      return typeof found === 'object' && found !== null ? watched(found, `${at}/${field}`, read) : found;
    },
  });
}

function fieldsOf(value: unknown, at: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([field, inner]) => [`${at}/${field}`, ...fieldsOf(inner, `${at}/${field}`)]);
}
