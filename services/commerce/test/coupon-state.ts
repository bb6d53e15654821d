import { call } from '@event-commerce/bus';
import { type EvaluateRequest, RPC } from '@event-commerce/contracts';
import { evaluationBody } from '@event-commerce/test-kit';
import type { CommerceAndPricing, Company } from './harness.ts';

export const totalWith = async (platform: CommerceAndPricing, { companyId }: Company, code: string) => {
  const body = evaluationBody({ codes: [code] }) as EvaluateRequest;
  return (await call(platform.bus, RPC.evaluate, body, platform.context(companyId))).summary.total;
};
export const statusOf = async ({ commerce }: Company, id: string) =>
  (await commerce.get(`/coupons/${id}`)).body.data.status;

/** Runs `work` while no pricing service answers. */
export async function withoutPricing({ pricingReplicas }: CommerceAndPricing, work: () => Promise<void>) {
  const signal = (name: NodeJS.Signals) => {
    for (const { pid } of pricingReplicas) process.kill(pid as number, name);
  };
  signal('SIGSTOP');
  try {
    await work();
  } finally {
    signal('SIGCONT');
  }
}
