import { ApiError, type Client } from '@event-commerce/client';
import { type Context, Hono } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { csrf } from 'hono/csrf';
import { html } from 'hono/html';

export interface ShopOptions {
  /** Its key has the scopes `events:read`, `carts:write` and `orders:checkout`, and never leaves this server. */
  client: Client;
  companyId: string;
  organizerId: string;
  eventId: string;
}

/** What the buyer is told when an order is refused, and sees beside the cart as it is now. */
const NOTICES: Record<string, string> = {
  PRICE_CHANGED: 'The price has changed meanwhile.',
  CART_CHANGED: 'Your cart has changed meanwhile, in another tab perhaps.',
  SOLD_OUT: 'Somebody was faster: not enough tickets are left.',
  CUSTOMER_LIMIT_REACHED: 'That is more tickets than one person may buy.',
};

/** A shop for one event: its tickets, the cart, and an order that is held while the buyer pays. */
export function createShop({ client, companyId, organizerId, eventId }: ShopOptions): Hono {
  const shop = new Hono();
  shop.use(csrf());

  shop.get('/', async (c) => {
    const [event, offerings] = await Promise.all([client.events.get(eventId), client.offerings.list(eventId)]);
    const rows = offerings.map(({ id, name, price, availability }) => {
      const isSoldOut = availability.left === 0;
      return html`<form method="post" action="/cart">
        <h2>${name}, ${money(price.amount, price.currency)}</h2>
        <input type="hidden" name="offeringId" value="${id}" />
        <input type="number" name="quantity" value="1" min="1" />
        <input name="code" placeholder="Code" />
        <button ${isSoldOut ? 'disabled' : ''}>${isSoldOut ? 'Sold out' : 'Put into the cart'}</button>
      </form>`;
    });
    return c.html(page(event.name ?? 'Tickets', rows));
  });

  shop.post('/cart', async (c) => {
    const field = await formOf(c);
    const code = field('code');
    // Who knows the id of a cart may change it, so it cannot be guessed.
    const cartId = getCookie(c, 'cart') ?? crypto.randomUUID();
    keep(c, 'cart', cartId);
    await client.carts.setItem(cartId, { offeringId: field('offeringId'), quantity: Number(field('quantity')) });
    if (code === '') return c.redirect('/cart', 303);
    const { couponResults } = await client.carts.updateSession(cartId, { coupons: [code] });
    const refused = couponResults.find(({ status }) => status !== 'applied');
    if (refused === undefined) return c.redirect('/cart', 303);
    // An order with a code that does not count is refused.
    await client.carts.updateSession(cartId, { coupons: [] });
    return c.html(await cartPage(cartId, `${code}: ${refused.detail ?? 'there is no such code'}`));
  });

  shop.get('/cart', async (c) => {
    const cartId = getCookie(c, 'cart');
    return cartId === undefined ? c.redirect('/', 303) : c.html(await cartPage(cartId));
  });

  shop.post('/order', async (c) => {
    const cartId = getCookie(c, 'cart');
    if (cartId === undefined) return c.redirect('/order', 303);
    const field = await formOf(c);
    // One number for what the buyer saw: a cart whose order expired unpaid has another version.
    const orderNumber = `${cartId}-${field('version')}`;
    const order = {
      orderNumber,
      currency: field('currency'),
      companyId,
      organizerId,
      contextId: eventId,
      customer: { email: field('email') },
      cartSessionId: cartId,
      cartVersion: Number(field('version')),
      expectedTotal: Number(field('total')),
      expiresInSeconds: 900,
      context: { urn: `urn:v1:${companyId}:orders:order/${orderNumber}` },
    };
    try {
      // A second click, or a retry after a lost response, finds the first order.
      const placed = await client.orders.create({ order }, { headers: { 'Idempotency-Key': field('attempt') } });
      keep(c, 'order', placed.order.id);
      deleteCookie(c, 'cart');
      return c.redirect('/order', 303);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
      return c.html(await cartPage(cartId, NOTICES[error.code] ?? error.message), 409);
    }
  });

  shop.get('/order', async (c) => {
    const orderId = getCookie(c, 'order');
    if (orderId === undefined) return c.redirect('/', 303);
    const { orderNumber, status, costs, currency, expiresAt } = await client.orders.get(orderId);
    // Your payment system takes over here, and confirms the order with a key of its own.
    return c.html(
      page(
        `Order ${orderNumber}`,
        status === 'pending'
          ? html`<p>Please pay ${money(costs.total, currency)} until ${expiresAt}.</p>`
          : html`<p>The order is ${status}.</p>`,
      ),
    );
  });

  /** The cart with what it costs now, and the form that orders it as it is shown. */
  async function cartPage(cartId: string, notice = '') {
    const { items, total, currency, version } = await client.carts.getSession(cartId);
    const canBeOrdered = items.length > 0 && items.every(({ available }) => available);
    return page(
      'Your cart',
      html`<p role="alert">${notice}</p>
        <ul>
          ${items.map(
            ({ name, quantity, total: price, available }) =>
              html`<li>${quantity} × ${name}: ${available ? money(price, currency) : 'not available'}</li>`,
          )}
        </ul>
        <form method="post" action="/order">
          <p>Total: ${money(total, currency)}</p>
          <input type="hidden" name="version" value="${version}" />
          <input type="hidden" name="total" value="${total}" />
          <input type="hidden" name="currency" value="${currency}" />
          <input type="hidden" name="attempt" value="${crypto.randomUUID()}" />
          <input type="email" name="email" placeholder="E-mail" required />
          <button ${canBeOrdered ? '' : 'disabled'}>Order and pay</button>
        </form>`,
    );
  }

  return shop;
}

const page = (title: string, content: unknown) =>
  html`<!doctype html>
    <html lang="en">
      <meta name="viewport" content="width=device-width" />
      <title>${title}</title>
      <h1>${title}</h1>
      ${content}
    </html>`;

/** An amount in minor units as a text: 8000 as €80.00, or as ¥8,000. */
function money(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

/** The fields of a form, by their names; empty if they are missing. */
async function formOf(c: Context): Promise<(name: string) => string> {
  const form = new URLSearchParams(await c.req.text());
  return (name) => form.get(name) ?? '';
}

/** Only this server reads the cookie. */
function keep(c: Context, name: string, value: string): void {
  setCookie(c, name, value, { httpOnly: true, sameSite: 'Lax', secure: true });
}
