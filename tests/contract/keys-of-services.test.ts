import { RPC, type RpcEndpoint, type ServiceName } from '@event-commerce/contracts';
import { expect, test } from 'vitest';
import { newKeysOfServices } from '../../deploy/local/keys-of-services.ts';

test('each service accepts the requests that others send it on their own behalf', () => {
  const keys = newKeysOfServices();
  const endpoints: RpcEndpoint[] = Object.values(RPC);
  const refused = endpoints
    .filter(({ scopes }) => scopes.length === 0)
    .flatMap(({ subject, callers }) => {
      const service = subject.split('.')[1] as ServiceName;
      const accepted = keys[service]['SERVICE_PUBLIC_KEYS'] ?? '';
      return callers.filter((caller) => !accepted.includes(`${caller}=`)).map((caller) => `${caller} at ${subject}`);
    });
  expect(refused).toEqual([]);
});
