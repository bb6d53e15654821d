import { companyUsage } from './quota.ts';
import { rootKeyOnly } from '../errors/general-refusals.ts';
import { type Declarations, operations } from '../operations/operation.ts';

export const USAGE_OPERATIONS = operations('gateway', 'Usage', {
  getUsage: {
    method: 'GET',
    path: '/usage',
    summary: 'What the company uses of its quotas',
    description:
      'How much the company stores of each kind, in the environment of the key, and how much it may store. A write that would exceed a quota returns 409 `QUOTA_EXCEEDED`, which names the quota. The counts may be a second old; expired records are noticed within minutes.',
    scope: 'any',
    answer: { statuses: { 200: 'Every quota by its name.' }, data: companyUsage },
    errors: [rootKeyOnly],
    examples: { all: { summary: 'Ask' } },
  },
} satisfies Declarations);
