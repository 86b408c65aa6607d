import { execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
// @ts-expect-error A script without types.
import { npm } from '../../../tools/npm.mjs';
import { covers } from '../requirements.ts';
import { askingAgent, databaseOf, firstTenant, makeAgent } from '../support/a2a.ts';
import { type House, openSharedHouse } from '../support/house.ts';
import { mcpUrl } from '../support/mcp.ts';
import { makeCollection, uploadReady } from '../support/retrieval.ts';

// MCP Inspector's command line against our own server, as docs/guide/mcp.md tells people to call it. In the long run alone: it comes with a web
// interface, its bundler and a terminal one, 120 packages of 110 MB, which nothing else needs.

const VERSION = '2.12.0';
const folder = join(import.meta.dirname, '../../../.runtime/inspector', VERSION);
const program = join(folder, 'node_modules/.bin/mcp-inspector');

let house: House;
const ids = { collection: '', document: '', agent: '' };

beforeAll(async () => {
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true });
    const args = ['install', '--prefix', folder, '--no-save', '--ignore-scripts'];
    await npm(process.execPath, [...args, `@modelcontextprotocol/inspector@${VERSION}`], {
      cwd: folder,
      purpose: 'install MCP Inspector',
    });
  }
  house = await openSharedHouse();
  const db = await databaseOf(house);
  ids.collection = (await makeCollection(house, { name: '규정' })).collection_id;
  const text = '# 연차 휴가\n\n연 15일의 기린휴가를 준다.\n';
  ids.document = (await uploadReady(house, ids.collection, '휴가.md', text)).document_id;
  ids.agent = (await makeAgent(db, await firstTenant(db), askingAgent)).slug;
  await db.close();
});
afterAll(() => house?.close());

/** What a method gives. */
async function inspect<T>(method: string, ...args: readonly string[]): Promise<T> {
  const place = [mcpUrl(house).href, '--transport', 'http', '--header', `Authorization: Bearer ${house.key}`];
  // It keeps a list of servers in the home of its user.
  const env = { ...process.env, HOME: folder };
  const said = await new Promise<string>((resolve, reject) => {
    execFile(
      process.execPath,
      [program, '--cli', ...place, '--method', method, ...args],
      { env, timeout: 60_000 },
      (error, out, err) => (error ? reject(new Error(`${out}${err}`, { cause: error })) : resolve(out)),
    );
  });
  return JSON.parse(said) as T;
}

interface Result {
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent: Record<string, unknown>;
  readonly isError?: boolean;
}

async function called(name: string, values: Record<string, string>): Promise<Result> {
  const pairs = Object.entries(values).flatMap(([key, value]) => ['--tool-arg', `${key}=${value}`]);
  const result = await inspect<Result>('tools/call', '--tool-name', name, ...pairs);
  expect(result.isError, JSON.stringify(result)).not.toBe(true);
  return result;
}

test('MCP Inspector lists and calls every tool, and reads resources', async () => {
  covers('mcp.tools.list', 'mcp.tools.search', 'mcp.tools.fetch', 'mcp.resources', 'mcp.agents');
  const { tools } = await inspect<{ tools: { name: string }[] }>('tools/list', '--strict');
  const names = tools.map(({ name }) => name);
  const own = ['search', 'fetch', 'list_collections', 'parse_document', 'mask_personal_values'];
  expect(names).toEqual(expect.arrayContaining([...own, `agent_${ids.agent}`]));

  const found = await called('search', { query: '기린휴가' });
  expect(found.structuredContent).toMatchObject({ results: [{ id: ids.document }] });
  expect((await called('fetch', { id: ids.document })).structuredContent['text']).toContain('연 15일의 기린휴가');
  const { structuredContent: listed } = await called('list_collections', {});
  expect(JSON.stringify(listed)).toContain(ids.collection);
  const data = Buffer.from('<h1>Plan</h1><p>Two days.</p>').toString('base64');
  expect((await called('parse_document', { data, name: 'plan.html' })).content[0]?.text).toBe('# Plan\n\nTwo days.');
  const masked = await called('mask_personal_values', { text: '번호는 960121-1234567' });
  expect(masked.content[0]?.text).toBe('번호는 ******-*******');

  const asked = await called(`agent_${ids.agent}`, { message: 'Paint it' });
  const { session_id: session, question } = asked.structuredContent;
  expect(question).toBe('Which colour?');
  const done = await called(`agent_${ids.agent}`, { message: 'red', session_id: String(session) });
  expect(done.structuredContent).toMatchObject({ state: 'completed', answer: 'Paint it in red' });

  const { resources } = await inspect<{ resources: { uri: string }[] }>('resources/list');
  const uri = `studio://documents/${ids.document}`;
  expect(resources.map((one) => one.uri)).toContain(uri);
  const { contents } = await inspect<{ contents: { text: string }[] }>('resources/read', '--uri', uri);
  expect(contents[0]?.text).toContain('연 15일의 기린휴가');
});
