import { type ClaimsRefused, PlatformError, toRefusal } from '@event-commerce/contracts';
import type { Claim } from './claim.ts';

/**
 * What a request holds in pools for its order, whether it made or found the claims. A copy of the order may need them
 * too, which only commerce knows: so a service does not release them by itself, but returns what is held.
 */
export class HeldClaims {
  #isKnown = true;
  readonly #claims = new Map<string, Claim>();

  /** Makes a claim with `hold`, and records the result. If it throws, it is unknown what is held. */
  async note<Outcome extends { claim?: Claim }>(hold: () => Promise<Outcome>): Promise<Outcome> {
    try {
      const outcome = await hold();
      if (outcome.claim !== undefined) this.#claims.set(outcome.claim.id, outcome.claim);
      return outcome;
    } catch (error) {
      this.#isKnown = false;
      throw error;
    }
  }

  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** All that is held, except `claims`. */
  except(claims: readonly Claim[]): Claim[] {
    const needed = new Set(claims.map(({ id }) => id));
    return [...this.#claims.values()].filter(({ id }) => !needed.has(id));
  }
}

/**
 * The reply to a request that claims: what `work` claimed, and what else is held that the order does not need; or why
 * it is refused, with all that is held by then. `toTold`: converts a claim to the reply's form.
 *
 * @throws what `work` throws, if that is not a refusal, or if it is unknown what is held
 */
export async function replyWithClaims<Told, Done extends { claims: readonly Claim[] }>(
  toTold: (claim: Claim) => Told,
  work: (held: HeldClaims) => Promise<Done>,
): Promise<(Omit<Done, 'claims'> & { claims: Told[]; spare?: Told[] }) | ClaimsRefused<Told>> {
  const held = new HeldClaims();
  try {
    const { claims, ...rest } = await work(held);
    const spare = held.except(claims).map(toTold);
    return { ...rest, claims: claims.map(toTold), ...(spare.length === 0 ? {} : { spare }) };
  } catch (error) {
    if (!(error instanceof PlatformError) || !held.isKnown) throw error;
    return { refusal: toRefusal(error), spare: held.except([]).map(toTold) };
  }
}
