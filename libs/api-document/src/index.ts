export { type AsyncApiDocument, asyncApiDocument } from './asyncapi-document.ts';
export { type OpenApiDocument, openApiDocument } from './openapi-document.ts';
export { type Example, exampleId, type Operation } from './operation.ts';
export { OPERATIONS } from './operations/index.ts';
export { RECORDED_ANSWERS_FILE, type RecordedAnswer } from './recorded-answers.ts';
