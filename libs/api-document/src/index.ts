export { asyncApiDocument } from './asyncapi-document.ts';
export { openApiDocument } from './openapi-document.ts';
export { RECORDED_ANSWERS_FILE } from './recorded-answers.ts';
