/** A Kubernetes object, or a part of one. */
export type Fields = Record<string, unknown>;

export interface Manifest extends Fields {
  apiVersion: string;
  kind: string;
  metadata: {
    name: string;
    namespace?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
  };
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
