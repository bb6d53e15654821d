import { existsSync } from 'node:fs';
import path from 'node:path';
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

const SCHEMAS = path.resolve(import.meta.dirname, '../node_modules');
/** Where the schemas of what is not part of Kubernetes are. Their packages export the classes only. */
const OPERATORS: Readonly<Record<string, string>> = {
  'external-secrets.io/v1':
    '@kubernetes-models/external-secrets/_schemas/ComGithubExternalSecretsExternalSecretsApisExternalsecretsV1',
  'gateway.networking.k8s.io/v1': '@kubernetes-models/gateway-api/_schemas/IoK8sSigsGatewayApiApisV1',
  'monitoring.coreos.com/v1':
    '@kubernetes-models/prometheus-operator/_schemas/ComGithubPrometheusOperatorPrometheusOperatorPkgApisMonitoringV1',
};

async function schemaOf({ apiVersion, kind }: Manifest): Promise<Validate | undefined> {
  const [version = '', group = 'core'] = apiVersion.split('/').toReversed();
  // The package of Kubernetes names its schemas like `IoK8sApiAppsV1Deployment`.
  const ofKubernetes = `kubernetes-models/_schemas/IoK8sApi${capitalised(group.split('.')[0] ?? '')}${capitalised(version)}`;
  const file = path.join(SCHEMAS, `${OPERATORS[apiVersion] ?? ofKubernetes}${kind}.js`);
  return existsSync(file) ? ((await import(file)) as { validate: Validate }).validate : undefined;
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
