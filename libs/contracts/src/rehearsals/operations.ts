import { EVENT } from '../events/operations.ts';
import { scopeMissing } from '../errors/general-refusals.ts';
import { adjustmentNotFound, codeTaken } from '../errors/refusals.ts';
import { type Declarations, exampleId, ids, operations } from '../operations/operation.ts';
import { rehearsal, rehearsalInput, rehearsalNotFound, rehearsalRunning } from './rehearsal.ts';

const REHEARSAL = exampleId('reh', 1);
/** How long a request waits for its report. */
const WAIT_MS = 3_000;

export const REHEARSAL_OPERATIONS = operations('pricing', 'Pricing', {
  createRehearsal: {
    method: 'POST',
    path: '/pricing/rehearsals',
    summary: 'Rehearse a campaign',
    description: [
      'Says what the orders of a period would have cost if adjustments had been different: created, changed or archived. Replays the orders in the order in which they were placed, with caps and budgets that fill as they would have. Changes nothing, and writes nothing but its report, which is kept for seven days.',
      'A period with many orders takes a while: then the response is 202, and `GET /pricing/rehearsals/{rehearsalId}` shows its progress. Needs `orders:read` too. A company has one at a time.',
      'A changed adjustment counts for the whole period as it would be if the change were saved now. All others count as they did. Orders that were amended, or placed at prices that the caller stated, count as they are.',
    ].join('\n\n'),
    scope: 'pricing:read',
    also: ['orders:read'],
    waitsMs: WAIT_MS,
    body: rehearsalInput,
    answer: { statuses: { 201: 'The report is done.', 202: 'The orders are being replayed.' }, data: rehearsal },
    errors: [
      adjustmentNotFound,
      codeTaken.shownWith('SUMMER20', 'changes[0].create.conditions.code'),
      rehearsalRunning,
      scopeMissing.shownWith('orders:read'),
    ],
    examples: {
      groups: {
        summary: 'What would 5.00 EUR off each of three tickets have cost?',
        body: {
          from: '2026-01-01T00:00:00Z',
          to: '2099-01-01T00:00:00Z',
          changes: [
            {
              create: {
                name: 'Friends',
                targets: [{ eventId: EVENT }],
                conditions: { minQuantity: 3 },
                effect: { kind: 'amount_off', amount: 500, currency: 'EUR' },
              },
            },
          ],
        },
        makes: { 'data.id': REHEARSAL },
      },
    },
  },
  getRehearsal: {
    method: 'GET',
    path: '/pricing/rehearsals/{rehearsalId}',
    summary: 'Read a rehearsal',
    description: 'Its progress, and its report once it is done. Needs `orders:read` too.',
    scope: 'pricing:read',
    also: ['orders:read'],
    params: ids({ rehearsalId: 'The rehearsal.' }),
    answer: { statuses: { 200: 'The rehearsal.' }, data: rehearsal },
    errors: [rehearsalNotFound, scopeMissing.shownWith('orders:read')],
    examples: { groups: { summary: 'Its report', path: { rehearsalId: REHEARSAL } } },
  },
} satisfies Declarations);
