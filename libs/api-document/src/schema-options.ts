import type { CreateDocumentOptions } from 'zod-openapi';

export type JsonSchema = Record<string, unknown>;

/**
 * Omits what tells a reader nothing: bounds that every exact number has, patterns beside a format that means the
 * same, and closed objects of answers, which may gain members.
 */
export const SCHEMA_OPTIONS: CreateDocumentOptions = {
  override: ({ jsonSchema, io }) => {
    const { format, maximum, minimum } = jsonSchema;
    if (maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    if (minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    if (format === 'date-time' || format === 'email') delete jsonSchema.pattern;
    if (jsonSchema.additionalProperties === false && io === 'output') delete jsonSchema.additionalProperties;
  },
};
