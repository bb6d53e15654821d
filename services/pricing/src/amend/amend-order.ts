import type { Claim, HeldClaims } from '@event-commerce/claims';
import {
  type Adjustment,
  type AmendmentMode,
  type AmendRequest,
  budgetsIn,
  codeKey,
  type EvaluateCartRequest,
  type JudgedAmendment,
  PlatformError,
  type PricedAmendment,
  ticketsIn,
  toRefusal,
} from '@event-commerce/contracts';
import { type Caller, RESPOND_WITHIN_MS } from '@event-commerce/service-kit';
import type { AdjustmentRecord } from '../adjustments/adjustment-record.ts';
import type { AdjustmentRepository } from '../adjustments/adjustment.repository.ts';
import { hasTicketCap, poolOfClaim } from '../adjustments/domain/pools-of.ts';
import { poolAt } from '../budgets/domain/budget.ts';
import { type CapsToRead, poolsCapping } from '../evaluate/domain/caps-to-read.ts';
import { pricedFrom, type PricingDeps, readFacts } from '../evaluate/price-facts.ts';
import { refuseUnlike, refusingTooLarge } from '../evaluate/price-refusals.ts';
import { keepsChanging, limitReached, refusalOf, refused } from '../purchase/claim-refusals.ts';
import { PASSES_MIN, type PurchaseDeps, refuseRedeemedManually } from '../purchase/purchase.ts';
import { type CapKnowledge, countsForOrder } from '../purchase/quote-order.ts';
import { withIssuedCodes } from '../codes/with-issued-codes.ts';
import { claimAll, type FullCap } from '../redemptions/claim-redemptions.ts';
import { type ClaimRequest, isOfBudget, poolIdOf, redemptionOf } from '../redemptions/claim-request.ts';
import type { CompanyAdjustments } from '../snapshot/domain/snapshot.ts';
import { amendKeeping, amendRepricing, type Amending } from './domain/amendment.ts';
import { type FrozenAdjustment, frozenAdjustments, issuedCodesIn } from './domain/frozen-adjustments.ts';

export type AmendDeps = PurchaseDeps & { adjustments: Pick<AdjustmentRepository, 'readVersions'> };

const AMENDED: Readonly<Record<AmendmentMode, (amending: Amending) => PricedAmendment>> = {
  keep: amendKeeping,
  reprice: amendRepricing,
};

/** What an amendment is priced with, besides what is read for it. */
interface Adjustments {
  snapshot: CompanyAdjustments;
  frozen: FrozenAdjustment[];
  /** The adjustments of the order's basis as they are now. */
  present: ReadonlyMap<string, AdjustmentRecord>;
}

/**
 * The amendment in each mode, or why it is refused in that mode. Claims nothing.
 *
 * @throws {PlatformError} SERVICE_UNAVAILABLE if something that it needs cannot be read, VALIDATION_FAILED if it cannot
 * be priced, FORBIDDEN if a line names another company
 */
export async function previewAmendment(
  deps: AmendDeps,
  caller: Caller,
  request: AmendRequest,
): Promise<Record<AmendmentMode, JudgedAmendment>> {
  const adjustments = await adjustmentsFor(deps, caller, request, { afresh: false });
  return await pricedWith(deps, caller, request, adjustments, { full: new Map() }, (amending) => ({
    keep: judged(() => amendKeeping(amending)),
    reprice: judged(() => amendRepricing(amending)),
  }));
}

/**
 * The amendment in `mode`. Claims the redemptions that it needs and the order does not have, all or none, and records
 * them in `held`. An automatic adjustment whose cap is full is left out; a new code whose cap is full is refused.
 *
 * @throws {PlatformError} as `previewAmendment`; the refusals of the mode, and REDEMPTION_LIMIT_REACHED
 */
export async function claimAmendment(
  deps: AmendDeps,
  caller: Caller,
  mode: AmendmentMode,
  request: AmendRequest,
  held: HeldClaims,
): Promise<{ claims: Claim[]; amendment: PricedAmendment }> {
  const untilMs = performance.now() + RESPOND_WITHIN_MS;
  const full = new Map<string, FullCap>();
  const granted = new Map<string, number>();
  const order = { ...request, ...request.cartContext };
  for (let passes = 1, afresh = false; ; passes++) {
    const adjustments = await adjustmentsFor(deps, caller, request, { afresh });
    const amendment = await pricedWith(deps, caller, request, adjustments, { full, granted }, AMENDED[mode]);
    const requests = requestsFor(amendment, request, adjustments, deps.clock().getTime());
    const outcome = requests && (await claimAll(deps, caller.tenant, order, requests, held, untilMs));
    if (outcome?.kind === 'claimed') {
      await refuseRedeemedManually(deps, caller.tenant, request.orderId, outcome.claims);
      return { claims: outcome.claims, amendment };
    }
    if (outcome?.kind === 'full') full.set(poolIdOf(outcome.request), refuseIfAsked(deps, request, outcome));
    else if (outcome?.kind === 'short') granted.set(outcome.of, outcome.granted);
    else afresh = true;
    if (passes >= PASSES_MIN && performance.now() > untilMs) throw keepsChanging();
  }
}

function judged(amend: () => PricedAmendment): JudgedAmendment {
  try {
    return amend();
  } catch (error) {
    if (!(error instanceof PlatformError) || error.statusCode >= 500) throw error;
    return { refusal: toRefusal(error) };
  }
}

async function adjustmentsFor(
  deps: AmendDeps,
  { tenant }: Caller,
  { order: { basis, claims, codes: had }, codes = had }: AmendRequest,
  { afresh }: { afresh: boolean },
): Promise<Adjustments> {
  const { snapshots, adjustments } = deps;
  const [stored, { frozen, present }] = await Promise.all([
    afresh ? snapshots.fresh(tenant) : snapshots.get(tenant),
    basis === undefined
      ? { frozen: new Map<string, Adjustment>(), present: new Map<string, AdjustmentRecord>() }
      : adjustments.readVersions(tenant, basis.adjustments),
  ]);
  const definitions = new Map(
    [...frozen].flatMap(([id, one]) => {
      const now = present.get(id);
      return now === undefined ? [] : [[id, { frozen: one, present: now }] as const];
    }),
  );
  const snapshot = await withIssuedCodes(deps, tenant, stored, codes);
  return {
    snapshot,
    present,
    frozen: basis === undefined ? [] : frozenAdjustments(basis, definitions, issuedCodesIn(claims)),
  };
}

/** The result of `price` for what is read for the amendment. `found`: what its claims found. */
async function pricedWith<T>(
  deps: AmendDeps,
  caller: Caller,
  request: AmendRequest,
  { snapshot, frozen }: Adjustments,
  found: Pick<CapKnowledge, 'full' | 'granted'>,
  price: (amending: Amending) => T,
): Promise<T> {
  const cart = judgedByLive(request);
  refuseUnlike(deps, caller.tenant, cart, 'items');
  const isReleased = ({ pool }: AmendRequest['order']['claims'][number]) => pool === undefined || pool === 'code';
  const redeemed = new Set(request.order.claims.filter(isReleased).map(poolOfClaim));
  const known: CapKnowledge = { counted: true, ...found, released: redeemed };
  const nowMs = deps.clock().getTime();
  const capping = frozen.map(({ adjustment }) => poolsCapping(adjustment, snapshot, nowMs));
  const withFrozen = (caps: CapsToRead): CapsToRead => ({
    ...caps,
    inAll: [...caps.inAll, ...capping.flatMap(({ inAll }) => inAll)],
    perCustomer: [
      ...caps.perCustomer,
      ...(caps.buyer.customerId === undefined ? [] : capping.flatMap(({ perCustomer }) => perCustomer)),
    ],
    perEmail: [
      ...caps.perEmail,
      ...(caps.buyer.customerEmail === undefined ? [] : capping.flatMap(({ perEmail }) => perEmail)),
    ],
  });
  const counts = async (_deps: PricingDeps, caps: readonly CapsToRead[]) =>
    countsForOrder(deps, request, known, caps.map(withFrozen));
  const read = async () => (await readFacts(deps, caller, [{ snapshot, cart }], 'items', counts))[0];
  return await pricedFrom(deps, caller, snapshot, cart, read, (facts) =>
    refusingTooLarge('items', () =>
      price({ request, live: snapshot, frozen, facts: { ...facts, granted: found.granted } }),
    ),
  );
}

/** The lines that live adjustments may apply to: those that are added, and with a new code those that remain. */
function judgedByLive({ order, added, codes = order.codes, cartContext }: AmendRequest): EvaluateCartRequest {
  const had = new Set(order.codes.map(codeKey));
  const addsCode = codes.some((code) => !had.has(codeKey(code)));
  return { lines: addsCode ? [...order.lines, ...added] : added, cartContext: { ...cartContext, codes } };
}

/** What must be claimed. Undefined if an adjustment is no longer known. */
function requestsFor(
  { redemptions, order: amended }: PricedAmendment,
  { order, codes = order.codes }: AmendRequest,
  { snapshot, present }: Adjustments,
  nowMs: number,
): ClaimRequest[] | undefined {
  const presented = new Set(codes.map(codeKey));
  const requests: ClaimRequest[] = [];
  for (const id of redemptions.claimed) {
    const adjustment = snapshot.get(id) ?? present.get(id);
    if (adjustment === undefined) return undefined;
    const { code } = adjustment.conditions;
    requests.push(...redemptionOf(adjustment, code !== undefined && presented.has(codeKey(code)) ? code : undefined));
  }
  const had = ticketsIn(order.claims);
  for (const [id, needed] of Object.entries(redemptions.tickets)) {
    const adjustment = snapshot.get(id) ?? present.get(id);
    const tickets = needed - (had.get(id) ?? 0);
    if (tickets > 0 && adjustment !== undefined && hasTicketCap(adjustment.conditions)) {
      requests.push({ adjustment, tickets });
    }
  }
  const drawn = budgetsIn(order.claims);
  const modifiers = [...amended.lines.flatMap((line) => line.modifiers), ...amended.modifiers];
  for (const [budgetId, needed] of Object.entries(redemptions.budgets)) {
    const budget = snapshot.budget(budgetId);
    const amount = needed - (drawn.get(budgetId) ?? 0);
    if (amount <= 0 || budget === undefined) continue;
    const { adjustmentId = '' } = modifiers.find((one) => one.budgetId === budgetId) ?? {};
    requests.push({ budget, poolId: poolAt(budget, nowMs), amount, adjustmentId });
  }
  return requests;
}

/** The full cap, unless a new code needs it. @throws {PlatformError} REDEMPTION_LIMIT_REACHED */
function refuseIfAsked({ clock }: AmendDeps, { order, cartContext }: AmendRequest, cap: FullCap): FullCap {
  if (isOfBudget(cap.request)) return cap;
  const { adjustment, code } = cap.request;
  if (code === undefined || order.codes.some((one) => codeKey(one) === codeKey(code))) return cap;
  const why = refusalOf(cap.request, cartContext, clock(), cap) ?? limitReached;
  throw refused(why, { adjustmentId: adjustment.id, code }, { path: 'coupons', isContended: cap.isContended });
}
