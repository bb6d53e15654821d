/**
 * The servers of the AsyncAPI document. The processes of the deployment connect to `natsUrls`; no user or password is
 * shown.
 */
export function asyncApiServers(natsUrls: readonly string[]) {
  const urls = natsUrls.map((url) => new URL(url));
  // All of them have the same user, if any.
  const security = urls.some(({ username }) => username !== '') ? [{ $ref: '#/components/securitySchemes/user' }] : [];
  const encrypted = urls.some(({ protocol }) => protocol === 'tls:');
  const server = ({ host }: URL) => ({
    host,
    protocol: 'nats',
    description: `NATS with JetStream, inside the platform${encrypted ? ', over TLS' : ''}.`,
    ...(security.length === 0 ? {} : { security }),
  });
  return Object.fromEntries(urls.map((url, n) => [n === 0 ? 'nats' : `nats${n + 1}`, server(url)]));
}
