import { randomBytes } from 'node:crypto';
import { type ApiClient, apiClient, newCompanyId } from '@event-commerce/test-kit';

/** A company of the test's own, and a key of it. */
export interface Company {
  companyId: string;
  key: string;
  api: ApiClient;
}

/** Creates a company. Its key may do everything, unless `key` says otherwise: any field of a new key. */
export type NewCompany = (key?: Record<string, unknown>) => Promise<Company>;

export function newRootApiKey(): string {
  return `root_${randomBytes(24).toString('base64url')}`;
}

/** The companies of the platform at `url`. */
export function companiesOf(url: string, rootApiKey: string): NewCompany {
  const root = apiClient(url, { authorization: `Bearer ${rootApiKey}` });
  return async (key = {}) => {
    const wanted = { companyId: newCompanyId(), name: 'test', scopes: ['*'], ...key };
    const { status, body } = await root.post('/v1/admin/keys', wanted);
    if (status !== 201) throw new Error(`no key was created: ${status} ${JSON.stringify(body)}`);
    const made: string = body.data.key;
    return {
      companyId: wanted.companyId,
      key: made,
      api: apiClient(url, { authorization: `Bearer ${made}` }),
    };
  };
}
