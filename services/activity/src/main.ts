import { runService } from '@event-commerce/service-kit';
import { activity } from './service.ts';

await runService(activity);
