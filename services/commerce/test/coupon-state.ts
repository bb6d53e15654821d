import { call } from '@event-commerce/bus';
import { type EvaluateRequest, RPC } from '@event-commerce/contracts';
import { evaluationBody } from '@event-commerce/test-kit';
import type { Company, Services } from '../../../tests/harness/services.ts';

/** What two tickets at 50.00 cost with `code`. */
export const totalWith = async ({ bus }: Services, company: Company, code: string) => {
  const body = evaluationBody({ codes: [code] }) as EvaluateRequest;
  return (await call(bus, RPC.evaluate, body, company.context())).summary.total;
};
export const statusOf = async ({ commerce }: Company, id: string) =>
  (await commerce.get(`/coupons/${id}`)).body.data.status;
