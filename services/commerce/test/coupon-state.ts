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
