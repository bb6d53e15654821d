import { allows, type Scope, type ServiceName } from './identity.ts';

/** How a success is wrapped: `{"status":"ok",...}`, or `{"ok":true,...}` as order creation answers. */
export type EnvelopeKind = 'status' | 'order-created';

export interface Route {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path without a version segment: what callers send after it, and what the service serves. */
  path: string;
  service: ServiceName;
  scope: Scope;
  /** What the service does more of for a caller who holds it. */
  also?: Scope;
  envelope: EnvelopeKind;
  /** Over HTTP to the service, or as one NATS request to whoever serves the evaluate endpoint. */
  how: 'proxy' | 'evaluate';
}

/** Whom the token of a request to a service must satisfy: the service, and the ones it asks on the caller's behalf. */
export const AUDIENCE: Readonly<Record<ServiceName, readonly ServiceName[]>> = {
  pricing: ['pricing', 'events'],
  commerce: ['commerce', 'pricing', 'cart', 'events'],
  cart: ['cart', 'pricing', 'events'],
  events: ['events'],
};

/**
 * The scopes that a service is told of a caller who holds `granted`: those the route needs, and no more. Whoever reads the token there
 * can do nothing else with it.
 */
export function scopesFor({ scope, also }: Route, granted: readonly Scope[]): readonly Scope[] {
  return also !== undefined && allows(granted, also) ? [scope, also] : [scope];
}

/** Every route that a service answers: the gateway asks for its scope, and so does the service. The gateway's own (health, key administration) are beside their handlers. */
export const ROUTES: readonly Route[] = [
  ...routesOf('pricing', {
    'POST /pricing/adjustments': 'pricing:write',
    'GET /pricing/adjustments': 'pricing:read',
    'GET /pricing/adjustments/:id': 'pricing:read',
    'PATCH /pricing/adjustments/:id': 'pricing:write',
    'DELETE /pricing/adjustments/:id': 'pricing:write',
    'POST /pricing/adjustments/:id/redemptions': 'pricing:redeem',
    'GET /pricing/adjustments/:id/redemptions': 'pricing:read',
    'DELETE /pricing/adjustments/:id/redemptions/:redemptionId': 'pricing:redeem',
  }),
  ...routesOf(
    'pricing',
    { 'POST /pricing/adjustments/evaluate': 'pricing:evaluate' },
    { how: 'evaluate', also: 'pricing:read' },
  ),

  ...routesOf('commerce', {
    'POST /coupons': 'coupons:write',
    'GET /coupons': 'coupons:read',
    'GET /coupons/:id': 'coupons:read',
    'PATCH /coupons/:id': 'coupons:write',
    'DELETE /coupons/:id': 'coupons:write',
    'GET /orders': 'orders:read',
    'GET /orders/:id': 'orders:read',
    'POST /orders/:id/cancel': 'orders:write',
  }),
  ...routesOf('commerce', { 'POST /orders': 'orders:write' }, { envelope: 'order-created' }),

  ...routesOf('cart', {
    'POST /cart/sessions': 'carts:write',
    'GET /cart/sessions/:id': 'carts:read',
    'PATCH /cart/sessions/:id': 'carts:write',
    'POST /cart/sessions/:id/item': 'carts:write',
    'POST /cart/sessions/:id/join-table': 'carts:write',
    'POST /cart/table-commitments': 'carts:write',
    'GET /cart/table-commitments/:id': 'carts:read',
    'POST /cart/table-commitments/:id/close': 'carts:write',
  }),

  ...routesOf('events', {
    'GET /events': 'events:read',
    'POST /events': 'events:write',
    'GET /events/:id': 'events:read',
    'PATCH /events/:id': 'events:write',
    'POST /events/:seriesId/instances': 'events:write',
    'PATCH /events/:seriesId/instances/:instanceId': 'events:write',
    'POST /events/:seriesId/instances/:instanceId/revert': 'events:write',
    'POST /events/:id/purchase-groups': 'events:write',
    'GET /events/:id/purchase-groups': 'events:read',
    'GET /events/:id/purchase-groups/:pgid': 'events:read',
    'POST /events/:id/purchase-groups/:pgid/merge': 'events:write',
    'POST /events/:id/offerings': 'events:write',
    'GET /events/:id/offerings': 'events:read',
    'GET /offerings/:id': 'events:read',
    'PATCH /offerings/:id': 'events:write',
  }),
];

function routesOf(
  service: ServiceName,
  scopes: Readonly<Record<`${Route['method']} /${string}`, Scope>>,
  special: Partial<Pick<Route, 'envelope' | 'how' | 'also'>> = {},
): Route[] {
  return Object.entries(scopes).map(([request, scope]) => {
    const [method, path] = request.split(' ') as [Route['method'], string];
    return { method, path, service, scope, envelope: 'status', how: 'proxy', ...special };
  });
}
