import { BlockList, isIPv6 } from 'node:net';
import type { Manifest } from './manifest.ts';

interface Selector {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
}

interface Peer {
  podSelector?: Selector;
  namespaceSelector?: Selector;
  ipBlock?: { cidr: string; except?: string[] };
}

interface Rule {
  from?: Peer[];
  to?: Peer[];
  ports?: { port?: number; protocol?: string }[];
}

interface Policy {
  podSelector: Selector;
  policyTypes: string[];
  ingress?: Rule[];
  egress?: Rule[];
}

/** One end of a connection: a pod by its labels, or with `outside` an `address` outside the cluster. */
export interface End {
  namespace: string;
  labels: Record<string, string>;
  outside?: boolean;
  address?: string | undefined;
}

/** Whether the NetworkPolicies among `manifests` let `from` connect to `port` of `to`, as Kubernetes defines them. */
export function allows(manifests: readonly Manifest[], from: End, to: End, port: number): boolean {
  const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy');
  return direction(policies, 'egress', from, to, port) && direction(policies, 'ingress', to, from, port);
}

/** Whether `labels` satisfy `selector`; an empty selector is satisfied by all. */
export function selects(selector: Selector, labels: Record<string, string>): boolean {
  const equal = Object.entries(selector.matchLabels ?? {}).every(([key, value]) => labels[key] === value);
  return (
    equal &&
    (selector.matchExpressions ?? []).every(({ key, operator, values = [] }) => {
      if (operator !== 'In') throw new Error(`selects does not support the operator ${operator}`);
      return values.includes(labels[key] ?? '');
    })
  );
}

function direction(
  policies: readonly Manifest[],
  way: 'ingress' | 'egress',
  self: End,
  other: End,
  port: number,
): boolean {
  const type = way === 'ingress' ? 'Ingress' : 'Egress';
  const applying = policies
    .filter(({ metadata }) => metadata.namespace === self.namespace && !self.outside)
    .map((policy) => policy['spec'] as Policy)
    .filter((policy) => policy.policyTypes.includes(type) && selects(policy.podSelector, self.labels));
  if (applying.length === 0) return true;
  return applying
    .flatMap((policy) => policy[way] ?? [])
    .some((rule) => {
      const peers = way === 'ingress' ? rule.from : rule.to;
      const portFits = rule.ports?.some((allowed) => allowed.port === port) ?? true;
      return portFits && (peers === undefined || peers.some((peer) => fits(peer, self, other)));
    });
}

function fits(peer: Peer, self: End, other: End): boolean {
  if (peer.ipBlock !== undefined) {
    const { cidr, except = [] } = peer.ipBlock;
    const isExcepted = except.some((range) => contains(range, other.address));
    return other.outside === true && contains(cidr, other.address) && !isExcepted;
  }
  if (other.outside) return false;
  const namespaceFits =
    peer.namespaceSelector === undefined
      ? other.namespace === self.namespace
      : selects(peer.namespaceSelector, { 'kubernetes.io/metadata.name': other.namespace });
  return namespaceFits && selects(peer.podSelector ?? {}, other.labels);
}

function contains(cidr: string, address: string | undefined): boolean {
  const [network = '', bits] = cidr.split('/');
  const family = (ip: string) => (isIPv6(ip) ? 'ipv6' : 'ipv4');
  const list = new BlockList();
  list.addSubnet(network, Number(bits), family(network));
  return address !== undefined && list.check(address, family(address));
}
