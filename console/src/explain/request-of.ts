import type { components } from '@event-commerce/client';
import { isCurrency, minorUnitsOf } from '../format/format.ts';
import { listedIn } from '../data/listed-in.ts';
import { instantOf } from '../format/zoned-time.ts';
import type { Question } from './question.ts';

type Schemas = components['schemas'];
type EvaluateRequest = Schemas['EvaluateRequest'];

/** What pricing is asked; undefined while there is nothing that has a price. */
export function requestOf(
  question: Question,
  catalogue: { event: Schemas['Event'] | undefined; offering: Schemas['Offering'] | undefined },
): EvaluateRequest | undefined {
  const offering = question.of === 'price' ? ownOffering(question) : catalogueOffering(catalogue.offering);
  const quantity = Number(question.quantity);
  if (offering === undefined || !Number.isInteger(quantity) || quantity < 1) return undefined;
  const { amount, currency } = offering.price;
  const now = instantOf(question.at, catalogue.event?.timezone ?? 'UTC');
  return {
    offering,
    cartContext: {
      quantity,
      codes: listedIn(question.codes),
      ...(currency === undefined ? {} : { orderTotal: { amount: amount * quantity, currency } }),
      ...given('customerId', question.customer),
      ...given('customerSegment', question.segment),
      ...given('channelId', question.channel),
      ...given('now', now),
    },
  };
}

function catalogueOffering(offering: Schemas['Offering'] | undefined): EvaluateRequest['offering'] | undefined {
  if (offering === undefined) return undefined;
  const { id, eventId, price, tags } = offering;
  return { id, eventId, price, tags };
}

function ownOffering({ offering, event, price, currency }: Question): EvaluateRequest['offering'] | undefined {
  if (!isCurrency(currency)) return undefined;
  const amount = minorUnitsOf(price, currency);
  if (amount === undefined) return undefined;
  return { id: offering.trim() || 'any', ...given('eventId', event), price: { amount, currency } };
}

function given<K extends string>(name: K, value: string | undefined): Partial<Record<K, string>> {
  const trimmed = value?.trim() ?? '';
  return trimmed === '' ? {} : ({ [name]: trimmed } as Partial<Record<K, string>>);
}
