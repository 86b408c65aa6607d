import {
  EvaluationQuestions,
  EvaluationQuestionsAdded,
  EvaluationRun,
  EvaluationRunDetails,
} from '@ai-studio/contract/console/evaluation.ts';
import type { AuditPage } from '@ai-studio/contract/console/audit.ts';
import {
  CollectionOptions,
  ConsoleChunks,
  ConsoleCollection,
  ConsoleCollections,
  ConsoleDocuments,
  ConsoleOriginal,
  ConsolePageText,
  ConsoleSearched,
} from '@ai-studio/contract/console/retrieval.ts';
import { Connector, ConnectorList, ConnectorRun, ConnectorRuns } from '@ai-studio/contract/retrieval/connector.ts';
import { Document, DocumentUploaded } from '@ai-studio/contract/retrieval/document.ts';
import { Extraction, ExtractionDocuments, ExtractionList } from '@ai-studio/contract/retrieval/extraction.ts';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PdfWriter } from '@ai-studio/documents/test/pdf.ts';
import { type ConsoleHouse, expectRefused, openConsoleHouse } from '../support/console.ts';
import { covers } from '../requirements.ts';
import { html, startWebSite } from '../fakes/web-site.ts';
import { eventually } from '../support/eventually.ts';
import { makeTenant, personOf, type SignedInBrowser } from '../support/people.ts';

let house: ConsoleHouse;
let dev: SignedInBrowser;
let colleague: SignedInBrowser;
let chief: SignedInBrowser;
let user: SignedInBrowser;
let stranger: SignedInBrowser;
/** A folder that the configuration allows. */
let source: string;

const LIMIT = 1_000_000;
const NOBODY = 'f'.repeat(32);

beforeAll(async () => {
  source = realpathSync(mkdtempSync(join(tmpdir(), 'ai-studio-source-')));
  house = await openConsoleHouse({
    STUDIO_DOCUMENTS_UPLOAD_BYTES: String(LIMIT),
    STUDIO_DOCUMENTS_PROCESSES: '1',
    STUDIO_CONNECTORS_FOLDERS: JSON.stringify([source]),
    STUDIO_NETWORK_ALLOW: '["127.0.0.1"]',
  });
  const ours = await makeTenant(house, 'Ours');
  dev = await personOf(house, ours, 'developer');
  colleague = await personOf(house, ours, 'developer');
  chief = await personOf(house, ours, 'administrator');
  user = await personOf(house, ours, 'user');
  stranger = await personOf(house, await makeTenant(house, 'Theirs'), 'administrator');
});
afterAll(async () => {
  await house.close();
  rmSync(source, { recursive: true, force: true });
});

async function make(who: SignedInBrowser, fields: object = {}): Promise<ConsoleCollection> {
  const made = await who.post('/collections', { collection_name: '규정', ...fields });
  expect(made.status, made.text).toBe(201);
  return ConsoleCollection.parse(made.json());
}

async function give(who: SignedInBrowser, id: string, name: string, content: string | Buffer, query = '') {
  const response = await fetch(
    `${house.base}/console/api/collections/${id}/documents?name=${encodeURIComponent(name)}&size=${Buffer.byteLength(content)}${query}`,
    {
      method: 'POST',
      headers: { cookie: who.cookie, origin: house.base, 'content-type': 'application/octet-stream' },
      body: new Uint8Array(Buffer.from(content)),
    },
  );
  return { status: response.status, body: await response.json() };
}

/** Gives a file and waits until it can be found, or failed. */
async function add(who: SignedInBrowser, id: string, name: string, content: string | Buffer, query = '') {
  const { status, body } = await give(who, id, name, content, query);
  expect(status, JSON.stringify(body)).toBe(201);
  const { document_id: documentId } = DocumentUploaded.parse(body);
  return eventually(async () => {
    const document = Document.parse((await who.get(`/collections/${id}/documents/${documentId}`)).json());
    expect(['ready', 'failed']).toContain(document.state);
    return document;
  });
}

const find = async (who: SignedInBrowser, id: string, query: string, more: object = {}) =>
  ConsoleSearched.parse((await who.post('/collections/search', { collection_id: id, query, ...more })).json());

describe('a collection of a developer', () => {
  test('has defaults that suit, is listed, found by its name, changed and removed, and all of that is written down', async () => {
    const options = CollectionOptions.parse((await dev.get('/collection-options')).json());
    expect(options).toMatchObject({
      max_bytes: LIMIT,
      embedding_models: [{ id: 'lexical', lexical: true }],
      default_embedding_model: 'lexical',
      page_readers: expect.arrayContaining(['studio-parser', 'layout']),
    });
    const made = await make(dev, { collection_name: '100% 휴가' });
    expect(made).toMatchObject({ may_change: true, visibility: 'private', owner: { kind: 'user' } });
    expect(made.ingest_config).toMatchObject(options.defaults);
    const byName = async (name: string) =>
      ConsoleCollections.parse((await dev.get(`/collections?name=${encodeURIComponent(name)}`)).json()).items;
    expect((await byName('0% 휴')).map(({ collection_id: id }) => id)).toEqual([made.collection_id]);
    expect(await byName('0_ 휴')).toEqual([]);
    const path = `/collections/${made.collection_id}`;
    const changed = await dev.patch(path, {
      collection_name: '휴가',
      search_config: { mode: 'keyword' },
      ingest_config: { parser_model: 'layout' },
    });
    expect(ConsoleCollection.parse(changed.json()).ingest_config.parser_model).toBe('layout');
    expect(ConsoleCollection.parse(changed.json())).toMatchObject({
      collection_name: '휴가',
      search_config: { mode: 'keyword', fusion: 'weighted' },
    });
    expectRefused(await dev.patch(path, { ingest_config: { chunk_overlap: 2_000 } }), 400, 'invalid_field');
    expect((await dev.delete(path)).status).toBe(204);
    expectRefused(await dev.get(path), 404);
    const audit = (await chief.get('/audit')).json<{ items: { action: string; target: { id: string } | null }[] }>();
    const mine = audit.items.filter(({ target }) => target?.id === made.collection_id).map(({ action }) => action);
    expect(mine).toEqual(['collection_removed', 'collection_changed', 'collection_created']);
  });

  test('stands in a list that is ordered as people ask; many documents are removed at once, and others’ are not', async () => {
    const [one, two] = [
      await make(dev, { collection_name: '가 순서' }),
      await make(dev, { collection_name: '나 순서' }),
    ];
    const listed = async (sort: string) => {
      const { items } = ConsoleCollections.parse(
        (await dev.get(`/collections?name=${encodeURIComponent('순서')}${sort}`)).json(),
      );
      return items.map(({ collection_name: name }) => name);
    };
    const documents = [
      await add(dev, one.collection_id, 'a.md', '사과'),
      await add(dev, one.collection_id, 'b.md', '배'),
    ];
    const other = await add(dev, two.collection_id, 'c.md', '감');
    expect(await listed('')).toEqual(['나 순서', '가 순서']);
    expect(await listed('&sort=name')).toEqual(['가 순서', '나 순서']);
    expect(await listed('&sort=-name')).toEqual(['나 순서', '가 순서']);
    expect(await listed('&sort=documents')).toEqual(['나 순서', '가 순서']);
    expect(await listed('&sort=-documents')).toEqual(['가 순서', '나 순서']);
    expectRefused(await dev.get('/collections?sort=secret'), 400, 'invalid_field');

    const path = `/collections/${one.collection_id}/documents`;
    const ids = documents.map(({ document_id: id }) => id);
    expectRefused(await colleague.post(`${path}/remove`, { document_ids: ids }), 404);
    expectRefused(await user.post(`${path}/remove`, { document_ids: ids }), 403, 'role_missing');
    expectRefused(await dev.post(`${path}/remove`, { document_ids: [] }), 400, 'invalid_field');
    const removed = await dev.post(`${path}/remove`, { document_ids: [...ids, other.document_id, NOBODY, 'x'] });
    expect(removed.json()).toEqual({ removed: 2 });
    expect(ConsoleDocuments.parse((await dev.get(path)).json())).toMatchObject({ items: [], total: 0 });
    expect((await dev.get(`/collections/${two.collection_id}/documents/${other.document_id}`)).status).toBe(200);
    expect((await find(dev, one.collection_id, '사과')).result.hits).toEqual([]);
    expect((await dev.post(`${path}/remove`, { document_ids: ids })).json()).toEqual({ removed: 0 });
    const { items } = (await chief.get('/audit')).json<{
      items: { id: string; action: string; target: { id: string } | null }[];
    }>();
    const noted = items.filter(({ action, target }) => action === 'document_removed' && ids.includes(target?.id ?? ''));
    expect(noted).toHaveLength(2);

    // The log is read from either end, and some of it by name.
    const oldest = (await chief.get('/audit?sort=at&size=2')).json<AuditPage>();
    expect(Number(oldest.items[0]?.id)).toBeLessThan(Number(oldest.items[1]?.id));
    const next = (await chief.get(`/audit?sort=at&size=1&before=${oldest.next}`)).json<AuditPage>();
    expect(Number(next.items[0]?.id)).toBeGreaterThan(Number(oldest.items[1]?.id));
    const csv = (await chief.get(`/audit.csv?ids=${noted.map(({ id }) => id).join(',')}`)).text.trim().split('\r\n');
    expect(csv).toHaveLength(3);
    for (const id of ids) expect(csv.join('\n')).toContain(id);
    expectRefused(await chief.get('/audit?ids=1,x'), 400, 'invalid_field');
    expect((await chief.get(`/audit?ids=${Array(400).fill('1').join(',')}`)).status).toBe(200);
    expectRefused(await chief.get(`/audit?ids=${Array(401).fill('1').join(',')}`), 400, 'invalid_field');
  });

  test('takes documents, finds them, and shows them as they were given', async () => {
    const { collection_id: id } = await make(dev, { ingest_config: { indexed_fields: ['folder'] } });
    const writer = new PdfWriter();
    writer.page().text(72, 72, 'Holidays', { size: 20, bold: true }).text(72, 110, 'There are fifteen days.');
    writer.page().text(72, 72, 'Pensions', { size: 20, bold: true }).text(72, 110, 'They begin at sixty-five.');
    const pdf = await add(dev, id, 'rules.pdf', writer.bytes(), '&folder=hr%2F2024');
    expect(pdf).toMatchObject({ state: 'ready', metadata: { folder: 'hr/2024' }, page_count: 2 });
    const text = await add(dev, id, '안내.md', '# 연차\n\n연차는 열다섯 날입니다.');
    const path = `/collections/${id}/documents`;
    const { items, counts } = ConsoleDocuments.parse((await dev.get(`${path}?group=ready&name=rules`)).json());
    expect(items.map(({ document_id: one }) => one)).toEqual([pdf.document_id]);
    expect(counts).toEqual({ open: 0, ready: 2, failed: 0 });

    const found = await find(dev, id, '연차는 며칠?', { highlight: true, search_type: 'hybrid' });
    expect(found.result.hits[0]).toMatchObject({ document_id: text.document_id });
    const only = await find(dev, id, 'days', { filters: { folder: 'hr/2024' } });
    expect(only.result.hits.map((hit) => hit.document_id)).toContain(pdf.document_id);
    expect(only.result.hits.map((hit) => hit.document_id)).not.toContain(text.document_id);
    const wrong = await dev.post('/collections/search', { collection_id: id, query: 'x', filters: { nothing: 1 } });
    expect(expectRefused(wrong, 400, 'filters_wrong').values).toEqual({ at: 'nothing' });

    const outline = ConsoleOriginal.parse((await dev.get(`${path}/${pdf.document_id}/original`)).json());
    expect(outline).toEqual({ pages: [{ number: 1 }, { number: 2 }], pictures: true });
    const picture = await dev.get(`${path}/${pdf.document_id}/pages/2/picture?width=200`);
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(picture.headers.get('content-security-policy')).toContain('sandbox');
    const page = ConsolePageText.parse((await dev.get(`${path}/${text.document_id}/pages/1`)).json());
    expect(page).toEqual({ text: expect.stringContaining('연차는 열다섯 날입니다.'), cut: false });
    expectRefused(await dev.get(`${path}/${text.document_id}/pages/9`), 404);
    expectRefused(await dev.get(`${path}/${text.document_id}/pages/1/picture`), 404);
    const file = await dev.get(`${path}/${text.document_id}/file`);
    expect([file.text, file.headers.get('content-type')]).toEqual([
      '# 연차\n\n연차는 열다섯 날입니다.',
      'application/octet-stream',
    ]);
    expect(decodeURIComponent(file.headers.get('content-disposition') ?? '')).toContain("filename*=UTF-8''안내.md");
    const second = ConsoleChunks.parse((await dev.get(`${path}/${pdf.document_id}/chunks?page=2`)).json());
    expect(second.total).toBe(1);
    expect(second.items[0]?.content).toContain('sixty-five');
  });

  test('has chunks that are edited, added and removed, each found at once', async () => {
    const { collection_id: id } = await make(dev);
    const { document_id: documentId } = await add(dev, id, 'a.txt', 'Walruses sleep.');
    const path = `/collections/${id}/documents/${documentId}/chunks`;
    const [chunk] = ConsoleChunks.parse((await dev.get(path)).json()).items;
    expect((await dev.patch(`${path}/${chunk?.chunk_id}`, { content: 'Penguins dance.' })).status).toBe(200);
    expect((await find(dev, id, 'penguins')).result.hits[0]?.content).toBe('Penguins dance.');
    const added = await dev.post(path, { title: 'More', content: 'Ostriches run.' });
    expect(added.status).toBe(201);
    expect((await find(dev, id, 'ostriches', { search_type: 'keyword' })).result.total).toBe(1);
    const { chunk_id: other } = added.json<{ chunk_id: string }>();
    expect((await dev.delete(`${path}/${other}`)).status).toBe(204);
    expect((await find(dev, id, 'ostriches', { search_type: 'keyword' })).result.total).toBe(0);
    const again = await dev.post(`/collections/${id}/documents/${documentId}/reindex`);
    const begun = Document.parse(again.json());
    // A worker may have taken it by then.
    expect(begun.state).not.toBe('failed');
    expect(begun.searchable).toBe(true);
  });

  test('refuses files that are no documents in words of its own', async () => {
    const { collection_id: id } = await make(dev);
    const zeros = await give(dev, id, 'a.bin', Buffer.alloc(600, 0xfe));
    expect(zeros).toMatchObject({ status: 415, body: { error: { reason: 'document_unsupported' } } });
    const large = await give(dev, id, 'a.txt', 'x'.repeat(LIMIT + 1));
    expect(large).toMatchObject({ status: 413, body: { error: { reason: 'document_too_large' } } });
    expect(ConsoleDocuments.parse((await dev.get(`/collections/${id}/documents`)).json()).total).toBe(0);
  });
});

describe('who may do what', () => {
  let shared: ConsoleCollection;
  let own: ConsoleCollection;
  let documentId: string;
  let chunkId: string;

  beforeAll(async () => {
    shared = await make(dev, { visibility: 'tenant' });
    own = await make(dev);
    ({ document_id: documentId } = await add(dev, shared.collection_id, 'a.txt', 'Capybaras bathe.'));
    const path = `/collections/${shared.collection_id}/documents/${documentId}/chunks`;
    chunkId = ConsoleChunks.parse((await dev.get(path)).json()).items[0]?.chunk_id ?? '';
  });

  const listed = async (who: SignedInBrowser) =>
    new Set(
      ConsoleCollections.parse((await who.get('/collections?size=100')).json()).items.map((one) => one.collection_id),
    );

  test('users search what is shared, and nothing else', async () => {
    const seen = await listed(user);
    expect([seen.has(shared.collection_id), seen.has(own.collection_id)]).toEqual([true, false]);
    expect((await find(user, shared.collection_id, 'capybaras')).result.hits[0]?.document_id).toBe(documentId);
    expectRefused(await user.post('/collections/search', { collection_id: own.collection_id, query: 'x' }), 404);
    const path = `/collections/${shared.collection_id}`;
    for (const refused of [
      user.post('/collections', { collection_name: 'x' }),
      user.patch(path, { description: 'x' }),
      user.delete(path),
      user.get(`${path}/documents`),
      user.get(`${path}/documents/${documentId}/chunks`),
      user.get(`${path}/documents/${documentId}/file`),
    ])
      expectRefused(await refused, 403, 'role_missing');
  });

  test('developers read what others share and change only their own; administrators change all', async () => {
    const path = `/collections/${shared.collection_id}`;
    expect((await listed(colleague)).has(own.collection_id)).toBe(false);
    expect(ConsoleCollection.parse((await colleague.get(path)).json())).toMatchObject({
      may_change: false,
      is_owner: false,
    });
    expect((await colleague.get(`${path}/documents/${documentId}/file`)).text).toBe('Capybaras bathe.');
    for (const refused of [
      colleague.patch(path, { visibility: 'private' }),
      colleague.delete(path),
      colleague.post(`${path}/reindex`),
      colleague.patch(`${path}/documents/${documentId}`, { document_name: 'x' }),
      colleague.delete(`${path}/documents/${documentId}`),
      colleague.post(`${path}/documents/${documentId}/reindex`),
      colleague.patch(`${path}/documents/${documentId}/chunks/${chunkId}`, { content: 'x' }),
      colleague.delete(`${path}/documents/${documentId}/chunks/${chunkId}`),
    ])
      expectRefused(await refused, 403, 'collection_not_yours');
    expect((await give(colleague, shared.collection_id, 'b.txt', 'x')).status).toBe(403);
    expect(ConsoleCollection.parse((await chief.get(`/collections/${own.collection_id}`)).json()).may_change).toBe(
      true,
    );
    expect((await chief.patch(`/collections/${own.collection_id}`, { description: '모두의 것' })).status).toBe(200);
  });

  test('another tenant finds nothing, whatever ids it names', async () => {
    const ours = { c: shared.collection_id, d: documentId, k: chunkId };
    const none = { c: NOBODY, d: NOBODY, k: NOBODY };
    const calls = ({ c, d, k }: typeof ours) => [
      stranger.get(`/collections/${c}`),
      stranger.patch(`/collections/${c}`, { description: 'x' }),
      stranger.delete(`/collections/${c}`),
      stranger.post(`/collections/${c}/reindex`),
      stranger.get(`/collections/${c}/documents`),
      stranger.get(`/collections/${c}/documents/${d}`),
      stranger.patch(`/collections/${c}/documents/${d}`, { document_name: 'x' }),
      stranger.delete(`/collections/${c}/documents/${d}`),
      stranger.post(`/collections/${c}/documents/${d}/reindex`),
      stranger.get(`/collections/${c}/documents/${d}/file`),
      stranger.get(`/collections/${c}/documents/${d}/original`),
      stranger.get(`/collections/${c}/documents/${d}/pages/1`),
      stranger.get(`/collections/${c}/documents/${d}/pages/1/picture`),
      stranger.get(`/collections/${c}/documents/${d}/chunks`),
      stranger.post(`/collections/${c}/documents/${d}/chunks`, { content: 'x' }),
      stranger.patch(`/collections/${c}/documents/${d}/chunks/${k}`, { content: 'x' }),
      stranger.delete(`/collections/${c}/documents/${d}/chunks/${k}`),
      stranger.post('/collections/search', { collection_id: c, query: 'capybaras' }),
      stranger.post('/collections/search', { collection_ids: [c], query: 'capybaras' }),
    ];
    const told = async (made: ReturnType<typeof calls>) =>
      (await Promise.all(made)).map(({ status, text }) => [
        status,
        text.replaceAll(/[0-9a-f]{32}|"request_id":"[^"]*"/g, ''),
      ]);
    const answers = await told(calls(ours));
    expect(answers).toEqual(await told(calls(none)));
    expect(new Set(answers.map(([status]) => status))).toEqual(new Set([404]));
    expect((await give(stranger, shared.collection_id, 'b.txt', 'x')).status).toBe(404);
    expect((await find(dev, shared.collection_id, 'capybaras')).result.total).toBe(1);
  });
});

test('an administrator gives a collection to somebody else, also where its owner is gone', async () => {
  const { collection_id: id } = await make(dev, { visibility: 'tenant' });
  const path = `/collections/${id}/owner`;
  // The owner and others cannot, nor can it go to those who may not have one.
  for (const other of [dev, colleague, user])
    expectRefused(await other.send('PUT', path, { user_id: colleague.userId }), 403);
  expectRefused(await stranger.send('PUT', path, { user_id: colleague.userId }), 404);
  expectRefused(await chief.send('PUT', path, { user_id: user.userId }), 400, 'invalid_field');
  expectRefused(await chief.send('PUT', path, { user_id: NOBODY }), 400, 'invalid_field');
  const given = await chief.send('PUT', path, { user_id: colleague.userId });
  expect(given.status, given.text).toBe(200);
  expect(ConsoleCollection.parse(given.json())).toMatchObject({ may_change: true, is_owner: false });
  const seen = async (who: SignedInBrowser) => ConsoleCollection.parse((await who.get(`/collections/${id}`)).json());
  expect(await seen(colleague)).toMatchObject({ is_owner: true, may_change: true });
  expect(await seen(dev)).toMatchObject({ is_owner: false, may_change: false });
  expectRefused(await dev.patch(`/collections/${id}`, { description: 'x' }), 403, 'collection_not_yours');
  expect((await colleague.patch(`/collections/${id}`, { description: 'x' })).status).toBe(200);
  // One that belongs to nobody any more.
  await house.db.query
    .updateTable('collections')
    .set({ owner_user_id: NOBODY, visibility: 'private' })
    .where('id', '=', id)
    .execute();
  expectRefused(await dev.get(`/collections/${id}`), 404);
  expect(await seen(chief)).toMatchObject({ owner: null, may_change: true });
  expect((await chief.send('PUT', path, { user_id: dev.userId })).status).toBe(200);
  expect(await seen(dev)).toMatchObject({ is_owner: true });
});

describe('an evaluation', () => {
  test('tells how well each setting finds what questions expect, and is kept', async () => {
    const { collection_id: id } = await make(dev);
    const walrus = await add(dev, id, 'walrus.txt', 'Walruses sleep on the ice of the north. 산업재해');
    await add(dev, id, 'penguin.txt', 'Penguins dance in the snow of the south.');
    const path = `/collections/${id}/evaluation`;
    const search = { mode: 'keyword', alpha: null, fusion: 'weighted', rerank: false };
    expectRefused(await dev.post(`${path}/runs`, { settings: [{ name: 'a', search }] }), 409, 'no_questions');
    const added = await dev.post(`${path}/questions`, {
      items: [
        { question: 'Where do walruses sleep?', expected: [walrus.document_id] },
        { question: 'Who dances?', expected: ['nothing.txt'] },
        { question: 'Who dances in the snow?', expected: ['penguin.txt'] },
        { question: 'Who?', expected: [] },
        { question: 'Qqq?', expected: ['walrus.txt'] },
        { question: '산재?', expected: ['walrus.txt'] },
      ],
    });
    expect(EvaluationQuestionsAdded.parse(added.json())).toEqual({
      added: 4,
      present: 0,
      refused: [
        { item: 1, document: 'nothing.txt' },
        { item: 3, document: null },
      ],
    });
    // A list that is brought again doubles nothing; what it names now counts.
    const twice = await dev.post(`${path}/questions`, {
      items: [
        { question: ' Qqq? ', expected: ['penguin.txt'] },
        { question: 'Qqq?', expected: ['walrus.txt', 'walrus.txt'] },
      ],
    });
    expect(EvaluationQuestionsAdded.parse(twice.json())).toEqual({ added: 0, present: 1, refused: [] });
    expect((await dev.get(`${path}/questions`)).json()).toMatchObject({
      total: 4,
      items: [{}, {}, { question: 'Qqq?', expected: [{ name: 'walrus.txt' }] }, {}],
    });
    // What a setting says of words that mean the same stands in place of what the collection says.
    const begun = await dev.post(`${path}/runs`, {
      settings: [
        { name: 'words', search },
        { name: 'sets', search: { ...search, synonyms: [['qqq', 'walruses']] } },
        { name: 'bare', search: { ...search, starter_synonyms: false } },
      ],
    });
    expect(begun.status, begun.text).toBe(201);
    const { id: run } = EvaluationRun.parse(begun.json());
    const done = await eventually(async () => {
      const details = EvaluationRunDetails.parse((await dev.get(`${path}/runs/${run}`)).json());
      expect(details.state).toBe('done');
      return details;
    });
    expect(done.figures?.[0]?.recall_at_1).toBeCloseTo(3 / 4);
    expect(done.answers.map(({ ranks }) => ranks.flat())).toEqual([
      [1, 1, 1],
      [1, 1, 1],
      [null, 1, null],
      [1, 1, null],
    ]);
    // A document that takes the place of another counts as that one.
    expect((await dev.delete(`/collections/${id}/documents/${walrus.document_id}`)).status).toBe(204);
    const listed = async () =>
      EvaluationQuestions.parse((await dev.get(`${path}/questions`)).json()).items.map((one) => one.expected[0]);
    expect((await listed())[0]).toMatchObject({ name: 'walrus.txt', present: false });
    const again = await add(dev, id, 'walrus.txt', 'Walruses sleep on the ice of the north.');
    expect((await listed())[0]).toEqual({ document_id: again.document_id, name: 'walrus.txt', present: true });
    // Nobody of another tenant, and no other person: the collection is private.
    for (const other of [stranger, colleague]) {
      expectRefused(await other.get(`${path}/questions`), 404);
      expectRefused(await other.get(`${path}/runs/${run}`), 404);
      expectRefused(await other.post(`${path}/runs`, { settings: [{ name: 'a', search }] }), 404);
      expectRefused(await other.delete(`${path}/runs/${run}`), 404);
      expectRefused(await other.delete(`${path}/questions`), 404);
    }
    expect((await dev.delete(`${path}/runs/${run}`)).status).toBe(204);
    expectRefused(await dev.get(`${path}/runs/${run}`), 404);
  });
});

describe('an extraction', () => {
  const schema = { type: 'object', properties: { days: { type: 'integer', title: '연차 일수' } } };

  test('is begun by whoever may change the collection, seen as a table and as a file, and written down', async () => {
    covers('retrieval.extraction');
    const { collection_id: id } = await make(dev, { visibility: 'tenant' });
    await add(dev, id, 'leave.md', '# 휴가\n\n연차 일수: 15일\n');
    await add(dev, id, 'empty.md', ' \n');
    const path = `/collections/${id}/extractions`;
    expectRefused(await colleague.post(path, { schema }), 403, 'collection_not_yours');
    expectRefused(await user.post(path, { schema }), 403);
    expectRefused(await stranger.post(path, { schema }), 404);
    expectRefused(await dev.post(path, { schema: { type: 'array' } }), 400, 'extraction_schema');
    expectRefused(await dev.post(path, { schema, filter: { name: 'none' } }), 409, 'no_documents');
    const begun = await dev.post(path, { schema });
    expect(begun.status, begun.text).toBe(201);
    const { extraction_id: extraction } = Extraction.parse(begun.json());
    await eventually(async () =>
      expect((await dev.get(`${path}/${extraction}`)).json()).toMatchObject({ state: 'done', done: 1, failed: 1 }),
    );
    const { items } = ExtractionDocuments.parse((await colleague.get(`${path}/${extraction}/documents`)).json());
    expect(items).toMatchObject([
      { document_name: 'leave.md', fields: [{ name: 'days', value: 15 }], error: null },
      { document_name: 'empty.md', state: 'failed' },
    ]);
    const file = await colleague.get(`${path}/${extraction}/file?places=true`);
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(file.headers.get('content-disposition')).toContain('extraction.csv');
    expect(file.text).toContain('document_id,document_name,error,days,days (page),days (confidence)\r\n');
    expect(file.text).toContain(',leave.md,,15,');
    for (const act of [
      stranger.get(`${path}/${extraction}/file`),
      stranger.post(`${path}/${extraction}/cancel`),
      dev.get(`${path}/${NOBODY}`),
    ])
      expectRefused(await act, 404);
    expectRefused(await colleague.delete(`${path}/${extraction}`), 403, 'collection_not_yours');
    const { items: audit } = (await chief.get('/audit')).json<AuditPage>();
    expect(audit.find(({ action }) => action === 'collection_extracted')).toMatchObject({ target: { id } });
    expect((await dev.delete(`${path}/${extraction}`)).status).toBe(204);
    expect(ExtractionList.parse((await dev.get(path)).json()).items).toEqual([]);
  });
});

describe('a connector', () => {
  test('is tried, run, followed and removed by whoever may change the collection, seen by nobody else, and all is written down', async () => {
    const { collection_id: id } = await make(dev, { visibility: 'tenant' });
    const path = `/collections/${id}/connectors`;
    const given = { name: '문서고', settings: { kind: 'folder', path: source }, paused: true };
    expectRefused(await colleague.post(path, given), 403, 'collection_not_yours');
    expectRefused(await user.post(path, given), 403, 'role_missing');
    expectRefused(await stranger.post(path, given), 404);
    for (const [settings, reason] of [
      [{ kind: 'folder', path: '/etc' }, 'connector_folder_closed'],
      [{ kind: 'folder', path: `${source}/../..` }, 'connector_folder_closed'],
      [{ kind: 'folder', path: 'x' }, 'connector_folder_closed'],
      [{ kind: 'webdav', url: 'https://u:p@dav.example.kr/' }, 'connector_address_secrets'],
      [{ kind: 'web', url: 'https://u:p@www.example.kr/' }, 'connector_address_password'],
      [{ kind: 'tape' }, 'invalid_field'],
      [{ kind: 'webdav', url: 'file:///etc' }, 'invalid_field'],
    ] as const)
      expectRefused(await dev.post(path, { name: 'x', settings }), 400, reason);
    const half = { kind: 'webdav', url: 'https://dav.example.kr/' };
    expectRefused(
      await dev.post(path, { name: 'x', settings: half, secrets: { password: 'p' } }),
      400,
      'invalid_field',
    );
    expectRefused(await dev.post(path, { ...given, every_minutes: 10 }), 400, 'invalid_field');
    expect(ConnectorList.parse((await dev.get(path)).json())).toMatchObject({ items: [], folders: [source] });

    writeFileSync(join(source, 'leave.md'), '# 연차\n\n연차 휴가는 열이레입니다.\n');
    writeFileSync(join(source, 'program.bin'), Buffer.alloc(600, 0xfe));
    const made = await dev.post(path, given);
    expect(made.status, made.text).toBe(201);
    const { connector_id: connector } = Connector.parse(made.json());
    const one = `${path}/${connector}`;
    const run = async (body: object = {}) => {
      const begun = await dev.post(`${one}/runs`, body);
      expect(begun.status, begun.text).toBe(201);
      const { run_id: runId } = ConnectorRun.parse(begun.json());
      return eventually(async () => {
        const { items } = ConnectorRuns.parse((await dev.get(`${one}/runs`)).json());
        const found = items.find((each) => each.run_id === runId);
        expect(found?.state).not.toBe('running');
        return found;
      });
    };
    expect(await run({ dry: true })).toMatchObject({ state: 'done', added: 2, failed: 0 });
    expect(ConsoleDocuments.parse((await dev.get(`/collections/${id}/documents`)).json()).items).toEqual([]);
    expect(await run()).toMatchObject({
      added: 1,
      changes: [{ name: 'leave.md', change: 'added' }],
      problems: [{ name: 'program.bin', code: 'unsupported_media_type' }],
    });
    await eventually(async () => expect((await find(dev, id, '연차 휴가 열이레')).result.hits.length).toBe(1));
    rmSync(join(source, 'leave.md'));
    expect(await run()).toMatchObject({ removed: 1, changes: [{ name: 'leave.md', change: 'removed' }] });
    expect((await find(dev, id, '연차 휴가 열이레')).result.hits).toEqual([]);

    for (const other of [stranger, colleague]) {
      const [status, reason] = other === stranger ? ([404, null] as const) : ([403, 'collection_not_yours'] as const);
      for (const act of [
        other.get(path),
        other.get(one),
        other.get(`${one}/runs`),
        other.post(`${one}/runs`, {}),
        other.post(`${one}/cancel`),
        other.patch(one, { name: 'x' }),
        other.delete(`${one}?documents=remove`),
      ])
        expectRefused(await act, status, reason);
    }
    expectRefused(await dev.get(`${path}/${NOBODY}`), 404);
    expect(Connector.parse((await dev.patch(one, { name: '창고' })).json()).name).toBe('창고');
    expect((await dev.delete(`${one}?documents=remove`)).status).toBe(204);
    await eventually(async () => expect(ConnectorList.parse((await dev.get(path)).json()).items).toEqual([]));
    const { items: audit } = (await chief.get('/audit')).json<AuditPage>();
    expect(audit.filter(({ target }) => target?.id === connector).map(({ action }) => action)).toEqual([
      'connector_removed',
      'connector_changed',
      'connector_run',
      'connector_run',
      'connector_run',
      'connector_created',
    ]);
    const metrics = await (await fetch(`${house.base}/metrics`)).text();
    expect(metrics).toContain('studio_connector_runs{state="waiting"} 0');
  });

  test('is made, changed, run and deleted by programs with a key, within its tenant and its collections', async () => {
    const keyOf = async (who: SignedInBrowser, scopes: readonly string[]) => {
      const noLimits = { requests_per_minute: null, tokens_per_minute: null, tool_stream: null, expires_at: null };
      const issued = await who.post('/keys', { name: 'program', scopes, allowed_models: null, ...noLimits });
      expect(issued.status, issued.text).toBe(201);
      return issued.json<{ value: string }>().value;
    };
    const [ours, theirs, chats] = await Promise.all([
      keyOf(dev, ['retrieval']),
      keyOf(stranger, ['retrieval']),
      keyOf(dev, ['chat']),
    ]);
    const by = async (key: string, method: string, path: string, body?: object) => {
      const response = await fetch(`${house.base}/v1/rag42/collections${path}`, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: body === undefined ? null : JSON.stringify(body),
      });
      return { status: response.status, body: (await response.json()) as { result: Record<string, unknown> } };
    };
    const made = await by(ours, 'POST', '', { collection_name: 'by key' });
    const path = `/${String(made.body.result['collection_id'])}/connectors`;
    const given = { name: '문서고', settings: { kind: 'folder', path: source }, paused: true };
    writeFileSync(join(source, 'by-key.md'), '# 열쇠\n');
    expect((await by(ours, 'POST', path, { ...given, settings: { kind: 'folder', path: '/etc' } })).status).toBe(400);
    expect((await by(chats, 'POST', path, given)).status).toBe(403);
    const { status, body } = await by(ours, 'POST', path, given);
    expect([status, Connector.parse(body.result).name]).toEqual([200, '문서고']);
    const one = `${path}/${String(body.result['connector_id'])}`;
    for (const [method, at, sent] of [
      ['GET', path],
      ['GET', one],
      ['PATCH', one, { paused: true }],
      ['POST', `${one}/runs`, {}],
      ['GET', `${one}/runs`],
      ['POST', `${one}/cancel`],
      ['DELETE', one],
    ] as const)
      expect((await by(theirs, method, at, sent)).status).toBe(404);
    expect((await by(ours, 'PATCH', one, { name: '창고' })).body.result).toMatchObject({ name: '창고', paused: true });
    expect((await by(ours, 'POST', `${one}/runs`, { dry: true })).status).toBe(200);
    await eventually(async () => {
      const runs = ConnectorRuns.parse((await by(ours, 'GET', `${one}/runs`)).body.result).items;
      expect(runs[0]).toMatchObject({ state: 'done', dry: true });
      expect(runs[0]?.changes).toContainEqual({ name: 'by-key.md', change: 'added' });
    });
    expect(ConnectorList.parse((await by(ours, 'GET', path)).body.result).items).toHaveLength(1);
    expect((await by(ours, 'POST', `${one}/cancel`)).status).toBe(200);
    expect((await by(ours, 'DELETE', one)).body.result).toMatchObject({ documents: 'keep' });
    expect((await by(ours, 'GET', one)).status).toBe(404);
    rmSync(join(source, 'by-key.md'));
    const { items } = (await chief.get('/audit')).json<AuditPage>();
    expect(items.find(({ action }) => action === 'connector_created')).toMatchObject({ target: { name: '문서고' } });
  });

  test('reads a web site, and what went there goes here', async () => {
    const { collection_id: id } = await make(dev);
    const path = `/collections/${id}/connectors`;
    const site = await startWebSite();
    try {
      site.pages.set('/', html('안내', '<p>처음 화면입니다.</p><a href="/desk">창구</a>'));
      site.pages.set('/desk', html('창구', '<p>여권은 민원여권과 창구에서 신청합니다.</p>'));
      const settings = { kind: 'web', url: `${site.url}/` };
      const made = await dev.post(path, { name: '누리집', settings, every_minutes: 60 });
      expect(made.status, made.text).toBe(201);
      const one = `${path}/${Connector.parse(made.json()).connector_id}`;
      const ended = (part: object) =>
        eventually(async () =>
          expect(Connector.parse((await dev.get(one)).json()).last_run).toMatchObject({ state: 'done', ...part }),
        );
      await ended({ added: 2 });
      const names = async () => (await find(dev, id, '민원여권과')).result.hits.map(({ document_name: name }) => name);
      await eventually(async () => expect(await names()).toEqual(['창구.html']));
      site.pages.set('/', html('안내', '<p>처음 화면입니다.</p>'));
      expect((await dev.post(`${one}/runs`, {})).status).toBe(201);
      await ended({ added: 0, changed: 1, removed: 1 });
      expect(await names()).not.toContain('창구.html');
    } finally {
      await site.close();
    }
  });
});
