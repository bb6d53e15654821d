import Fastify from 'fastify';

// The fastest possible service here: one fixed response of 500 bytes, without reading or calling anything.
const answer = JSON.stringify({ data: { filler: 'x'.repeat(481) } });

const app = Fastify();
app.removeAllContentTypeParsers();
app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null));
app.route({
  method: ['GET', 'POST'],
  url: '/*',
  handler: (_request, reply) => reply.header('content-type', 'application/json').send(answer),
});
await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) });
process.send?.('serving');
