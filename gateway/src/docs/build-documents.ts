import { parentPort, workerData } from 'node:worker_threads';
import { asyncApiDocument, openApiDocument } from '@event-commerce/api-document';

/** What this worker thread is started with. */
export interface DocumentSources {
  /** Where the broker is. */
  natsUrls: readonly string[];
}

/** What this worker thread sends, once: both documents as JSON. */
export interface BuiltDocuments {
  openApi: string;
  asyncApi: string;
}

const built: BuiltDocuments = {
  openApi: JSON.stringify(openApiDocument()),
  asyncApi: JSON.stringify(asyncApiDocument((workerData as DocumentSources).natsUrls)),
};
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.postMessage(built);
