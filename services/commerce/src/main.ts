import { runService } from '@event-commerce/service-kit';
import { commerce } from './service.ts';

await runService(commerce);
