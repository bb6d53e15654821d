import { SCOPES } from '@event-commerce/contracts';

/** Five requests that lead from nothing to an order. A test sends them in this order. */
const FIRST_REQUESTS = [
  {
    say: 'Create an event',
    path: '/v1/events',
    body: { id: 'evt_gala', name: 'Summer gala', startsAt: '2027-07-10T18:00:00Z', status: 'published' },
  },
  {
    say: 'Put a ticket on sale, at 50.00 EUR',
    path: '/v1/events/evt_gala/offerings',
    body: { id: 'gala-ticket', name: 'Ticket', price: { amount: 5000, currency: 'EUR' } },
  },
  {
    say: 'Create a coupon: 20 % off, a hundred times',
    path: '/v1/coupons',
    body: { code: 'GALA20', percentOff: 20, limit: 100 },
  },
  {
    say: 'Fill a cart. The response explains the price, and what the code did',
    path: '/v1/cart/sessions',
    body: { id: 'gala-cart', items: [{ offeringId: 'gala-ticket', quantity: 2 }], coupons: ['GALA20'] },
  },
  {
    say: 'Place the order. It redeems every adjustment in the price, or fails as a whole',
    path: '/v1/orders',
    body: {
      order: {
        orderNumber: 'GALA-1',
        currency: 'EUR',
        companyId: 'demo',
        organizerId: 'org_gala',
        contextId: 'evt_gala',
        customer: { email: 'ada@example.com' },
        cartSessionId: 'gala-cart',
        cartVersion: 1,
        expectedTotal: 8000,
        context: { urn: 'urn:v1:demo:orders:order/GALA-1' },
      },
    },
  },
];

const curls = FIRST_REQUESTS.map(
  ({ say, path, body }, index) => `${index + 1}. ${say}:

\`\`\`sh
curl -s "$API${path}" -H "Authorization: Bearer $API_KEY" -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(body)}'
\`\`\``,
).join('\n\n');

/** What the document says before its operations, in Markdown. */
export const INTRODUCTION = `
## Getting started

Set \`API\` to the address of this page without its path, and \`API_KEY\` to your key. The order names the company of the key: \`demo\`, for the key that \`npm start\` prints.

${curls}

Below, every operation has a form to try it: enter your key at the top of the page first.

## Conventions

**Keys.** Every request carries \`Authorization: Bearer <API key>\`. The key belongs to one company. You see and change only that company's records; those of others are 404. A key holds scopes: ${SCOPES.map((scope) => `\`${scope}\``).join(', ')}. A write scope includes its read.

**Responses.** A success is \`{"status":"ok","data":...}\` (a created order \`{"ok":true,"data":{"order":...}}\`), an error \`{"status":"error","message":...,"error":{"code","message","requestId","details"}}\`. Lists have \`page: {"next","limit"}\` next to \`data\`: send \`next\` as \`cursor\` for the next page. A page of large records ends at 1 MiB, even if it has fewer than \`limit\`: only \`next: null\` marks the last page. Every response has an \`x-request-id\`: your own, if you sent one.

**Values.** Money is an integer in minor units (cents) with an ISO 4217 currency. Percentages have at most four decimals. Times are ISO 8601, returned in UTC with milliseconds; a time without a zone is in the \`timezone\` of the event or events that the record names, or UTC if it names none; a date without a time is refused. Ids are opaque, except that venue ids begin with \`ven_\` and organization ids with \`org_\`: where an id may name an event, a venue or an organization, any other id is that of an event. An id like \`cpn_01k9...\` in an example stands for the one that the platform gave your record. A body has at most 1 MiB, 32 levels, and 500 entries in an array; null for an optional field means that it is absent, and in a PATCH removes it.

**Misspelt fields.** A field or query parameter that looks misspelt, or belongs to another kind of record or another list, gets a 400 that names the right one. In \`conditions\`, \`effect\`, \`targets[]\`, tiers, the query of orders and the rotation of a key, every unknown field gets a 400. Elsewhere unknown fields are ignored.

**Limits.** Requests are limited for each key, and for all keys of a company together: 100 a second and 500 a second, unless the operator chose other limits. \`RateLimit\` and \`RateLimit-Policy\` say what is left; a 429 says in \`Retry-After\` how many seconds to wait.

**Repeating.** Send an \`Idempotency-Key\` with a POST and repeat it as often as you like: it takes effect once, and for 24 hours you get the first response again, or, if that was above 1 MiB, a 409 \`ALREADY_EXISTS\` that says how to find what was created. Repeat a 503 after \`Retry-After\`, with the same key: it may have taken effect.

**Versions.** Every path is served under \`/v1\` and without it. Another version gets 404 \`UNSUPPORTED_VERSION\`, an unknown path 404 \`NOT_FOUND\`, another method 405 \`METHOD_NOT_ALLOWED\` with \`Allow\`. \`HEAD\` works like \`GET\`, without the body.

**Errors.** \`error.code\` is for programs and does not change; \`message\` and \`details\` are for people. Each operation lists the codes it returns; the schema \`Error\` lists all of them.
`.trim();
