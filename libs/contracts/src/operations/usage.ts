import { companyUsage } from '../quota.ts';
import { rootKeyOnly } from '../general-refusals.ts';
import { type Declarations, operations } from './operation.ts';

export const USAGE_OPERATIONS = operations('gateway', 'Usage', {
  getUsage: {
    method: 'GET',
    path: '/usage',
    summary: 'What the company uses of its quotas',
    description:
      'How much the company keeps of each kind, in the world of the key, and how much it may keep. What would pass a quota is refused with 409 `QUOTA_EXCEEDED`, which names the quota. The number of records is exact; bytes are close, and what expired by itself is seen within minutes.',
    scope: 'any',
    answer: { statuses: { 200: 'Every quota by its name.' }, data: companyUsage },
    errors: [rootKeyOnly],
    examples: { all: { summary: 'Ask' } },
  },
} satisfies Declarations);
