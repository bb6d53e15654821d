import { pathId } from '@event-commerce/contracts';
import { z } from 'zod';

export const keyParams = z.object({ id: pathId });
