import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOpenSearchIndex } from '../../src/adapters/distributed/opensearch-index/index.ts';
import { createSharepointConnector } from '../../src/adapters/connectors/sharepoint.ts';
import { createFolderBlobStore } from '../../src/adapters/embedded/folder-blob-store.ts';
import { createFolderFiles, createLanceIndex } from '../../src/adapters/embedded/lance-index/index.ts';
import { createPostgresBus } from '../../src/adapters/postgres/index.ts';
import type { ConnectorDeps } from '../../src/connectors/deps.ts';
import { synchronize } from '../../src/connectors/sync.ts';
import { issueKey } from '../../src/identity/index.ts';
import type { TenantId } from '../../src/kernel/context.ts';
import { hexId } from '../../src/kernel/ids.ts';
import { createGuardedRequest } from '../../src/net-guard/index.ts';
import type { Bus } from '../../src/ports/bus.ts';
import type { SearchIndex } from '../../src/ports/search-index.ts';
import {
  changeReaderGroup,
  changeReaders,
  createTextWorkers,
  listReaders,
  type RetrievalDeps,
} from '../../src/retrieval/index.ts';
import { unlimitedActor } from '../../src/kernel/actor.ts';
import { optionsFor } from '../conformance/opensearch.ts';
import { startFakeGraph } from '../fakes/graph-server.ts';
import { type FakeOpenSearch, startFakeOpenSearch } from '../fakes/opensearch-server.ts';
import { estateEnv, idOfNothing } from '../reliability/estate.ts';
import { nameOf, type Operation, operationsOf } from '../reliability/operations.ts';
import { createChance } from '../reliability/seeded.ts';
import { valueFor } from '../reliability/values.ts';
import { covers } from '../requirements.ts';
import { type ConsoleHouse, openConsoleHouse } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import type { Caller } from '../support/http.ts';
import { makeTenant, personOf, type SignedInBrowser } from '../support/people.ts';
import { silent, temporaryFolder } from '../support/postgres.ts';
import { ask, chunksOf, formOf, sendForm, settled } from '../support/retrieval.ts';

// Who is no reader of a document gets what somebody gets who names nothing, wherever a document can be named, listed, found or cited; on both indexes.

/** Stands in the restricted document alone. */
const SECRET = '얼룩말';

describe.each(['LanceDB', 'OpenSearch, a fake'])('readers of documents, with %s', (kind) => {
  /** What asks the database alone is tried once. */
  const once = (name: string, body: () => Promise<void>) => (kind === 'LanceDB' ? test(name, body) : undefined);
  let fake: FakeOpenSearch | null = null;
  let house: ConsoleHouse;
  let tenantId: TenantId;
  let index: SearchIndex;
  let bus: Bus;
  let deps: RetrievalDeps;
  let operations: readonly Operation[];
  let people: Readonly<Record<'chief' | 'owner' | 'reader' | 'member' | 'colleague' | 'outsider', SignedInBrowser>>;
  let keys: Readonly<Record<'owner' | 'reader' | 'outsider' | 'nobody' | 'chief', Caller>>;
  let ids: { readonly collection: string; readonly document: string; readonly chunk: string; readonly open: string };
  const texts = createTextWorkers({ size: 1, heapMb: 256, timeoutMs: 60_000, encoding: 'o200k_base' });

  const place = () => ({ tenantId, collectionId: ids.collection });
  const keyOf = async (userId: string | null): Promise<Caller> => {
    const who = { tenantId, userId, name: 'x', origin: null };
    const { value } = await issueKey({ db: house.db, bus }, who, { name: 'key' });
    return { base: house.base, key: value };
  };
  const prove = ({ userId }: SignedInBrowser, email: string) =>
    house.db.query.updateTable('memberships').set({ proven_email: email }).where('user_id', '=', userId).execute();
  const restrict = (readers: readonly string[] | null) =>
    changeReaders(deps, { ...place(), externalId: 'source/secret', readers });

  beforeAll(async () => {
    fake = kind === 'LanceDB' ? null : await startFakeOpenSearch();
    house = await openConsoleHouse({ ...estateEnv, ...(fake === null ? {} : { STUDIO_SEARCH_URL: fake.url }) });
    tenantId = await makeTenant(house, 'Readers');
    const folder = join(house.dataFolder, 'index');
    index =
      fake === null
        ? createLanceIndex({ storage: { uri: folder }, files: createFolderFiles(folder), cacheMb: 64, log: silent })
        : createOpenSearchIndex(optionsFor(fake.url, 'studio'));
    bus = createPostgresBus(house.db);
    deps = {
      ...({} as RetrievalDeps),
      db: house.db,
      bus,
      index,
      texts,
      log: silent,
      now: Date.now,
      blobs: { delete: () => Promise.resolve() } as unknown as RetrievalDeps['blobs'],
    };
    const person = (name: string) => personOf(house, tenantId, name === 'chief' ? 'administrator' : 'developer', name);
    people = {
      chief: await person('chief'),
      owner: await person('owner'),
      reader: await person('reader'),
      member: await person('member'),
      colleague: await person('colleague'),
      outsider: await person('outsider'),
    };
    await prove(people.reader, 'reader@example.kr');
    await prove(people.member, 'member@example.kr');
    await prove(people.colleague, 'colleague@hr.example.kr');
    await prove(people.outsider, 'outsider@example.kr');
    keys = {
      owner: await keyOf(people.owner.userId),
      reader: await keyOf(people.reader.userId),
      outsider: await keyOf(people.outsider.userId),
      chief: await keyOf(people.chief.userId),
      nobody: await keyOf(null),
    };
    const made = await people.owner.post('/collections', { collection_name: '규정', visibility: 'tenant' });
    const { collection_id: collection } = made.json<{ collection_id: string }>();
    const upload = async (name: string, content: string, fields: Readonly<Record<string, string>> = {}) => {
      const path = `collections/${collection}/documents/upload`;
      const { document_id: id } = (await sendForm(keys.owner, path, formOf(name, content, fields))).result;
      expect((await settled(keys.owner, id)).state).toBe('ready');
      return id;
    };
    const open = await upload('open.md', '# 휴가\n\n모든 사람의 휴가는 25일이며 돌고래 문서에 적힌다.\n');
    const document = await upload('급여.md', `# 급여\n\n${SECRET} 급여 문서와 돌고래 이야기.\n`, {
      external_id: 'source/secret',
      metadata: JSON.stringify({ team: 'hr' }),
      indexed_fields: 'team',
    });
    const [chunk] = await chunksOf(keys.owner, document);
    ids = { collection, document, chunk: chunk?.chunk_id ?? '', open };
    await changeReaderGroup(house.db.query, place(), {
      name: 'group:source/hr',
      title: '인사팀',
      members: ['user:member@example.kr'],
    });
    await restrict(['user:reader@example.kr', 'domain:hr.example.kr', 'group:source/hr', 'group:source/unknown']);
    operations = await operationsOf(house);
  });
  afterAll(async () => {
    await texts.close();
    await index.close();
    await bus.close();
    await house.close();
    await fake?.close();
  });

  const bodies = [
    ...['keyword', 'vector', 'hybrid'].map((mode) => ({ query: SECRET, search_type: mode })),
    { query: `${SECRET} 급여`, search_type: 'vector', filters: { team: 'hr' } },
    { query: '돌고래 급여', search_type: 'hybrid', parent_size: 500, boosts: [{ filters: { team: 'hr' }, factor: 3 }] },
    { query: '돌고래', search_type: 'keyword', filters: { $not: { team: 'none' } }, collapse_duplicates: true },
    { query: '돌고래', search_type: 'vector', top_k: 1 },
  ];
  /** What a search finds for somebody, as text. */
  async function find(who: SignedInBrowser | Caller, body: object): Promise<string> {
    const request = { ...body, collection_ids: [ids.collection] };
    const found =
      'key' in who ? await ask(who, 'search', { body: request }) : await who.post('/collections/search', request);
    expect(found.status).toBe(200);
    const { hits } = ('result' in found ? found.result : found.json<{ result: object }>().result) as { hits: unknown };
    return JSON.stringify(hits);
  }
  const found = (who: SignedInBrowser | Caller) => Promise.all(bodies.map((body) => find(who, body)));

  test('readers, those of its groups and domains, the owner and administrators find it; nobody else does, in any way of searching', async () => {
    covers('retrieval.readers');
    for (const who of [
      people.reader,
      people.member,
      people.colleague,
      people.owner,
      people.chief,
      keys.reader,
      keys.owner,
    ])
      for (const [at, text] of (await found(who)).slice(0, -1).entries())
        expect(text, JSON.stringify(bodies[at])).toContain(ids.document);
    for (const who of [people.outsider, keys.outsider, keys.nobody, keys.chief])
      for (const text of await found(who)) expect(text).not.toMatch(new RegExp(`${ids.document}|${SECRET}|급여.md`));
    // What is left is found as if there were nothing else.
    const [hit] = (
      await ask<{ hits: { document_id: string }[] }>(keys.outsider, 'search', {
        body: { query: '돌고래', collection_id: ids.collection, top_k: 1, search_type: 'keyword' },
      })
    ).result.hits;
    expect(hit?.document_id).toBe(ids.open);
  });

  test('filters can not name readers', async () => {
    for (const filters of [{ $readers: 'user:reader@example.kr' }, { $not: { $readers: { $exists: false } } }]) {
      const body = { query: SECRET, collection_id: ids.collection, filters };
      expect((await ask(keys.outsider, 'search', { body })).status).toBe(400);
    }
  });

  /** A body that is taken as far as can be without knowing what it is for. */
  function bodyOf(operation: Operation, document: string): string | FormData | null {
    const { takes, example, body, resolve } = operation;
    if (takes === 'nothing' || operation.method === 'GET') return null;
    if (takes === 'file') return '# A\n';
    if (takes === 'form') return formOf('a.md', '# A\n');
    if (operation.path.endsWith('/similar')) return '{}';
    if (operation.path.endsWith('/preview')) return JSON.stringify({ document_id: document });
    if (operation.path.endsWith('/extractions'))
      return JSON.stringify({
        schema: { type: 'object', properties: { a: { type: 'string' } } },
        filter: { document_ids: [document] },
      });
    const making = { chance: createChance(nameOf(operation)), ids: Object.values(ids), own: {}, resolve };
    return JSON.stringify(example ?? valueFor(body ?? {}, making as never));
  }
  async function answerTo(
    operation: Operation,
    who: SignedInBrowser | Caller,
    { document, chunk }: { document: string; chunk: string },
  ) {
    const kinds: Readonly<Record<string, string>> = { collection: ids.collection, document, chunk };
    const parts = [...operation.parts];
    const path = operation.path.replaceAll(/\{\w+\}/g, () => kinds[String(parts.shift()?.kind)] ?? '1');
    const body = bodyOf(operation, document);
    const isJson = operation.takes === 'json' && body !== null;
    const question = operation.takes === 'file' ? '?name=a.md&size=4' : '';
    const response = await fetch(house.base + path + question, {
      method: operation.method,
      body,
      headers: {
        ...(isJson ? { 'content-type': 'application/json' } : {}),
        ...(operation.takes === 'file' ? { 'content-type': 'application/octet-stream' } : {}),
        ...('key' in who ? { authorization: `Bearer ${who.key}` } : { cookie: who.cookie, origin: house.base }),
      },
    });
    const text = await response.text();
    return {
      status: response.status,
      text: [document, chunk].reduce((left, id) => left.replaceAll(id, 'ID'), text).replaceAll(/[0-9a-f]{32}/g, 'ID'),
      whole: text,
    };
  }
  const nothing = { document: idOfNothing('document'), chunk: idOfNothing('chunk') };
  const doorOf = (who: SignedInBrowser | Caller) => ('key' in who ? 'public' : 'console');

  once('for others it is nothing, at every address that names a document or a passage', async () => {
    covers('retrieval.readers');
    const naming = operations.filter(
      ({ parts, path }) =>
        parts.some(({ kind: one }) => one === 'document' || one === 'chunk') ||
        /\/collections\/\{\w+\}\/preview$/.test(path),
    );
    const wrong: object[] = [];
    let tried = 0;
    for (const who of [people.outsider, keys.outsider, keys.nobody])
      for (const operation of naming.filter(({ door }) => door === doorOf(who))) {
        const [answer, expected] = [await answerTo(operation, who, ids), await answerTo(operation, who, nothing)];
        tried++;
        const isSame = answer.status === expected.status && answer.text === expected.text;
        if (!isSame || ![403, 404].includes(answer.status)) wrong.push({ name: nameOf(operation), answer, expected });
      }
    expect(wrong).toEqual([]);
    expect(tried).toBeGreaterThan(50);
    // Else the above would say nothing.
    const mute: string[] = [];
    for (const who of [people.reader, keys.reader])
      for (const operation of naming.filter(({ door, method }) => door === doorOf(who) && method === 'GET')) {
        const { status } = await answerTo(operation, who, ids);
        if (status === 404 && !/picture/.test(operation.path)) mute.push(nameOf(operation));
      }
    expect(mute).toEqual([]);
  });

  once('no list and no answer names it to others', async () => {
    covers('retrieval.readers');
    const lists = operations.filter(
      ({ method, parts }) =>
        method === 'GET' && parts.every(({ kind: one }) => one === 'collection' || one === 'document'),
    );
    const tells = async (who: SignedInBrowser | Caller) => {
      const told: string[] = [];
      for (const operation of lists.filter(({ door, path }) => door === doorOf(who) && !/events|live/.test(path))) {
        const { whole } = await answerTo(operation, who, { document: ids.open, chunk: ids.chunk });
        if (whole.includes(ids.document) || whole.includes(SECRET) || whole.includes('급여'))
          told.push(nameOf(operation));
      }
      return told;
    };
    expect(await tells(people.reader)).toContain('GET /console/api/collections/{id}/documents');
    expect(await tells(keys.reader)).not.toEqual([]);
    for (const who of [people.outsider, keys.outsider, keys.nobody]) expect(await tells(who)).toEqual([]);
    // By its name, and by what is in it.
    const named = (await people.outsider.get(`/documents?name=${encodeURIComponent('급여')}`)).text;
    expect(named).not.toContain(ids.document);
    const known = { files: [{ name: '급여.md' }] };
    expect((await people.outsider.post(`/collections/${ids.collection}/documents/known`, known)).text).not.toContain(
      ids.document,
    );
    expect((await people.owner.post(`/collections/${ids.collection}/documents/known`, known)).text).toContain(
      ids.document,
    );
    // Counts are of what is there.
    const countOf = async (who: SignedInBrowser) =>
      (await who.get(`/collections/${ids.collection}`)).json<{ document_count: number; chunk_count: number }>();
    expect(await countOf(people.outsider)).toMatchObject({ document_count: 1 });
    expect(await countOf(people.reader)).toMatchObject({ document_count: 2 });
  });

  test('programs and models by MCP see no more of it', async () => {
    covers('retrieval.readers', 'mcp.isolation');
    const tell = async (caller: Caller) => {
      const messages = [
        {
          method: 'tools/call',
          params: { name: 'search', arguments: { query: SECRET, collection_ids: [ids.collection] } },
        },
        { method: 'tools/call', params: { name: 'search', arguments: { query: '급여' } } },
        { method: 'tools/call', params: { name: 'fetch', arguments: { id: ids.document } } },
        { method: 'resources/list', params: {} },
        { method: 'resources/read', params: { uri: `studio://documents/${ids.document}` } },
      ];
      return Promise.all(
        messages.map(async (message) => {
          const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...message });
          const headers = {
            authorization: `Bearer ${caller.key}`,
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
          };
          return (await fetch(`${house.base}/mcp`, { method: 'POST', body, headers })).text();
        }),
      );
    };
    for (const text of await tell(keys.reader)) expect(text).toMatch(/급여/);
    for (const caller of [keys.outsider, keys.nobody])
      for (const text of await tell(caller)) expect(text).not.toMatch(/급여\.md|이야기/);
  });

  /** An agent of the owner that answers with what it finds, for everybody. */
  async function deployedAgent(): Promise<{ readonly id: string; readonly slug: string }> {
    const definition = {
      schema: 1,
      nodes: [
        { kind: 'input', id: 'input' },
        {
          kind: 'retrieve',
          id: 'find',
          query: '{{input.text}}',
          collections: [ids.collection],
          search_type: 'keyword',
        },
        { kind: 'answer', id: 'answer', text: 'Found: {{find.text}} [1]' },
      ],
      edges: [
        { from: 'input', to: 'find' },
        { from: 'find', to: 'answer' },
      ],
    };
    const begun = await people.owner.post('/agents', { name: 'Finder', definition });
    const { id, revision } = begun.json<{ id: string; revision: number }>();
    const { review } = (await people.owner.post(`/agents/${id}/submit`, { revision })).json<{
      review: { id: string; hash: string };
    }>();
    const approved = await people.chief.post(`/agents/${id}/approve`, { review_id: review.id, hash: review.hash });
    expect(approved.status, approved.text).toBe(200);
    return approved.json<{ id: string; slug: string }>();
  }

  test('agents find it for those who read it, whoever made and approved them; programs, whose sessions others see, are given none of it', async () => {
    covers('retrieval.readers');
    const { id, slug } = await deployedAgent();
    const say = async (who: SignedInBrowser) =>
      (await who.post(`/deployed-agents/${slug}/runs`, { text: SECRET })).text;
    for (const who of [people.reader, people.member, people.owner])
      expect(await say(who), who.name).toContain('이야기');
    for (const who of [people.outsider]) expect(await say(who), who.name).not.toContain('이야기');
    const call = async (caller: Caller) => {
      const message = { role: 'ROLE_USER', messageId: `m ${caller.key}`, parts: [{ text: SECRET }] };
      const response = await fetch(`${house.base}/v1/external/agents/${slug}/a2a/v1/message:send`, {
        method: 'POST',
        headers: { authorization: `Bearer ${caller.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ message }),
      });
      return response.text();
    };
    for (const caller of [keys.reader, keys.owner, keys.outsider, keys.nobody]) {
      const text = await call(caller);
      expect(text).toContain('Found');
      expect(text).not.toContain('이야기');
    }
    // An answer that was rated is shown to all who build, without what they may not read.
    const started = await say(people.reader);
    const [, first] = /^data: (.*)$/m.exec(started) ?? [];
    const { run } = JSON.parse(first ?? '') as { run: { id: string; session_id: number } };
    const root = `/deployed-agents/${slug}/runs/${run.id}`;
    await eventually(async () =>
      expect((await people.reader.get(`/deployed-agents/${slug}/sessions/${run.session_id}`)).text).toContain(
        '"completed"',
      ),
    );
    expect((await people.reader.get(`${root}/sources/1`)).text).toContain('이야기');
    const rated = await people.reader.send('PUT', `${root}/feedback`, { rating: 'up', reasons: [], comment: '' });
    expect(rated.status, rated.text).toBeLessThan(300);
    const shown = await people.owner.get(`/agents/${id}/sessions/${run.session_id}`);
    expect(shown.json<{ items: { citations: unknown[] }[] }>().items[0]?.citations).toHaveLength(1);
    const other = await people.outsider.get(`/agents/${id}/sessions/${run.session_id}`);
    expect(other.json<{ items: { citations: unknown[] }[] }>().items[0]?.citations).toEqual([]);
    expect((await people.outsider.get(`/agents/${id}/runs/${run.id}/sources/1`)).status).toBe(404);
  });

  once('evaluations and extractions of a collection with readers are for those who read all of it', async () => {
    for (const path of ['evaluation/questions', 'evaluation/runs', 'extractions']) {
      expect((await people.owner.get(`/collections/${ids.collection}/${path}`)).status, path).toBe(200);
      expect((await people.outsider.get(`/collections/${ids.collection}/${path}`)).status, path).toBe(403);
    }
  });

  once('who reads it is shown to those who may change the collection', async () => {
    const shown = await people.owner.get(`/collections/${ids.collection}/documents/${ids.document}/readers`);
    expect(shown.json()).toEqual({
      everybody: false,
      total: 4,
      items: [
        { kind: 'person', name: 'reader@example.kr', person: 'reader', members: null },
        { kind: 'domain', name: 'hr.example.kr', person: null, members: null },
        { kind: 'group', name: '인사팀', person: null, members: 1 },
        { kind: 'group', name: 'unknown', person: null, members: null },
      ],
    });
    const path = `/collections/${ids.collection}/documents/${ids.document}`;
    expect((await people.reader.get(`${path}/readers`)).status).toBe(403);
    expect((await people.reader.get(path)).json()).toMatchObject({ restricted: true });
    const open = await people.owner.get(`/collections/${ids.collection}/documents/${ids.open}/readers`);
    expect(open.json()).toEqual({ everybody: true, items: [], total: 0 });
  });

  once(
    'files of a library are found by those whom it lets read them; other readers come with the next sync, without the files',
    async () => {
      const graph = await startFakeGraph();
      const folder = temporaryFolder();
      const source = createSharepointConnector({
        tenant: 'example.kr',
        clientId: 'c',
        clientSecret: 's',
        place: { site: 'https://example.sharepoint.com/sites/hr' },
        library: null,
        folder: '',
        endings: null,
        tellsReaders: true,
        request: createGuardedRequest({ allow: ['127.0.0.1'] }),
        origins: { graph: graph.url, login: graph.url },
      });
      const group = '11111111-2222-3333-4444-555555555555';
      const granted = (identities: object) => ({ roles: ['read'], grantedToV2: identities });
      graph.put({ id: 'A', name: '기린.md', parent: 'root', content: '# 기린\n\n기린의 목에 관한 비밀.\n' });
      graph.put({ id: 'B', name: '하마.md', parent: 'root', content: '# 하마\n\n하마와 기린에 관한 공지.\n' });
      graph.permissions.set('A', [granted({ user: { email: 'READER@example.kr' } })]);
      graph.permissions.set('B', [{ roles: ['read'], link: { scope: 'organization' } }]);
      const connectorId = hexId();
      const settings = { kind: 'web', url: 'http://127.0.0.1:9/', depth: 0, sitemap: false } as const;
      const { tenant_id, collection_id } = { tenant_id: tenantId, collection_id: ids.collection };
      await house.db.query
        .insertInto('connectors')
        .values({
          id: connectorId,
          tenant_id,
          collection_id,
          name: 'x',
          settings: JSON.stringify(settings),
          secrets: null,
          every_minutes: null,
          max_documents: 9,
          paused: true,
          key_id: null,
          user_id: null,
        })
        .execute();
      const retrieval = { ...deps, blobs: createFolderBlobStore(join(house.dataFolder, 'blobs')) };
      const sync = () =>
        synchronize(
          { ...({} as ConnectorDeps), retrieval, folder, maxBytes: 100_000 },
          {
            connectorId,
            collectionId: ids.collection,
            actor: unlimitedActor({ tenantId, keyId: null, userId: people.owner.userId }),
            source,
            cursor: null,
            maxItems: 9,
            dry: false,
            removesAll: false,
            keepsReaders: true,
            groups: [],
            signal: new AbortController().signal,
            onProgress: () => Promise.resolve(),
          },
        );
      const finds = async (who: SignedInBrowser) => {
        const hits = JSON.parse(await find(who, { query: '기린', search_type: 'keyword' })) as {
          document_name: string;
        }[];
        return hits.map(({ document_name: name }) => name).toSorted();
      };
      try {
        expect((await sync()).counts).toMatchObject({ added: 2, readers_unknown: 0 });
        await eventually(async () => expect(await finds(people.reader)).toEqual(['기린.md', '하마.md']));
        expect(await finds(people.outsider)).toEqual(['하마.md']);
        const fetched = graph.storage.asked.length;
        graph.groups.set(group, [{ mail: 'outsider@example.kr', userPrincipalName: 'x@example.onmicrosoft.com' }]);
        graph.permissions.set('A', [granted({ group: { id: group, displayName: '감사팀' } })]);
        graph.permissions.delete('B');
        expect((await sync()).counts).toMatchObject({ readers_changed: 2, readers_unknown: 1, changed: 0 });
        expect([await finds(people.outsider), await finds(people.reader)]).toEqual([['기린.md'], []]);
        expect(await finds(people.owner)).toEqual(['기린.md', '하마.md']);
        expect(graph.storage.asked).toHaveLength(fetched);
      } finally {
        await graph.close();
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );

  once(
    'a conversation that is shown opens no source to those who do not read it, nor one of their own once they do not any more',
    async () => {
      const { id } = (await people.reader.post('/conversations', { model: 'CORE-GOV' })).json<{ id: string }>();
      expect((await people.reader.post(`/conversations/${id}/turns`, { content: '6 * 7?' })).status).toBe(200);
      const message = await eventually(async () => {
        const { messages } = (await people.reader.get(`/conversations/${id}`)).json<{
          messages: { id: string; state: string }[];
        }>();
        expect(messages[1]?.state).toBe('done');
        return messages[1]?.id ?? '';
      });
      const citation = {
        number: 1,
        collection_id: ids.collection,
        document_id: ids.document,
        document_name: 'x.md',
        chunk_id: ids.chunk,
        page: null,
        title: '',
        content: `${SECRET} 이야기`,
        score: 1,
      };
      await house.db.query
        .updateTable('conversation_messages')
        .set({ citations: JSON.stringify([citation]) })
        .where('id', '=', message)
        .execute();
      const share = (await people.reader.post(`/conversations/${id}/shares`)).json<{ id: string }>();
      const source = `/shared-conversations/${share.id}/messages/${message}/sources/1`;
      const opens = async (who: SignedInBrowser) => {
        const shown = await who.get(`/shared-conversations/${share.id}`);
        return shown.json<{ messages: { citations: { opens: boolean }[] }[] }>().messages[1]?.citations[0]?.opens;
      };
      expect(await opens(people.member)).toBe(true);
      expect((await people.member.get(source)).text).toContain(SECRET);
      expect(await opens(people.outsider)).toBe(false);
      for (const path of [source, `${source}/text`]) expect((await people.outsider.get(path)).status, path).toBe(403);
      const own = `/conversations/${id}/messages/${message}/sources/1`;
      expect((await people.reader.get(own)).text).toContain(SECRET);
      await prove(people.reader, 'gone@example.kr');
      expect((await people.reader.get(own)).status).toBe(404);
      await prove(people.reader, 'reader@example.kr');
    },
  );

  test('a change of readers, of an address or of a group counts with the next call', async () => {
    covers('retrieval.readers');
    const sees = async (who: SignedInBrowser) => {
      const text = await find(who, { query: SECRET, search_type: 'keyword' });
      const { status } = await who.get(`/collections/${ids.collection}/documents/${ids.document}`);
      expect(text.includes(ids.document)).toBe(status === 200);
      return status === 200;
    };
    await prove(people.member, 'elsewhere@example.kr');
    expect(await sees(people.member)).toBe(false);
    await changeReaderGroup(house.db.query, place(), {
      name: 'group:source/hr',
      title: '',
      members: ['user:elsewhere@example.kr'],
    });
    expect(await sees(people.member)).toBe(true);
    await changeReaderGroup(house.db.query, place(), { name: 'group:source/hr', title: '', members: null });
    expect(await sees(people.member)).toBe(false);
    // So many that they are a group of their own, with groups in it.
    await changeReaderGroup(house.db.query, place(), {
      name: 'group:source/hr',
      title: '',
      members: ['user:elsewhere@example.kr'],
    });
    const many = Array.from({ length: 150 }, (_, at) => `user:${at}@example.kr`);
    await restrict([...many, 'group:source/hr', 'user:outsider@example.kr']);
    expect([await sees(people.outsider), await sees(people.member), await sees(people.reader)]).toEqual([
      true,
      true,
      false,
    ]);
    const actor = { ...unlimitedActor({ tenantId, keyId: null, userId: people.owner.userId }) };
    expect(await listReaders(deps, actor, { documentId: ids.document })).toMatchObject({ total: 152 });
    await restrict([]);
    expect([await sees(people.outsider), await sees(people.owner), await sees(people.chief)]).toEqual([
      false,
      true,
      true,
    ]);
    await restrict(null);
    expect([await sees(people.outsider), await sees(people.reader)]).toEqual([true, true]);
    // The database decides, whatever the index says: it may be behind.
    await house.db.query
      .updateTable('documents')
      .set({ readers: ['user:reader@example.kr'] })
      .where('id', '=', ids.document)
      .execute();
    expect([await sees(people.outsider), await sees(people.reader), await sees(people.owner)]).toEqual([
      false,
      true,
      true,
    ]);
    await restrict(['user:reader@example.kr', 'domain:hr.example.kr', 'group:source/hr', 'group:source/unknown']);
    expect([await sees(people.outsider), await sees(people.reader)]).toEqual([false, true]);
    // An address counts as long as the person is in the tenant.
    await house.db.query
      .updateTable('memberships')
      .set({ state: 'disabled' })
      .where('user_id', '=', people.reader.userId)
      .execute();
    const rows = await ask(keys.reader, `documents/${ids.document}`);
    expect([401, 403, 404]).toContain(rows.status);
    await house.db.query
      .updateTable('memberships')
      .set({ state: 'active' })
      .where('user_id', '=', people.reader.userId)
      .execute();
  });
});
