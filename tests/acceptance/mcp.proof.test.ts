import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { sharedPlatform, type SharedPlatform } from '../harness/platform.ts';

// `npm run mcp` as an agent uses it.

const SCRIPT = path.resolve(import.meta.dirname, '../../tools/mcp.ts');

let platform: SharedPlatform;
beforeAll(async () => {
  platform = await sharedPlatform();
});

async function agentWith(apiKey: string, ...args: string[]) {
  const { PATH = '' } = process.env;
  const agent = new Client({ name: 'test', version: '1' });
  await agent.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [SCRIPT, ...args],
      env: { PATH, API_KEY: apiKey, BASE_URL: platform.url },
    }),
  );
  onTestFinished(() => agent.close());
  const call = async (name: string, given: Record<string, unknown> = {}): Promise<any> => {
    const { structuredContent, content, isError = false } = await agent.callTool({ name, arguments: given });
    expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }]);
    return { isError, ...(structuredContent as object) };
  };
  return { agent, call };
}

describe('an agent', () => {
  test('reads, and asks for prices, but has no tool that changes something', async () => {
    const { key, api } = await platform.newCompany();
    const { id: eventId } = (await api.post('/v1/events', { name: 'Gala' })).body.data;
    await api.post('/v1/coupons', { code: 'SUMMER20', percentOff: 20, contextIds: [eventId] });
    const { agent, call } = await agentWith(key);
    const { tools } = await agent.listTools();
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['listEvents', 'getOrder', 'evaluateAdjustments']));
    expect(names.filter((name) => /^(create|update|place|cancel|erase|issue|listApiKeys|stream)/.test(name))).toEqual(
      [],
    );

    expect(await call('getEvent', { id: eventId })).toMatchObject({ isError: false, data: { name: 'Gala' } });
    const offering = { id: 'off_1', eventId, price: { amount: 5000, currency: 'EUR' } };
    const body = { offering, cartContext: { quantity: 2, codes: ['SUMMER20'] } };
    expect(await call('evaluateAdjustments', { body })).toMatchObject({ data: { effectivePrice: { amount: 4000 } } });
    await expect(agent.callTool({ name: 'createEvent', arguments: { body: { name: 'x' } } })).rejects.toThrow(
      'There is no tool createEvent.',
    );
  });

  test('changes what its key may, with --write, and is told what is wrong', async () => {
    const { key, api } = await platform.newCompany({ scopes: ['events:write'] });
    const { call } = await agentWith(key, '--write', '--tags', 'events,coupons');
    const made = await call('createEvent', { body: { name: 'Gala' } });
    const { id, version } = made.data;
    expect(await call('updateEvent', { id, ifMatch: `"${version}"`, body: { name: 'Ball' } })).toMatchObject({
      isError: false,
      data: { name: 'Ball' },
    });
    expect(await call('updateEvent', { id, ifMatch: `"${version}"`, body: { name: 'x' } })).toMatchObject({
      isError: true,
      error: { code: 'VERSION_CONFLICT' },
    });
    expect(await call('createEvent', { body: { nme: 'x' } })).toMatchObject({
      isError: true,
      error: { code: 'VALIDATION_FAILED', details: [{ path: 'nme' }] },
    });
    expect(await call('listCoupons')).toMatchObject({ isError: true, error: { code: 'FORBIDDEN' } });
    expect((await api.get(`/v1/events/${id}`)).body.data.name).toBe('Ball');
  });
});
