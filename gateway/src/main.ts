import { runProcess } from '@event-commerce/service-kit';
import { loadConfig } from './config.ts';
import { gatewayIndexes } from './indexes.ts';
import { startGateway } from './start-gateway.ts';

await runProcess(
  'gateway',
  loadConfig,
  async (config, logger) => {
    const gateway = await startGateway(config, logger);
    return () => gateway.stop();
  },
  gatewayIndexes,
);
