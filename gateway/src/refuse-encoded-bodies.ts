import { unsupportedContentEncoding } from '@event-commerce/contracts';
import type { FastifyInstance } from 'fastify';

/** Bodies are read as they are sent: a compressed one would look like broken JSON. */
export function refuseEncodedBodies(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? '';
    if (encoding !== '' && encoding !== 'identity' && request.method !== 'GET' && request.method !== 'HEAD') {
      reply.header('accept-encoding', 'identity');
      throw unsupportedContentEncoding();
    }
    done();
  });
}
