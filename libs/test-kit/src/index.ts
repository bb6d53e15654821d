export { type ApiClient, apiClient, type Reply } from './api-client.ts';
export { adjustmentBody, evaluationBody, liveTenant, newCode, newCompanyId, orderBody } from './builders.ts';
export { failing } from './failing.ts';
export { hostileMembers } from './hostile.ts';
export { newDatabase } from './new-database.ts';
export { type TestIdentity, testIdentity } from './test-identity.ts';
export { type ServiceProcess, startScript, startServiceProcess } from './service-process.ts';
export { triesOfOne } from './tries-of-one.ts';
export { wholeNumbers } from './whole-numbers.ts';
