import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Agent, MCPServerStreamableHttp, OpenAIProvider, Runner } from '@openai/agents';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TenantId } from '../../src/kernel/context.ts';
import type { Database } from '../../src/ports/database.ts';
import { covers } from '../requirements.ts';
import { askingAgent, chain, databaseOf, echoAgent, firstTenant, makeAgent, plainAgent } from '../support/a2a.ts';
import { type House, openSharedHouse } from '../support/house.ts';
import { makeKey } from '../support/command.ts';
import { callTool, failure, fine, mcpUrl, textsOf, versions, withClient } from '../support/mcp.ts';
import { makeCollection, uploadReady } from '../support/retrieval.ts';
import { answer, play } from '../support/upstream.ts';

// What clients of the Model Context Protocol get of our own server: the official ones of both lines, in each revision, and a framework.

let house: House;
let db: Database;
let tenant: TenantId;
const slugs = { echo: '', plain: '', asking: '', knowing: '' };
const ids = { collection: '', document: '' };
beforeAll(async () => {
  house = await openSharedHouse();
  db = await databaseOf(house);
  tenant = await firstTenant(db);
  ids.collection = (await makeCollection(house, { name: 'MCP 규정', description: 'Rules' })).collection_id;
  const text = '# 연차 휴가\n\n입사 1년이 지난 직원에게는 연 15일의 오카피휴가를 준다.\n';
  ids.document = (await uploadReady(house, ids.collection, '휴가.md', text, { metadata: '{"year":2024}' })).document_id;
  slugs.echo = (await makeAgent(db, tenant, echoAgent, { name: 'Echo', description: 'Repeats.' })).slug;
  slugs.plain = (await makeAgent(db, tenant, plainAgent())).slug;
  slugs.asking = (await makeAgent(db, tenant, askingAgent)).slug;
  const knowing = chain(
    { id: 'input', kind: 'input' },
    { id: 'find', kind: 'retrieve', query: '{{input.text}}', collections: [ids.collection] },
    { id: 'model', kind: 'model', model: 'CORE-GOV', passages: ['find.passages'] },
    { id: 'answer', kind: 'answer', text: '{{model.text}}' },
  );
  slugs.knowing = (await makeAgent(db, tenant, knowing)).slug;
  await makeAgent(db, tenant, echoAgent, { name: 'Draft', deployed: false });
});
afterAll(async () => {
  await db?.close();
  await house?.close();
});
beforeEach(() => house.upstream.reset());

const pageOfDocument = () => `${house.base}/console/collections/${ids.collection}/documents/${ids.document}`;

describe.each(versions)('in the revision %s', (version) => {
  test('tools are listed with what they take and give', async () => {
    covers('mcp.versions', 'mcp.tools.list');
    const { tools } = await withClient(house, version, (client) => client.listTools());
    const names = tools.map(({ name }) => name);
    expect(names.slice(0, 5)).toEqual([
      'search',
      'fetch',
      'list_collections',
      'parse_document',
      'mask_personal_values',
    ]);
    expect(names).toEqual(expect.arrayContaining([`agent_${slugs.echo}`, `agent_${slugs.plain}`]));
    for (const tool of tools) {
      expect(tool.inputSchema.type, tool.name).toBe('object');
      expect(tool.outputSchema?.type, tool.name).toBe('object');
      expect(tool.annotations?.title, tool.name).toBeTruthy();
      expect(tool.annotations?.readOnlyHint, tool.name).toBe(!tool.name.startsWith('agent_'));
    }
    expect(tools.find(({ name }) => name === `agent_${slugs.echo}`)).toMatchObject({
      title: 'Echo',
      description: expect.stringMatching(/^Repeats\./) as string,
      annotations: { destructiveHint: false, openWorldHint: false },
    });
    expect(tools.some(({ title }) => title === 'Draft')).toBe(false);
  });

  test('search finds documents, and fetch reads them', async () => {
    covers('mcp.tools.search', 'mcp.tools.fetch');
    await withClient(house, version, async (client) => {
      const found = await client.callTool({ name: 'search', arguments: { query: '오카피휴가' } });
      const { results } = fine<{ results: Record<string, string>[] }>(found);
      // Connectors of chat products read the one text of a result.
      expect(found.content).toHaveLength(1);
      expect(JSON.parse(textsOf(found).join(''))).toEqual({ results });
      const [first = {}] = results;
      expect(first).toMatchObject({ id: ids.document, url: pageOfDocument() });
      expect(first['title']).toContain('휴가.md');
      expect(first['text']).toContain('오카피휴가');
      const read = await client.callTool({ name: 'fetch', arguments: { id: first['id'] } });
      const document = fine(read);
      expect(read.content).toHaveLength(1);
      expect(JSON.parse(textsOf(read).join(''))).toEqual(document);
      expect(Object.keys(document)).toEqual(['id', 'title', 'text', 'url', 'metadata']);
      expect(document).toMatchObject({
        id: ids.document,
        title: '휴가.md',
        url: pageOfDocument(),
        metadata: { year: 2024, collection_id: ids.collection },
      });
      expect(document['text']).toMatch(/^# 연차 휴가\n.*연 15일의 오카피휴가를 준다/s);
    });
  });

  test('documents are resources', async () => {
    covers('mcp.resources');
    await withClient(house, version, async (client) => {
      const { resources } = await client.listResources();
      const uri = `studio://documents/${ids.document}`;
      expect(resources.find((one) => one.uri === uri)).toMatchObject({ name: '휴가.md', mimeType: 'text/markdown' });
      const { contents } = await client.readResource({ uri });
      expect(contents).toMatchObject([{ uri, mimeType: 'text/markdown' }]);
      expect(JSON.stringify(contents)).toContain('오카피휴가');
      const { resourceTemplates } = await client.listResourceTemplates();
      expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
        'studio://documents/{id}',
        'studio://files/{id}',
      ]);
      for (const other of [`studio://documents/${'0'.repeat(32)}`, 'studio://documents/x', 'file:///etc/passwd'])
        await expect(client.readResource({ uri: other }), other).rejects.toThrow(/not found/i);
    });
  });

  test('files are read and values masked', async () => {
    covers('mcp.tools.parse', 'mcp.tools.mask');
    await withClient(house, version, async (client) => {
      const data = Buffer.from('<h1>Plan</h1><p>Two days.</p>').toString('base64');
      const read = await client.callTool({ name: 'parse_document', arguments: { data, name: 'plan.html' } });
      expect(fine(read)).toMatchObject({ name: 'plan.html', format: 'html', pages: 1, truncated: false, warnings: [] });
      expect(textsOf(read)).toEqual(['# Plan\n\nTwo days.']);
      const masked = await client.callTool({
        name: 'mask_personal_values',
        arguments: { text: '번호는 960121-1234567', types: ['RRN'] },
      });
      expect(textsOf(masked)).toEqual(['번호는 ******-*******']);
      expect(fine(masked)).toMatchObject({ count: 1, entities: [{ type: 'RRN', start: 4, end: 18 }] });
      expect(JSON.stringify(masked)).not.toContain('960121');
    });
  });

  test('an agent answers, asks, and goes on', async () => {
    covers('mcp.agents');
    await withClient(house, version, async (client) => {
      const name = `agent_${slugs.asking}`;
      const asked = await client.callTool({ name, arguments: { message: 'Paint it' } });
      const { session_id, ...rest } = fine<{ session_id: number }>(asked);
      expect(rest).toEqual({
        state: 'input_required',
        answer: '',
        question: 'Which colour?',
        citations: [],
        data: [],
        files: [],
      });
      expect(textsOf(asked).join('\n')).toContain(`session_id ${session_id}`);
      const done = fine(await client.callTool({ name, arguments: { message: 'red', session_id } }));
      expect(done).toMatchObject({ state: 'completed', answer: 'Paint it in red', question: null, session_id });
    });
  });
});

test('an answer of an agent has its citations, and its session is gone on with', async () => {
  covers('mcp.agents');
  house.upstream.plays(play({ text: ['연 15일 ', '[1]'] }));
  const name = `agent_${slugs.knowing}`;
  const result = await callTool(house, name, { message: '오카피휴가' });
  const { session_id, ...rest } = fine<{ session_id: number }>(result);
  expect(rest).toMatchObject({
    state: 'completed',
    answer: '연 15일 [1]',
    citations: [{ number: 1, id: ids.document, title: '휴가.md', url: pageOfDocument() }],
  });
  expect(textsOf(result).join('\n')).toContain(`[1] 휴가.md: ${pageOfDocument()}`);
  fine(await callTool(house, name, { message: '또?', session_id }));
  expect(house.upstream.calls.at(-1)?.text).toContain('연 15일');
});

test('an answer brings its data and files: small ones within, and all as resources of its caller', async () => {
  covers('mcp.agents.parts');
  const writing = chain(
    { id: 'input', kind: 'input' },
    {
      id: 'answer',
      kind: 'answer',
      text: 'Written',
      parts: [
        { kind: 'data', value: 'input.text', name: 'said' },
        { kind: 'document', name: 'small.csv', content: '{{input.text}}' },
        { kind: 'document', name: 'large.md', content: '{{input.text}}'.repeat(110) },
      ],
    },
  );
  const name = `agent_${(await makeAgent(db, tenant, writing)).slug}`;
  const message = 'x'.repeat(10_000);
  const result = await callTool(house, name, { message });
  const { data, files } = fine<{ data: unknown; files: { name: string; uri: string }[] }>(result);
  expect(data).toEqual([{ name: 'said', data: message }]);
  expect(textsOf(result)).toContain(`said:\n${JSON.stringify(message)}`);
  const [small, large] = files;
  expect(files).toMatchObject([
    { name: 'small.csv', media_type: 'text/csv' },
    { name: 'large.md', media_type: 'text/markdown' },
  ]);
  expect(result.content.slice(-2)).toMatchObject([
    { type: 'resource', resource: { uri: small?.uri, mimeType: 'text/csv' } },
    { type: 'resource_link', uri: large?.uri, name: 'large.md', mimeType: 'text/markdown' },
  ]);
  const uri = large?.uri ?? '';
  const read = (caller: typeof house) => withClient(caller, '2025-11-25', (client) => client.readResource({ uri }));
  expect((await read(house)).contents).toMatchObject([{ uri, mimeType: 'text/markdown', text: message.repeat(110) }]);
  // They are those of the key that asked, and of no other.
  await expect(read({ ...house, key: (await makeKey(house)).value })).rejects.toThrow(/not found/i);
});

test('a long document comes in parts, each of which is a resource too', async () => {
  covers('mcp.tools.fetch', 'mcp.resources');
  const paragraphs = Array.from({ length: 1_500 }, (_, i) => `Paragraph ${i} says what number ${i} is for. `.repeat(3));
  const long = await uploadReady(house, ids.collection, 'long.md', paragraphs.join('\n\n'));
  let [id, text, parts]: [string | undefined, string, number] = [long.document_id, '', 0];
  while (id !== undefined) {
    const part: { text: string; metadata: { next_id?: string } } = fine(await callTool(house, 'fetch', { id }));
    expect(part.text.length).toBeLessThan(70_000);
    text += `\n\n${part.text}`;
    id = part.metadata.next_id;
    parts++;
  }
  expect(parts).toBeGreaterThan(2);
  // Each once within a part, whatever its chunks repeat of each other.
  for (const number of [0, 700, 1_499]) expect(text).toContain(`Paragraph ${number} says`);
  const once = text.match(/Paragraph 40 says/g) ?? [];
  expect(once).toHaveLength(3);
  await withClient(house, '2026-07-28', async (client) => {
    const { contents } = await client.readResource({ uri: `studio://documents/${long.document_id}` });
    const next = (contents[0]?._meta as { next_uri?: string } | undefined)?.next_uri ?? '';
    expect(JSON.stringify(await client.readResource({ uri: next }))).toContain('Paragraph');
  });
});

test('resources come page by page', async () => {
  covers('mcp.resources');
  // As many as come on two pages, without chunks.
  const copies = await sql<{ id: string }>`
    INSERT INTO documents OVERRIDING USER VALUE
    SELECT (jsonb_populate_record(documents, jsonb_build_object('id', md5('page' || copy)))).*
    FROM documents, generate_series(1, 120) AS copy WHERE id = ${ids.document} RETURNING id`.execute(db.query);
  try {
    await withClient(house, '2025-11-25', async (client) => {
      const seen: string[] = [];
      const sizes: number[] = [];
      let cursor: string | undefined;
      do {
        // The client gives all pages at once where it is given no cursor.
        const { resources, nextCursor } = await client.request({
          method: 'resources/list',
          params: cursor === undefined ? {} : { cursor },
        });
        seen.push(...resources.map(({ uri }) => uri));
        sizes.push(resources.length);
        cursor = nextCursor;
      } while (cursor !== undefined);
      expect(sizes[0]).toBe(100);
      expect(sizes.length).toBe(2);
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen).toEqual(expect.arrayContaining(copies.rows.map(({ id }) => `studio://documents/${id}`)));
      await expect(client.request({ method: 'resources/list', params: { cursor: 'x' } })).rejects.toThrow(/nextCursor/);
    });
  } finally {
    await sql`DELETE FROM documents WHERE id = ANY(${copies.rows.map(({ id }) => id)})`.execute(db.query);
  }
});

test('collections are listed by name, and searched alone', async () => {
  covers('mcp.tools.collections');
  const listed = fine<{ collections: { id: string; name: string; url: string }[]; total: number }>(
    await callTool(house, 'list_collections', { name: 'MCP 규' }),
  );
  expect(listed).toMatchObject({
    total: 1,
    collections: [
      {
        id: ids.collection,
        name: 'MCP 규정',
        description: 'Rules',
        url: `${house.base}/console/collections/${ids.collection}`,
      },
    ],
  });
  const { collection_id: other } = await makeCollection(house, { name: 'Other' });
  const { document_id: second } = await uploadReady(house, other, 'other.md', '오카피휴가는 없다');
  const results = async (args: object) =>
    fine<{ results: { id: string }[] }>(await callTool(house, 'search', { query: '오카피휴가', ...args })).results;
  // Other files that share the house may have left collections in which something is near, too.
  const found = (await results({})).map(({ id }) => id);
  expect(found).toEqual(expect.arrayContaining([ids.document, second]));
  expect(await results({ limit: 1 })).toHaveLength(1);
  expect((await results({ collection_ids: [ids.collection] })).map(({ id }) => id)).toEqual([ids.document]);
});

test('what a tool cannot do is a result that says why', async () => {
  covers('mcp.tools.failure', 'mcp.tools.parse');
  const said = async (name: string, args: Record<string, unknown>) => failure(await callTool(house, name, args));
  expect(await said('search', {})).toMatch(/^query is required/);
  expect(await said('search', { query: 'x', collection_ids: ['0'.repeat(32)] })).toMatch(/no collection/);
  expect(await said('search', { query: 'x', limit: 999 })).toMatch(/^limit /);
  expect(await said('list_collections', { name: '\0' })).toMatch(/U\+0000/);
  expect(await said('fetch', { id: 'nothing' })).toMatch(/no document/);
  expect(await said('parse_document', {})).toMatch(/either data or url/);
  expect(await said('parse_document', { data: 'ü' })).toMatch(/base64/);
  expect(await said('parse_document', { url: 'http://169.254.169.254/x.pdf' })).toMatch(/cannot be fetched/);
  expect(await said('parse_document', { data: Buffer.from([0, 1, 2, 3]).toString('base64') })).toMatch(/^UNSUPPORTED/);
  expect(await said('mask_personal_values', { text: 'x', types: ['NAME'] })).toMatch(/^types\[0\] /);
  expect(await said(`agent_${slugs.echo}`, { message: 'x', session_id: 987_654_321 })).toMatch(/no such session/);
  house.upstream.plays(answer(400, { error: { message: 'broken' } }));
  expect(await said(`agent_${slugs.plain}`, { message: 'x' })).toMatch(/broken|failed/);
});

test('the official client of the first line reads all of it', async () => {
  covers('mcp.versions');
  const client = new OlderClient({ name: 'older', version: '1' });
  const transport = new OlderTransport(mcpUrl(house), {
    requestInit: { headers: { authorization: `Bearer ${house.key}` } },
  });
  await client.connect(transport);
  try {
    expect(client.getServerVersion()).toMatchObject({ name: 'ai-studio', title: 'AI Studio' });
    expect(client.getInstructions()).toContain('search');
    expect(transport.sessionId).toMatch(/^[0-9a-f]{32}$/);
    expect((await client.listTools()).tools.length).toBeGreaterThan(7);
    const { structuredContent } = await client.callTool({
      name: `agent_${slugs.echo}`,
      arguments: { message: '안녕' },
    });
    expect(structuredContent).toMatchObject({ answer: 'You said: 안녕' });
    await client.ping();
    // There is nothing to end.
    await transport.terminateSession();
  } finally {
    await client.close();
  }
});

test('an agent of the OpenAI Agents SDK uses the tools', async () => {
  covers('mcp.tools.search');
  house.upstream.plays((upstream) => {
    const told = upstream.json.messages.find(({ role }) => role === 'tool');
    const tools = [{ id: 'call_a', name: 'search', arguments: '{"query":"오카피휴가"}' }];
    return play(told ? { text: `찾음 ${JSON.stringify(told.content).includes(ids.document)}` } : { tools })(upstream);
  });
  const server = new MCPServerStreamableHttp({
    url: mcpUrl(house).href,
    requestInit: { headers: { authorization: `Bearer ${house.key}` } },
  });
  await server.connect();
  try {
    const provider = new OpenAIProvider({ baseURL: `${house.base}/v1`, apiKey: house.key, useResponses: false });
    const agent = new Agent({ name: '안내', instructions: '찾으세요', model: 'CORE-GOV', mcpServers: [server] });
    const runner = new Runner({ modelProvider: provider, tracingDisabled: true });
    expect((await runner.run(agent, '며칠?')).finalOutput).toBe('찾음 true');
  } finally {
    await server.close();
  }
});
