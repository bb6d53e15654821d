import { Webhook } from 'standardwebhooks';

/** Receives a webhook's message, in any framework that has `Request` and `Response`. */
export async function receive(request: Request, secret: string, store: (event: unknown) => Promise<void>) {
  let event: unknown;
  try {
    event = new Webhook(secret).verify(await request.text(), Object.fromEntries(request.headers));
  } catch {
    return new Response(null, { status: 401 });
  }
  // A message may arrive twice, with the same `webhook-id`: store it once, respond, and do the work afterwards.
  await store(event);
  return new Response(null, { status: 204 });
}
