import { readFile, writeFile } from 'node:fs/promises';
import { openApiDocument } from '@event-commerce/api-document';
import openapiTS, { astToString } from 'openapi-typescript';
import { format } from 'oxfmt';
import formatting from '../../../.oxfmtrc.json' with { type: 'json' };

const GENERATED_FILE = new URL('api.generated.ts', import.meta.url);

/** The API's types, generated from the platform's OpenAPI document. */
export async function generateTypes(): Promise<string> {
  const types = await openapiTS(JSON.stringify(openApiDocument(), withoutPatterns), { defaultNonNullable: false });
  const source = `// Generated from the OpenAPI document: change that, then run \`npm run generate\` in libs/client.\n\n${astToString(types)}`;
  const { code } = await format(GENERATED_FILE.pathname, source, formatting);
  return code;
}

/** Leaves out the `allOf` of a string with several patterns: as a type each pattern would be `unknown`. */
function withoutPatterns(name: string, value: unknown): unknown {
  const onlyPatterns =
    name === 'allOf' && (value as object[]).every((schema) => Object.keys(schema).join() === 'pattern');
  return onlyPatterns ? undefined : value;
}

/** The types as last generated. */
export async function readGeneratedTypes(): Promise<string> {
  return await readFile(GENERATED_FILE, 'utf8');
}

if (import.meta.main) await writeFile(GENERATED_FILE, await generateTypes());
