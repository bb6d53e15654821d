export * from './adjustment.ts';
export * from './errors.ts';
export * from './evaluation.ts';
export * from './identity.ts';
export * from './primitives.ts';
export * from './rpc.ts';
export * from './domain-events.ts';
