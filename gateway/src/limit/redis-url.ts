/** One server; the primary that sentinels name, which is the path; or a cluster. */
export const REDIS_URL =
  /^(?<scheme>rediss?)(?:\+(?<kind>sentinel|cluster))?:\/\/(?:(?<user>[^:@/]*)(?::(?<password>[^@/]*))?@)?(?<hosts>[^@/?#\s]+)(?:\/(?<name>[\w.-]*))?(?:\?(?<query>\S*))?$/;

const DEFAULT_PORTS = { sentinel: 26_379, cluster: 6379 };

export interface RedisServers {
  kind: 'sentinel' | 'cluster';
  servers: { host: string; port: number }[];
  name: string;
  login: { username?: string; password?: string };
  usesTls: boolean;
  sentinelPassword: string | null;
}

/** The servers that a URL of sentinels or of a cluster names; undefined for the URL of one server. */
export function serversIn(url: string): RedisServers | undefined {
  const { scheme, kind, user, password, hosts = '', name = '', query } = REDIS_URL.exec(url)?.groups ?? {};
  if (kind !== 'sentinel' && kind !== 'cluster') return undefined;
  const servers = hosts.split(',').map((one) => {
    const { hostname, port } = new URL(`http://${one}`);
    return { host: hostname.replaceAll(/[[\]]/g, ''), port: Number(port) || DEFAULT_PORTS[kind] };
  });
  return {
    kind,
    servers,
    name,
    login: {
      ...(user && { username: decodeURIComponent(user) }),
      ...(password && { password: decodeURIComponent(password) }),
    },
    usesTls: scheme === 'rediss',
    sentinelPassword: new URLSearchParams(query).get('sentinelPassword'),
  };
}
