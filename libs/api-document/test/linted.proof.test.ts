import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import { asyncapi, oas } from '@stoplight/spectral-rulesets';
import { expect, test } from 'vitest';
import { asyncApiServers } from '../src/asyncapi-servers.ts';
import { asyncApiDocument, openApiDocument } from '../src/index.ts';

/** A customer whose id is "erasures" is erased by POST, and an erasure is read by GET: no request fits both. */
const AMBIGUOUS = '`/v1/customers/{id}/erase` and `/v1/customers/erasures/{id}`';

async function spectralWarnings(document: object, ruleset: object): Promise<string[]> {
  const spectral = new spectralCore.Spectral();
  spectral.setRuleset(ruleset as never);
  const found = await spectral.run(JSON.parse(JSON.stringify(document)));
  return found.map(({ code, message, path }) => `${code}: ${message} at ${path.join('/')}`);
}

test("the OpenAPI document has no warning of Redocly's recommended rules", async () => {
  const config = await createConfig({ extends: ['recommended'] });
  const found = await lintFromString({ source: JSON.stringify(openApiDocument()), config });
  const warnings = found.map(({ ruleId, message }) => `${ruleId}: ${message}`);
  expect(warnings.filter((warning) => !warning.includes(AMBIGUOUS))).toEqual([]);
}, 120_000);

test("the OpenAPI document has no warning of Spectral's rules", async () => {
  expect(await spectralWarnings(openApiDocument(), { extends: [[oas, 'recommended']] })).toEqual([]);
}, 300_000);

test("the AsyncAPI document has no warning of Spectral's rules", async () => {
  const document = { ...asyncApiDocument(), servers: asyncApiServers(['nats://events:secret@nats.internal:4222']) };
  // Nobody but the operator knows how to reach the operator.
  const ruleset = { extends: [[asyncapi, 'recommended']], rules: { 'asyncapi-info-contact-properties': 'off' } };
  expect(await spectralWarnings(document, ruleset)).toEqual([]);
}, 120_000);
