import type { components } from '@event-commerce/client';
import { useState } from 'preact/hooks';
import { listOf } from '../data/list-of.ts';
import { useResource } from '../data/resource.ts';
import { useSession } from '../shell/session.tsx';
import { PickerField } from '../ui/picker.tsx';
import { limitText } from './budget-text.tsx';

type Budget = components['schemas']['Budget'];

const OFFERED_MAX = 50;

/** Picks the budget that pays for a discount, by its name. `value`: its id; empty, there is none. */
export function BudgetPicker({ value, onPick }: { value: string; onPick: (budgetId: string) => void }) {
  const { client } = useSession();
  const [last, setLast] = useState<Budget>();
  const unknownId = last?.id === value ? '' : value;
  const loaded = useResource(
    async (signal) => {
      if (unknownId === '') return undefined;
      const params = { path: { budgetId: unknownId } };
      return (await client.GET('/v1/pricing/budgets/{budgetId}', { params, signal })).data?.data;
    },
    [client, unknownId],
  );
  const budget = [last, loaded.value].find((one) => one?.id === value);
  return (
    <PickerField
      label="Budget"
      hint="What pays for it. Campaigns and coupons may share one."
      none="No budget"
      value={value}
      shown={budget?.name ?? (loaded.loading ? '' : value)}
      find={async (typed, signal) => {
        const query = { limit: OFFERED_MAX, ...(typed === '' ? {} : { q: typed }) };
        const { items } = await listOf(client.GET('/v1/pricing/budgets', { params: { query }, signal }));
        return items.map((of) => ({ id: of.id, text: of.name, about: limitText(of), of }));
      }}
      onPick={(picked) => {
        setLast(picked);
        onPick(picked?.id ?? '');
      }}
    />
  );
}
