import { runProcess } from '@event-commerce/service-kit';
import { loadConfig } from './config.ts';
import { startPricing } from './start-pricing.ts';
import { pricingIndexes } from './store/models.ts';

await runProcess(
  'pricing',
  loadConfig,
  async (config, logger) => (await startPricing(config, logger)).stop,
  pricingIndexes,
);
