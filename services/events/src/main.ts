import { runService } from '@event-commerce/service-kit';
import { events } from './service.ts';

await runService(events);
