import { type BusConnection, runConsumer } from '@event-commerce/bus';
import { consumerOf, type CONSUMERS, type ReceivedEvent, type ServiceName } from '@event-commerce/contracts';
import { isOutage } from '../http/errors.ts';
import type { Logger } from './logger.ts';

type Consumers = typeof CONSUMERS;

type ConsumerOf<Service extends ServiceName> = {
  [Name in keyof Consumers]: Consumers[Name]['process'] extends Service ? Name : never;
}[keyof Consumers];

type TypeOf<Name extends keyof Consumers> = Consumers[Name]['types'][number];

/**
 * The handlers of the events that `Service` follows, by consumer. Each must be safe to run twice for one event, and in
 * any order.
 */
export type EventHandlers<Service extends ServiceName> = {
  readonly [Name in ConsumerOf<Service>]: (event: ReceivedEvent<TypeOf<Name>>) => Promise<void>;
};

/** Runs a service's consumers. Returns a function that stops them and waits for events in flight. */
export async function followEvents<Service extends ServiceName>(
  bus: BusConnection,
  handlers: EventHandlers<Service>,
  logger: Logger,
): Promise<() => Promise<void>> {
  const names = Object.keys(handlers) as ConsumerOf<Service>[];
  const run = async <Name extends ConsumerOf<Service>>(name: Name, of: Pick<EventHandlers<Service>, Name>) =>
    runConsumer<TypeOf<Name>>(bus, { ...consumerOf(name), logger, isOutage, handle: of[name] });
  const stops = await Promise.all(names.map(async (name) => run(name, handlers)));
  return async () => {
    await Promise.all(stops.map(async (stop) => stop()));
  };
}
