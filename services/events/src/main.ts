import { runProcess } from '@event-commerce/service-kit';
import { loadConfig } from './config.ts';
import { startEvents } from './start-events.ts';
import { eventsIndexes } from './store/models.ts';

await runProcess(
  'events',
  loadConfig,
  async (config, logger) => (await startEvents(config, logger)).stop,
  eventsIndexes,
);
