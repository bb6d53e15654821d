import { runProcess } from '@event-commerce/service-kit';
import { loadConfig } from './config.ts';
import { startCommerce } from './start-commerce.ts';
import { commerceIndexes } from './store/models.ts';

await runProcess(
  'commerce',
  loadConfig,
  async (config, logger) => (await startCommerce(config, logger)).stop,
  commerceIndexes,
);
