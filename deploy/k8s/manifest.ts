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
