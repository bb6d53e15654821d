import { runProcess } from '@event-commerce/service-kit';
import { loadConfig } from './config.ts';
import { startCart } from './start-cart.ts';
import { cartIndexes } from './store/models.ts';

await runProcess('cart', loadConfig, async (config, logger) => (await startCart(config, logger)).stop, cartIndexes);
