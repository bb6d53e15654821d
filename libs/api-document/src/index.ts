export { type AsyncApiDocument, asyncApiDocument } from './asyncapi-document.ts';
export { type OpenApiDocument, openApiDocument } from './openapi-document.ts';
export { RECORDED_ANSWERS_FILE, type RecordedAnswer } from './recorded-answers.ts';
