import { randomUUID } from 'node:crypto';
import type { Company, Services } from '../../../tests/harness/services.ts';

/** Publishes an event of the company, about a record of its own, and returns its id. */
export async function publishEvent(
  services: Pick<Services, 'publish'>,
  { companyId }: Pick<Company, 'companyId'>,
  id: string = randomUUID(),
): Promise<string> {
  const keyId = `key_${randomUUID()}`;
  const now = new Date().toISOString();
  await services.publish({
    specversion: '1.0',
    id,
    time: now,
    datacontenttype: 'application/json',
    companyid: companyId,
    environment: 'live',
    schemaversion: 1,
    source: '/gateway',
    type: 'api_key.revoked',
    subject: keyId,
    data: { id: keyId, companyId, name: 'Test', revoked: now, version: 2 },
  });
  return id;
}
