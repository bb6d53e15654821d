import type { ServiceName } from '@event-commerce/contracts';
import { createLogger, type ServiceDeclaration, type ServiceSettings, startService } from '@event-commerce/service-kit';
import type { ServiceProcess } from '@event-commerce/test-kit';

/**
 * Starts `service` in this process, with the settings in `env` and a port of its own. That takes a tenth of the time of
 * a process of its own, but it cannot be killed.
 */
export async function startInThisProcess<
  Name extends ServiceName,
  Config extends ServiceSettings,
  Models extends object,
>(
  service: ServiceDeclaration<Name, Config, Models>,
  env: Record<string, string>,
  options: { clock?: () => Date } = {},
): Promise<ServiceProcess> {
  const config = service.loadConfig({ ...env, PORT: '0' });
  const logger = createLogger({ service: 'test', level: 'silent' });
  const running = await startService(service, { config, logger, ...options });
  const refuse = async () => {
    throw new Error('a service that runs in this process cannot be killed or restarted');
  };
  return { ...running, pid: undefined, kill9: refuse, restart: refuse };
}
