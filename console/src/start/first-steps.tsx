import type { components } from '@event-commerce/client';
import type { ComponentChildren } from 'preact';
import { eventAddress, salesAddress } from '../events/addresses.ts';
import { eventName } from '../format/event-name.ts';

/** The steps of a new company to its first order, and which of them are done. */
export function FirstSteps({
  event,
  hasCode,
}: {
  /** The newest event. */
  event: components['schemas']['Event'] | undefined;
  hasCode: boolean;
}) {
  // With an offering, there is a price, or a number of tickets that are left.
  const { lowestPrices = [], left = null } = event?.availability ?? {};
  const sells = lowestPrices.length > 0 || left !== null;
  const steps: Step[] = [
    {
      title: 'Create an event',
      isDone: event !== undefined,
      about: event === undefined ? 'A concert, a course, a dinner: what people come to.' : `${eventName(event)}.`,
      link: <a href="/console/events/new">Create an event</a>,
    },
    {
      title: 'Add what it sells',
      isDone: sells,
      about: 'An offering has a name, a price and a number: 100 standing tickets at €50.',
      link: <a href={event === undefined ? '/console/events/new' : eventAddress(event.id)}>Add an offering</a>,
    },
    {
      title: 'Make a code',
      isDone: hasCode,
      about: 'A coupon takes something off for those who enter its code. You see the price before you save it.',
      link: <a href="/console/coupons/new">Create a coupon</a>,
    },
    {
      title: 'Take the first order',
      isDone: false,
      about: 'Your shop places it with an API key of its own. It appears here a moment later.',
      link: (
        <>
          <a href="/console/keys">Issue a key for your shop</a>, then see{' '}
          <a href="/docs#/Orders/createOrder">how to place an order</a>
          {event !== undefined && (
            <>
              {' '}
              or <a href={salesAddress(event.id)}>watch its sales</a>
            </>
          )}
        </>
      ),
    },
  ];
  const next = steps.findIndex(({ isDone }) => !isDone);
  return (
    <section class="card first-steps" aria-label="First steps">
      <h2>Four steps to your first order</h2>
      <ol>
        {steps.map(({ title, isDone, about, link }, index) => (
          <li key={title} class={isDone ? 'done' : undefined} aria-current={index === next ? 'step' : undefined}>
            <span class="step-number" aria-hidden="true">
              {isDone ? '✓' : index + 1}
            </span>
            <div>
              <h3>
                {title}
                {isDone && <span class="badge good">done</span>}
              </h3>
              <p class="soft">{about}</p>
              {!isDone && <p>{link}</p>}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

interface Step {
  title: string;
  isDone: boolean;
  about: string;
  /** Where to do it. */
  link: ComponentChildren;
}
