import { type Resource, resourceFromAttributes } from '@opentelemetry/resources';

/** What reports: a process, and the release that it runs. */
export interface Reporter {
  /** The process's name: `gateway`, `pricing`, ... */
  service: string;
  version: string;
}

export function resourceOf({ service, version }: Reporter): Resource {
  return resourceFromAttributes({
    'service.name': service,
    'service.namespace': 'event-commerce',
    'service.version': version,
  });
}
