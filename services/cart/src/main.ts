import { runService } from '@event-commerce/service-kit';
import { cart } from './service.ts';

await runService(cart);
