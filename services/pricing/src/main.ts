import { runService } from '@event-commerce/service-kit';
import { pricing } from './service.ts';

await runService(pricing);
