import httpProxy from '@fastify/http-proxy';
import Fastify from 'fastify';

// The cost of a gateway that does nothing: the same proxy library, no key, no limit, no envelope.
const app = Fastify();
await app.register(httpProxy, { upstream: process.env['UPSTREAM'] ?? '' });
await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) });
process.send?.('serving');
