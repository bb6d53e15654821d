import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

export type JsonSchema = { [keyword: string]: any };

export interface DocumentedOperation {
  operationId: string;
  parameters?: ({ $ref: string } | DocumentedParameter)[];
  requestBody?: { required: boolean; content: { 'application/json': { schema: JsonSchema } } };
  security?: unknown[];
  responses: Record<string, JsonSchema>;
}

export interface DocumentedParameter {
  name: string;
  in: 'path' | 'query' | 'header';
  schema: JsonSchema;
}

/** A document that a platform serves, with what is needed to check responses against it. */
export interface ServedDocument {
  document: JsonSchema;
  /** The target of a reference within the document. */
  resolve: (schema: JsonSchema) => JsonSchema;
  /** Validates values against the schema at a JSON pointer. Here unknown fields are errors. */
  validator: (pointer: string) => ValidateFunction;
  /** Validates requests, in which unknown fields are allowed. */
  requestValidator: (pointer: string) => ValidateFunction;
}

export function servedDocument(document: JsonSchema): ServedDocument {
  const resolve = (schema: JsonSchema): JsonSchema => {
    if (typeof schema['$ref'] !== 'string') return schema;
    let found: JsonSchema = document;
    for (const part of schema['$ref'].split('/').slice(1)) found = found[unescapePointer(part)];
    return resolve(found);
  };
  return {
    document,
    resolve,
    validator: validatorsOf(closed(document, false) as JsonSchema),
    requestValidator: validatorsOf(document),
  };
}

/** Validates values against the schema at a JSON pointer of `document`. */
function validatorsOf(document: JsonSchema): (pointer: string) => ValidateFunction {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, 'document');
  const validators = new Map<string, ValidateFunction>();
  return (pointer) => {
    const known = validators.get(pointer);
    if (known !== undefined) return known;
    const validate = ajv.compile({ $ref: `document${pointer}` });
    validators.set(pointer, validate);
    return validate;
  };
}

/** One segment of a JSON pointer. */
export function escapePointer(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}

function unescapePointer(part: string): string {
  return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
}

/** `schema` with every object closed unless it says otherwise: the document leaves objects open for future fields. */
function closed(schema: unknown, inAllOf: boolean): unknown {
  if (Array.isArray(schema)) return schema.map((one) => closed(one, inAllOf));
  if (typeof schema !== 'object' || schema === null) return schema;
  const members = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, closed(value, inAllOf || key === 'allOf')]),
  );
  const { type, properties, additionalProperties } = members;
  const isOpen = type === 'object' && typeof properties === 'object' && additionalProperties === undefined;
  return isOpen && !inAllOf ? { ...members, additionalProperties: false } : members;
}
