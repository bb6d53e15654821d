import { PlatformError, serviceBusy } from '@event-commerce/contracts';

export type ConcurrencyLimiter = ReturnType<typeof createConcurrencyLimiter>;

/**
 * Limits the requests in flight to one service. One company may have half of them, so that its slow requests leave room
 * for others. Nothing waits here: a caller that is refused at once can slow down.
 */
export function createConcurrencyLimiter({ service, inFlightMax }: { service: string; inFlightMax: number }) {
  const companyMax = Math.ceil(inFlightMax / 2);
  const byCompany = new Map<string, number>();
  let inFlight = 0;

  return {
    /**
     * Counts one more request of the company, until `leave`.
     *
     * @throws {PlatformError} RATE_LIMITED if the company has its share in flight, SERVICE_UNAVAILABLE if all companies
     * together have as many as the service accepts
     */
    enter(company: string): void {
      const own = byCompany.get(company) ?? 0;
      if (own >= companyMax) {
        throw new PlatformError(
          'RATE_LIMITED',
          `Your company already has ${companyMax} requests to the ${service} service in progress. Send fewer at once.`,
          { retryAfterSeconds: 1 },
        );
      }
      if (inFlight >= inFlightMax) throw serviceBusy(service);
      inFlight += 1;
      byCompany.set(company, own + 1);
    },

    leave(company: string): void {
      const left = (byCompany.get(company) ?? 0) - 1;
      inFlight -= 1;
      if (left > 0) byCompany.set(company, left);
      else byCompany.delete(company);
    },
  };
}
