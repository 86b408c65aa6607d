import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Chunk, ChunkCreated, ChunkDeleted, ChunkUpdated } from '@ai-studio/contract/retrieval/chunk.ts';
import { BulkResult, BulkUploaded } from '@ai-studio/contract/retrieval/bulk.ts';
import { Collection, CollectionDeleted } from '@ai-studio/contract/retrieval/collection.ts';
import {
  Document,
  DocumentDeleted,
  DocumentReindexed,
  DocumentUpdated,
  DocumentUploaded,
} from '@ai-studio/contract/retrieval/document.ts';
import { ChunkPreview } from '@ai-studio/contract/retrieval/preview.ts';
import { SearchResult, SearchUsage } from '@ai-studio/contract/retrieval/search.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { paragraph as docxParagraph, run, writeDocx } from '@ai-studio/documents/test/docx.ts';
import { paragraph, text, writeHwpx } from '@ai-studio/documents/test/hwpx.ts';
import { PdfWriter } from '@ai-studio/documents/test/pdf.ts';
import { writeZip } from '@ai-studio/documents/test/zip.ts';
import { covers } from '../requirements.ts';
import { administratorEnv } from '../support/administrator-env.ts';
import { signInAdministrator } from '../support/administrator.ts';
import { keyOfAnotherTenant, makeKey, usageSlices } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { call } from '../support/http.ts';
import { times } from '../support/long.ts';
import {
  ask,
  askFine,
  chunksOf,
  formOf,
  type List,
  makeCollection,
  RAG,
  readDocument,
  searchIn,
  sendForm,
  settled,
  upload,
  uploadReady,
  within,
  wordHits,
} from '../support/retrieval.ts';
import { type Service, startService } from '../support/service.ts';

const ID = /^[0-9a-f]{32}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

let service: Service;
beforeAll(async () => {
  service = await startService({
    env: administratorEnv,
    config: {
      documents: { upload_bytes: 2_000_000 },
      limits: { requests_per_minute: null, tokens_per_minute: null },
    },
  });
});
afterAll(() => service.close());

const rules =
  '# 휴가 규정\n\n연차 휴가는 15일이다. 병가는 60일까지 쓸 수 있다.\n\n# 출장 규정\n\n출장비는 하루 5만원이다.\n';

describe('collections', () => {
  test('are made, read, changed and deleted, under both prefixes', async () => {
    covers('retrieval.collections', 'retrieval.collections.name', 'retrieval.search.lexical');
    for (const prefix of ['/v1', '/api/v1']) {
      const path = `${prefix}/rag42/collections`;
      const made = await askFine<Collection>(service, path, {
        body: { name: ' 규정 ', description: '사내', search_config: { alpha: 0.2 } },
      });
      Collection.parse(made);
      expect(made).toMatchObject({
        collection_id: expect.stringMatching(ID) as string,
        collection_name: '규정',
        description: '사내',
        visibility: 'private',
        is_owner: true,
        created_at: expect.stringMatching(TIME) as string,
        search_config: { mode: 'keyword', alpha: 0.2, rerank: false },
        ingest_config: {
          chunking_strategy: 'by_title',
          chunk_size: 768,
          chunk_overlap: 76,
          embedding_model: 'lexical',
          embedding_dimension: 1024,
          pii_mask: false,
          indexed_fields: [],
          external_id_field: null,
        },
        document_count: 0,
        chunk_count: 0,
      });
      const one = `${path}/${made.collection_id}`;
      expect(await askFine(service, `${one}/`)).toEqual(made);
      const changed = await askFine<Collection>(service, one, {
        method: 'PATCH',
        body: {
          collection_name: '새 이름',
          visibility: 'tenant',
          search_config: { mode: 'keyword' },
          ingest_config: { chunk_size: 512 },
        },
      });
      expect(changed).toMatchObject({
        collection_name: '새 이름',
        description: '사내',
        visibility: 'tenant',
        search_config: { mode: 'keyword', alpha: 0.2 },
        ingest_config: { chunk_size: 512, chunk_overlap: 76 },
      });
      expect(changed.updated_at >= made.updated_at).toBe(true);
      const gone = await askFine(service, one, { method: 'DELETE' });
      expect(CollectionDeleted.parse(gone)).toMatchObject({ operation: 'delete_collection' });
      expect(await ask(service, one)).toMatchObject({ status: 404, code: '40400' });
    }
  });

  test('are listed in pages', async () => {
    covers('retrieval.collections');
    const own = await makeKey(service);
    const caller = { ...service, key: own.value };
    const names = ['가', '나', '다', '라', '마'];
    for (const name of names) await makeCollection(caller, { name });
    const all: string[] = [];
    for (let from = 0; from < 6; from += 2) {
      const page = await askFine<List<Collection>>(caller, `collections?size=2&from=${from}`);
      expect(page).toMatchObject({ size: 2, from });
      all.push(...page.items.filter(({ is_owner: mine }) => mine).map(({ collection_name: name }) => name));
    }
    expect(all).toEqual(names.toReversed());
    for (const query of ['size=0', 'size=101', 'size=x', 'from=-1', 'size=1.5', 'from=99999999999'])
      expect(await ask(caller, `collections?${query}`), query).toMatchObject({ status: 400, code: '40001' });
  });

  test('belong to a key; the tenant sees those that are shared, and reads them only', async () => {
    covers('retrieval.collections.visibility');
    const other = { ...service, key: (await makeKey(service)).value };
    const closed = await makeCollection(service);
    const shared = await makeCollection(service, { visibility: 'tenant' });
    const document = await uploadReady(service, shared.collection_id, '규정.md', rules);
    expect(await ask(other, `collections/${closed.collection_id}`)).toMatchObject({ status: 404 });
    expect(await askFine(other, `collections/${shared.collection_id}`)).toMatchObject({ is_owner: false });
    const { items } = await askFine<List<Collection>>(other, 'collections?size=100');
    expect(items.map(({ collection_id: id }) => id)).toContain(shared.collection_id);
    expect(items.map(({ collection_id: id }) => id)).not.toContain(closed.collection_id);
    expect((await wordHits(other, shared.collection_id, '연차')).length).toBe(1);
    await askFine(other, `documents/${document.document_id}`);
    const [chunk] = await chunksOf(other, document.document_id);
    const writes: [string, string, unknown?][] = [
      ['PATCH', `collections/${shared.collection_id}`, { name: 'x' }],
      ['DELETE', `collections/${shared.collection_id}`],
      ['POST', `collections/${shared.collection_id}/reindex`],
      ['PATCH', `documents/${document.document_id}`, { name: 'x' }],
      ['DELETE', `documents/${document.document_id}`],
      ['POST', `documents/${document.document_id}/reindex`],
      ['POST', `documents/${document.document_id}/chunks`, { content: 'x' }],
      ['PATCH', `chunks/${chunk?.chunk_id}`, { content: 'x' }],
      ['DELETE', `chunks/${chunk?.chunk_id}`],
    ];
    for (const [method, path, body] of writes)
      expect(await ask(other, path, { method, body }), `${method} ${path}`).toMatchObject({
        status: 403,
        code: '40300',
      });
    const form = formOf('a.md', rules);
    expect(await sendForm(other, `collections/${shared.collection_id}/documents/upload`, form)).toMatchObject({
      status: 403,
    });
  });

  test('take no settings that cannot be', async () => {
    covers('retrieval.settings');
    const wrong: [object, RegExp][] = [
      [{}, /collection_name/],
      [{ name: '' }, /name/],
      [{ name: '  ' }, /name/],
      [{ name: 'a\0b' }, /U\+0000/],
      [{ name: 'x'.repeat(201) }, /200/],
      [{ name: 3 }, /name/],
      [{ name: 'x', visibility: 'public' }, /visibility/],
      [{ name: 'x', search_config: { mode: 'fuzzy' } }, /search_config\.mode/],
      [{ name: 'x', search_config: { alpha: 1.5 } }, /search_config\.alpha/],
      [{ name: 'x', search_config: { alhpa: 1 } }, /alhpa .*alpha/],
      [{ name: 'x', visibilty: 'tenant' }, /visibilty .*visibility/],
      [{ name: 'x', search_config: { rerank: true } }, /search_config\.rerank: There is no reranking model/],
      [{ name: 'x', search_config: { rerank: { model: 'nothing' } } }, /search_config\.rerank: .*"nothing"/],
      [{ name: 'x', ingest_config: { chunk_size: 0 } }, /chunk_size/],
      [{ name: 'x', ingest_config: { chunk_size: 100_000 } }, /chunk_size/],
      [{ name: 'x', ingest_config: { chunk_size: 512, chunk_overlap: 300 } }, /chunk_overlap/],
      [{ name: 'x', ingest_config: { chunking_strategy: 'by_page' } }, /chunking_strategy/],
      [{ name: 'x', ingest_config: { embedding_model: 'nothing' } }, /lexical/],
      [{ name: 'x', ingest_config: { embedding_dimension: 12 } }, /embedding_dimension/],
      [{ name: 'x', ingest_config: { parser_model: 'other' } }, /studio-parser/],
      [
        { name: 'x', ingest_config: { indexed_fields: Array.from({ length: 11 }, (_, at) => `f${at}`) } },
        /indexed_fields/,
      ],
      [{ name: 'x', ingest_config: { indexed_fields: ['a b'] } }, /indexed_fields/],
      [{ name: 'x', ingest_config: null }, /ingest_config/],
    ];
    for (const [body, message] of wrong) {
      const answer = await ask(service, 'collections', { body });
      expect([answer.status, answer.code], JSON.stringify(body)).toEqual([400, '40001']);
      expect(answer.message).toMatch(message);
    }
    const bodies: [unknown, number, string][] = [
      ['{', 400, '40000'],
      ['[]', 400, '40000'],
      ['null', 400, '40000'],
      ['', 400, '40000'],
    ];
    for (const [body, status, code] of bodies)
      expect(await ask(service, 'collections', { body }), String(body)).toMatchObject({ status, code });
    expect(await ask(service, 'collections', { body: 'a=1', headers: { 'content-type': 'text/plain' } })).toMatchObject(
      { status: 415, code: '41500' },
    );
    expect(await ask(service, 'collections', { body: { name: 'x' }, key: 'wrong' })).toMatchObject({
      status: 401,
      code: '40100',
    });
  });
});

describe('documents', () => {
  let collection: Collection;
  beforeAll(async () => {
    collection = await makeCollection(service, { ingest_config: { indexed_fields: ['department'] } });
  });

  test('are uploaded by both paths, taken in, and found', async () => {
    covers('retrieval.upload', 'retrieval.fresh');
    const { collection_id: id } = collection;
    const metadata = JSON.stringify({ department: 'HR', year: 2025 });
    const ways: [string, Record<string, string>][] = [
      [`collections/${id}/documents/upload`, {}],
      [`/api/v1/rag42/collections/${id}/documents/upload/`, {}],
      ['documents', { collection_id: id }],
      ['/api/v1/rag42/documents', { collection_id: id }],
    ];
    for (const [path, fields] of ways) {
      const answer = await sendForm(
        service,
        path,
        formOf('휴가 규정.md', rules, { metadata, indexed_fields: 'year', ...fields }),
      );
      expect(answer.status, answer.message).toBe(200);
      expect(answer.usage).toBeUndefined();
      const uploaded = DocumentUploaded.parse(answer.result);
      expect(uploaded).toMatchObject({
        document_id: expect.stringMatching(ID) as string,
        document_name: '휴가 규정.md',
        file_size: Buffer.byteLength(rules),
        collection_id: id,
        uploaded_at: expect.stringMatching(TIME) as string,
        operation: 'upload_document',
        state: 'queued',
        ingest_config: { chunk_size: 768 },
      });
      const document = await settled(service, uploaded.document_id);
      expect(Document.parse(document)).toMatchObject({
        state: 'ready',
        progress: 1,
        error: null,
        format: 'markdown',
        page_count: 1,
        chunk_count: 2,
        searchable: true,
        metadata: { department: 'HR', year: 2025 },
        indexed_fields: ['year'],
      });
      // At once, not before long.
      const hits = await wordHits(service, id, '병가', { filters: { document_id: uploaded.document_id } });
      expect(hits).toHaveLength(1);
      await askFine(service, `documents/${uploaded.document_id}`, { method: 'DELETE' });
    }
  });

  test('of many formats are found by what stands in them', async () => {
    covers('retrieval.upload.formats');
    const pdf = new PdfWriter();
    pdf.page().text(60, 80, 'Quarterly turbine inspection report');
    const files: [string, string | Uint8Array, string, string][] = [
      ['가.hwpx', writeHwpx({ sections: [paragraph(text('한글 문서의 감귤 재배 지침'))] }), '감귤 재배', 'hwpx'],
      ['b.pdf', pdf.bytes(), 'turbine inspection', 'pdf'],
      ['c.docx', writeDocx({ body: docxParagraph(run('해저 터널 공사 계획')) }), '해저 터널', 'docx'],
      ['d.html', '<h1>Orchid greenhouse</h1><p>Humidity stays at 70 percent.</p>', 'orchid humidity', 'html'],
      ['e.csv', '품목,수량\n알루미늄 판재,12\n', '알루미늄 판재', 'csv'],
      ['f.txt', '등대 관리인의 일지이다.', '등대 관리인', 'text'],
    ];
    for (const [name, content, query, format] of files) {
      const document = await uploadReady(service, collection.collection_id, name, content);
      expect(document).toMatchObject({ document_name: name, format });
      const { result } = await searchIn(service, collection.collection_id, query, { top_k: 1 });
      expect(result.hits[0]?.document_id, name).toBe(document.document_id);
    }
  });

  test('are known by the name that people type, however their system wrote it', async () => {
    covers('retrieval.upload', 'retrieval.documents', 'retrieval.search.filters');
    const { collection_id: id } = await makeCollection(service, { ingest_config: { indexed_fields: ['folder'] } });
    // macOS takes syllables apart, and browsers write quotation marks so.
    const given = await uploadReady(service, id, '출장 "여비".md'.normalize('NFD'), '# 여비\n\n하루 5만원', {
      metadata: JSON.stringify({ folder: '규정'.normalize('NFD') }),
    });
    expect(given.document_name).toBe('출장 "여비".md');
    expect(await askFine(service, `collections/${id}/documents?name=${encodeURIComponent('여비')}`)).toMatchObject({
      total: 1,
    });
    for (const filters of [
      { document_name: '출장 "여비".md' },
      { document_name: { $contains: '출장'.normalize('NFD') } },
      { folder: '규정' },
      { folder: { $gte: '규정'.normalize('NFD') } },
    ])
      expect(await wordHits(service, id, '여비', { filters }), JSON.stringify(filters)).toHaveLength(1);
    const renamed = await askFine<Document>(service, `documents/${given.document_id}`, {
      method: 'PATCH',
      body: { document_name: ' 식비\u202E.md'.normalize('NFD') },
    });
    expect(renamed.document_name).toBe('식비.md');
    expect(await wordHits(service, id, '여비', { filters: { document_name: '식비.md' } })).toHaveLength(1);
    const long = await upload(service, id, `${'가'.repeat(300)}.md`, '길다');
    expect(long.document_name).toBe(`${'가'.repeat(252)}.md`);
  });

  test('that cannot be taken are refused at once, and the rest have failed with the reason', async () => {
    covers('retrieval.upload.errors', 'retrieval.upload.unreadable');
    const path = `collections/${collection.collection_id}/documents/upload`;
    const refusals: [FormData, number, string, RegExp][] = [
      [formOf('a.exe', 'MZ\x90\x00'), 415, '41500', /^UNSUPPORTED: /],
      [formOf('a.pdf', 'HWP Document File V2.00'), 415, '41500', /HWPX/],
      [formOf('a.zip', new Uint8Array([0x50, 0x4b, 5, 6, ...Array<number>(18).fill(0)])), 415, '41500', /ZIP/],
      [formOf('a.txt', ''), 422, '42200', /empty/],
      [formOf('a.txt', 'x'.repeat(2_500_000)), 413, '41300', /larger/],
      [formOf('a.md', rules, { metadata: '[1]' }), 400, '40001', /metadata/],
      [formOf('a.md', rules, { metadata: '{' }), 400, '40001', /metadata/],
      [formOf('a.md', rules, { metadata: String.raw`{"a":"\u0000"}` }), 400, '40001', /U\+0000/],
      [formOf('a.md', rules, { metadata: `{"a":${'['.repeat(50)}${']'.repeat(50)}}` }), 400, '40001', /nested/],
      [formOf('a.md', rules, { metadata: JSON.stringify({ a: 'x'.repeat(70_000) }) }), 400, '40001', /longer/],
      [formOf('a.md', rules, { indexed_fields: 'a,b,c,d,e,f,g,h,i,j,k' }), 400, '40001', /indexed_fields/],
      [formOf('a.md', rules, { indexed_fields: '[1]' }), 400, '40001', /indexed_fields/],
      [formOf('a.md', rules, { external_id: '' }), 400, '40001', /external_id/],
      [formOf('a.md', rules, { external_id_field: 'number' }), 400, '40001', /number/],
      [formOf('a.md', rules, { collection_id: '0'.repeat(32) }), 400, '40001', /differs/],
    ];
    for (const [form, status, code, message] of refusals) {
      const answer = await sendForm(service, path, form);
      expect([answer.status, answer.code], answer.message).toEqual([status, code]);
      expect(answer.message).toMatch(message);
    }
    expect(await ask(service, path, { body: {} })).toMatchObject({ status: 415, code: '41500' });
    const twice = formOf('a.md', rules, { metadata: '{}' });
    twice.append('metadata', '{"a":1}');
    expect(await sendForm(service, path, twice)).toMatchObject({
      status: 400,
      code: '40001',
      message: 'The form gives the field metadata more than once',
    });
    const none = new FormData();
    none.set('metadata', '{}');
    expect(await sendForm(service, path, none)).toMatchObject({ status: 400, code: '40001' });
    expect(await sendForm(service, 'documents', formOf('a.md', rules))).toMatchObject({ status: 400, code: '40001' });

    const broken: [string, string | Uint8Array, string][] = [
      ['a.pdf', '%PDF-1.7\nnothing', 'CORRUPTED'],
      ['b.txt', ' \n \n', 'EMPTY'],
    ];
    for (const [name, content, code] of broken) {
      const { document_id: id } = await upload(service, collection.collection_id, name, content);
      const document = await settled(service, id);
      expect(document).toMatchObject({ state: 'failed', error: { code }, searchable: false, chunk_count: 0 });
      expect(document.error?.message.length).toBeGreaterThan(10);
      expect(document.failures.map((failure) => failure.code)).toContain(code);
      expect(await askFine(service, `documents/${id}/chunks`)).toMatchObject({ items: [], total: 0 });
      expect(await ask(service, `documents/${id}/chunks`, { body: { content: 'x' } })).toMatchObject({
        status: 409,
        code: '40900',
      });
      await askFine(service, `documents/${id}`, { method: 'DELETE' });
    }
  });

  test('take the place of an older one with the same external id, once they are ready', async () => {
    covers('retrieval.upload.external-id');
    const own = await makeCollection(service, { ingest_config: { external_id_field: 'number' } });
    const { collection_id: id } = own;
    const first = await uploadReady(service, id, 'a.md', '사과 농장 안내', { external_id: '문서-1' });
    // One that fails leaves the older one alone.
    const failed = await upload(service, id, 'a.pdf', '%PDF-1.7\nnothing', { external_id: '문서-1' });
    expect((await settled(service, failed.document_id)).state).toBe('failed');
    expect(await readDocument(service, first.document_id)).toMatchObject({ state: 'ready', external_id: '문서-1' });
    const second = await uploadReady(service, id, 'b.md', '포도 농장 안내', { external_id: '문서-1' });
    expect(await ask(service, `documents/${first.document_id}`)).toMatchObject({ status: 404 });
    expect(await ask(service, `documents/${failed.document_id}`)).toMatchObject({ status: 404 });
    expect((await wordHits(service, id, '농장')).map(({ document_id: found }) => found)).toEqual([second.document_id]);
    const { items } = await askFine<List<Document>>(
      service,
      `collections/${id}/documents?external_id=${encodeURIComponent('문서-1')}`,
    );
    expect(items.map(({ document_id: found }) => found)).toEqual([second.document_id]);
    // The field of the collection names it, too.
    const third = await uploadReady(service, id, 'c.md', '배 농장 안내', { metadata: '{"number":"문서-1"}' });
    expect(third.external_id).toBe('문서-1');
    expect(await ask(service, `documents/${second.document_id}`)).toMatchObject({ status: 404 });
  });

  test('are listed, read and changed in both forms', async () => {
    covers('retrieval.documents', 'retrieval.documents.patch');
    const { collection_id: id } = await makeCollection(service, { ingest_config: { indexed_fields: ['department'] } });
    const documents: Document[] = [];
    for (const name of ['가.md', '나.md', '다.md'])
      documents.push(
        await uploadReady(service, id, name, `${name} 의 등대 이야기`, { metadata: '{"department":"HR"}' }),
      );
    const page = await askFine<List<Document>>(service, `collections/${id}/documents?size=2&from=1`);
    expect(page).toMatchObject({ total: 3, size: 2, from: 1 });
    expect(page.items.map(({ document_name: name }) => name)).toEqual(['나.md', '가.md']);
    expect(
      (await askFine<List<Document>>(service, `collections/${id}/documents?name=${encodeURIComponent('나')}`)).total,
    ).toBe(1);
    expect((await askFine<List<Document>>(service, `collections/${id}/documents?state=failed`)).total).toBe(0);
    expect(await ask(service, `collections/${id}/documents?state=done`)).toMatchObject({ status: 400 });
    const [one] = documents;
    const paths = [`documents/${one?.document_id}`, `collections/${id}/documents/${one?.document_id}`];
    for (const [at, path] of paths.entries()) {
      expect(await askFine(service, path)).toMatchObject({ document_id: one?.document_id });
      const changed = await askFine(service, path, {
        method: 'PATCH',
        body: { document_name: `새 이름 ${at}`, metadata: { department: `부서 ${at}`, note: { a: [1] } } },
      });
      expect(DocumentUpdated.parse(changed)).toMatchObject({
        document_name: `새 이름 ${at}`,
        metadata: { department: `부서 ${at}`, note: { a: [1] } },
        operation: 'update_document',
        state: 'ready',
      });
      const filters = { department: `부서 ${at}` };
      const [hit, ...more] = await wordHits(service, id, '등대', { filters });
      expect(more).toEqual([]);
      expect(hit).toMatchObject({ document_name: `새 이름 ${at}`, metadata: { department: `부서 ${at}` } });
    }
    expect(await wordHits(service, id, '등대', { filters: { department: 'HR' } })).toHaveLength(2);
    const wrong: object[] = [{}, { metadata: [] }, { metadata: 'x' }, { document_name: '' }, { name: 5 }, { other: 1 }];
    for (const body of wrong)
      expect(await ask(service, paths[0] ?? '', { method: 'PATCH', body }), JSON.stringify(body)).toMatchObject({
        status: 400,
      });
    const elsewhere = await makeCollection(service);
    expect(await ask(service, `collections/${elsewhere.collection_id}/documents/${one?.document_id}`)).toMatchObject({
      status: 404,
    });
  });

  test('whose ids are no ids are not there', async () => {
    covers('retrieval.documents');
    const { collection_id: id } = collection;
    for (const one of ['x', '%00', '%F0%9F%98%80', 'x'.repeat(600), "'%20or%201=1", 'A'.repeat(32), '..%2F..'])
      for (const path of [
        `documents/${one}`,
        `collections/${one}`,
        `chunks/${one}`,
        `collections/${id}/documents/${one}/file`,
      ])
        expect(await ask(service, path), path.slice(0, 80)).toMatchObject({ status: 404, code: '40400' });
    expect(await ask(service, 'documents/%')).toMatchObject({ status: 400, code: '40000' });
  });

  test('give their file back as it came, never to be shown', async () => {
    covers('retrieval.documents.file');
    const bytes = new Uint8Array(Buffer.from('<script>alert(1)</script><h1>보고</h1>'));
    const names: [string, RegExp][] = [
      ['보고서 "최종".html', /^attachment; filename="[\x20-\x7e]+"; filename\*=UTF-8''%EB%B3%B4/],
      ['../../etc/passwd.html', /filename="passwd\.html"/],
      ["a'b;c%0d.html", /^attachment; filename="[^"\r\n]+"; filename\*=UTF-8''[\w%.-]+$/],
    ];
    for (const [name, disposition] of names) {
      const { document_id: id } = await uploadReady(service, collection.collection_id, name, bytes);
      for (const path of [
        `${RAG}/documents/${id}/file`,
        `${RAG}/collections/${collection.collection_id}/documents/${id}/file`,
      ]) {
        const response = await fetch(service.base + path, { headers: { authorization: `Bearer ${service.key}` } });
        expect(response.status).toBe(200);
        expect(response.headers.get('content-disposition')).toMatch(disposition);
        expect(response.headers.get('content-type')).toBe('application/octet-stream');
        expect(response.headers.get('x-content-type-options')).toBe('nosniff');
        expect(response.headers.get('content-length')).toBe(String(bytes.length));
        expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.from(bytes));
      }
    }
  });

  test('are read anew by the present settings, and found meanwhile', async () => {
    covers('retrieval.documents.reindex');
    const { collection_id: id } = await makeCollection(service);
    const words = Array.from({ length: 400 }, (_, at) => `낱말${at} 문장이다.`).join(' ');
    const document = await uploadReady(service, id, 'a.md', words);
    await askFine(service, `collections/${id}`, { method: 'PATCH', body: { ingest_config: { chunk_size: 128 } } });
    const answer = await askFine(service, `documents/${document.document_id}/reindex`, { method: 'POST' });
    expect(DocumentReindexed.parse(answer)).toMatchObject({ operation: 'reindex_document', searchable: true });
    expect((await wordHits(service, id, '낱말7')).length).toBeGreaterThan(0);
    const anew = await settled(service, document.document_id);
    expect(anew.chunk_count).toBeGreaterThan(document.chunk_count);
    expect(anew.ingest_config.chunk_size).toBe(128);
    const found = await wordHits(service, id, '낱말7');
    expect(new Set(found.map(({ chunk_id: chunk }) => chunk)).size).toBe(found.length);
    expect((await chunksOf(service, document.document_id)).length).toBe(Math.min(100, anew.chunk_count));
  });

  test('that are being taken in when all is made anew are cut by the present settings too', async () => {
    covers('retrieval.documents.reindex', 'retrieval.settings');
    const { collection_id: id } = await makeCollection(service);
    const words = Array.from({ length: 400 }, (_, at) => `낱말${at} 문장이다.`).join(' ');
    const given = await Promise.all(
      Array.from({ length: 12 }, (_, at) => upload(service, id, `${at}.md`, `# 표식${at}\n\n${words}`)),
    );
    await askFine(service, `collections/${id}`, { method: 'PATCH', body: { ingest_config: { chunk_size: 128 } } });
    await askFine(service, `collections/${id}/reindex`, { method: 'POST' });
    await within(async () => {
      expect(await askFine<Collection>(service, `collections/${id}`)).toMatchObject({ reindex: null });
      for (const { document_id: one } of given) {
        const document = await readDocument(service, one);
        expect(document).toMatchObject({ state: 'ready', error: null });
        expect(document.ingest_config.chunk_size).toBe(128);
        expect(document.chunk_count).toBeGreaterThan(10);
      }
    });
    const hits = await wordHits(service, id, '낱말399');
    expect(new Set(hits.map(({ document_id: one }) => one)).size).toBe(given.length);
    expect(new Set(hits.map(({ chunk_id: one }) => one)).size).toBe(hits.length);
  });

  test('leave nothing when they are deleted', async () => {
    covers('retrieval.documents.delete');
    const { collection_id: id } = await makeCollection(service);
    for (const form of [`documents/`, `collections/${id}/documents/`]) {
      const document = await uploadReady(service, id, 'a.md', '지워질 고래 이야기');
      const chunks = await chunksOf(service, document.document_id);
      const gone = await askFine(service, form + document.document_id, { method: 'DELETE' });
      expect(DocumentDeleted.parse(gone)).toMatchObject({
        document_id: document.document_id,
        operation: 'delete_document',
      });
      expect(await wordHits(service, id, '고래')).toEqual([]);
      for (const path of [
        `documents/${document.document_id}`,
        `chunks/${chunks[0]?.chunk_id}`,
        `documents/${document.document_id}/file`,
      ])
        expect(await ask(service, path), path).toMatchObject({ status: 404, code: '40400' });
      expect(await ask(service, form + document.document_id, { method: 'DELETE' })).toMatchObject({ status: 404 });
      const files = readdirSync(join(service.dataFolder, 'blobs'), { recursive: true, encoding: 'utf8' });
      expect(files.filter((name) => name.includes(document.document_id))).toEqual([]);
    }
    // In the middle of being taken in, too.
    const { document_id: soon } = await upload(service, id, 'b.csv', 'a,b\n'.repeat(20_000));
    await askFine(service, `documents/${soon}`, { method: 'DELETE' });
    expect(await ask(service, `documents/${soon}`)).toMatchObject({ status: 404 });
  });
});

test('a deleted collection leaves nothing', async () => {
  covers('retrieval.collections.delete');
  const { collection_id: id } = await makeCollection(service);
  const document = await uploadReady(service, id, 'a.md', '사라질 산호 이야기');
  await askFine(service, `collections/${id}`, { method: 'DELETE' });
  for (const path of [`collections/${id}`, `collections/${id}/documents`, `documents/${document.document_id}`])
    expect(await ask(service, path), path).toMatchObject({ status: 404 });
  expect(await ask(service, 'search', { body: { query: '산호', collection_id: id } })).toMatchObject({ status: 404 });
  await within(async () => {
    const left = ['blobs', 'index'].flatMap((name) => {
      const folder = join(service.dataFolder, name);
      return existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
    });
    expect(left.filter((name) => name.includes(id) || name.includes(document.document_id))).toEqual([]);
    return Promise.resolve();
  });
});

describe('chunks', () => {
  let collection: Collection;
  let document: Document;
  beforeAll(async () => {
    collection = await makeCollection(service);
    document = await uploadReady(service, collection.collection_id, '규정.md', rules);
  });
  const forms = () => [
    'chunks',
    `documents/${document.document_id}/chunks`,
    `collections/${collection.collection_id}/documents/${document.document_id}/chunks`,
  ];

  test('are listed and read in their order', async () => {
    covers('retrieval.chunks');
    const [, short, nested] = forms();
    for (const path of [short, nested]) {
      const list = await askFine<List<Chunk>>(service, `${path}?size=1&from=1`);
      // The second pair of names is that of the original interface.
      expect(list).toMatchObject({ total: 2, size: 1, from: 1, total_count: 2, chunks: list.items });
      expect(list.items[0]).toMatchObject({ title: '출장 규정', order: 2, metadata: { headings: ['출장 규정'] } });
    }
    const [first] = await chunksOf(service, document.document_id);
    for (const path of forms()) expect(await askFine(service, `${path}/${first?.chunk_id}`)).toEqual(first);
    for (const path of forms()) expect(await ask(service, `${path}/${'0'.repeat(32)}`)).toMatchObject({ status: 404 });
  });

  test('are changed, and found so by the next search', async () => {
    covers('retrieval.chunks.patch', 'retrieval.fresh');
    const [first] = await chunksOf(service, document.document_id);
    for (const [at, path] of forms().entries()) {
      const content = `개정${at}조항 은 안식월을 정한다.`;
      const changed = await askFine<Chunk>(service, `${path}/${first?.chunk_id}`, {
        method: 'PATCH',
        body: { content, title: `제목 ${at}` },
      });
      expect(ChunkUpdated.parse(changed)).toMatchObject({
        chunk_id: first?.chunk_id,
        content,
        title: `제목 ${at}`,
        operation: 'update_chunk',
        order: 1,
      });
      expect(changed.updated_at > (first?.updated_at ?? '')).toBe(true);
      expect((await wordHits(service, collection.collection_id, `개정${at}조항`))[0]).toMatchObject({
        chunk_id: first?.chunk_id,
        content,
      });
      expect(
        (await searchIn(service, collection.collection_id, content, { search_type: 'vector', top_k: 1 })).result.hits[0]
          ?.content,
      ).toBe(content);
      expect(await wordHits(service, collection.collection_id, '연차')).toEqual([]);
    }
    const titled = await askFine<Chunk>(service, `chunks/${first?.chunk_id}`, {
      method: 'PATCH',
      body: { title: '해파리 조항' },
    });
    expect(titled.content).toBe('개정2조항 은 안식월을 정한다.');
    expect((await wordHits(service, collection.collection_id, '해파리')).length).toBe(1);
  });

  test('are added and deleted', async () => {
    covers('retrieval.chunks.delete', 'retrieval.chunks');
    const [, short = ''] = forms();
    const end = await askFine<Chunk>(service, short, { body: { content: '부칙 고등어 조항', title: '부칙' } });
    expect(ChunkCreated.parse(end)).toMatchObject({ order: 3, operation: 'create_chunk', title: '부칙' });
    const start = await askFine<Chunk>(service, short, {
      body: { content: '머리말 갈치 조항', order: 1, metadata: { start_page: 3, end_page: 4, headings: ['서문'] } },
    });
    expect(start).toMatchObject({ order: 1, metadata: { start_page: 3, end_page: 4, headings: ['서문'] } });
    expect((await chunksOf(service, document.document_id)).map(({ order }) => order)).toEqual([1, 2, 3, 4]);
    expect(await readDocument(service, document.document_id)).toMatchObject({ chunk_count: 4 });
    expect((await wordHits(service, collection.collection_id, '갈치'))[0]).toMatchObject({ page: 3 });
    for (const [chunk, word, path] of [
      [end, '고등어', 'chunks'],
      [start, '갈치', short],
    ] as const) {
      const gone = await askFine(service, `${path}/${chunk.chunk_id}`, { method: 'DELETE' });
      expect(ChunkDeleted.parse(gone)).toMatchObject({
        chunk_id: chunk.chunk_id,
        operation: 'delete_chunk',
        deleted_at: expect.stringMatching(TIME) as string,
      });
      expect(await wordHits(service, collection.collection_id, word)).toEqual([]);
      expect(await ask(service, `chunks/${chunk.chunk_id}`)).toMatchObject({ status: 404 });
    }
    expect(await askFine(service, `collections/${collection.collection_id}`)).toMatchObject({
      chunk_count: 2,
      document_count: 1,
    });
  });

  test('take nothing that is too long or wrong', async () => {
    covers('retrieval.chunks');
    const [, short = ''] = forms();
    const [first] = await chunksOf(service, document.document_id);
    const wrong = [
      {},
      { content: '' },
      { content: ' ' },
      { content: 'x'.repeat(50_001) },
      { content: 'x', title: 'x'.repeat(1_001) },
      { content: 'a\0' },
      { content: 5 },
    ];
    for (const body of wrong) {
      expect(
        await ask(service, `chunks/${first?.chunk_id}`, { method: 'PATCH', body }),
        JSON.stringify(body).slice(0, 50),
      ).toMatchObject({ status: 400 });
      expect(await ask(service, short, { body }), JSON.stringify(body).slice(0, 50)).toMatchObject({ status: 400 });
    }
    for (const order of [-1, 0.5, 'x'])
      expect(await ask(service, short, { body: { content: 'x', order } })).toMatchObject({ status: 400 });
    const long = await askFine<Chunk>(service, short, { body: { content: `${'가'.repeat(49_990)} 문어` } });
    await askFine(service, `chunks/${long.chunk_id}`, { method: 'DELETE' });
    // Half a pair of surrogates is no text of a database.
    const half = await askFine<Chunk>(service, short, { body: '{"content":"half \\ud800 pair"}' });
    expect(half.content).toBe('half \uFFFD pair');
  });

  test('that are changed by many at once end as one of them said', async () => {
    covers('retrieval.chunks.patch');
    const [first] = await chunksOf(service, document.document_id);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        ask(service, `chunks/${first?.chunk_id}`, { method: 'PATCH', body: { content: `동시 변경 ${at} 번` } }),
      ),
    );
    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    const hits = await wordHits(service, collection.collection_id, '동시 변경');
    expect(hits).toHaveLength(1);
    expect(hits[0]?.content).toBe((await askFine<Chunk>(service, `chunks/${first?.chunk_id}`)).content);
  });
});

describe('searches', () => {
  let collection: Collection;
  let other: Collection;
  const byName = new Map<string, Document>();
  beforeAll(async () => {
    collection = await makeCollection(service, {
      search_config: { mode: 'keyword' },
      ingest_config: { indexed_fields: ['department', 'year', 'tags', 'open'] },
    });
    other = await makeCollection(service);
    const documents: [string, string, object][] = [
      [
        '휴가.md',
        '# 휴가 규정\n\n연차 휴가는 해마다 15일이다.',
        { department: 'HR', year: 2024, tags: ['휴가', '인사'], open: true },
      ],
      [
        '출장.md',
        '# 출장 규정\n\n출장비는 하루 5만원이다. 휴가 중에는 주지 않는다.',
        { department: 'Finance', year: 2025, tags: ['출장'] },
      ],
      [
        '보안.md',
        '# Security policy\n\nPasswords are changed every year.',
        { department: 'IT', year: 2026, open: false },
      ],
    ];
    for (const [name, content, metadata] of documents)
      byName.set(
        name,
        await uploadReady(service, collection.collection_id, name, content, { metadata: JSON.stringify(metadata) }),
      );
    byName.set('식당.md', await uploadReady(service, other.collection_id, '식당.md', '휴가 때 식당은 닫는다.'));
  });
  const namesOf = (hits: SearchResult['hits']) => hits.map(({ document_name: name }) => name);

  test('give hits with all their fields, and usage', async () => {
    covers('retrieval.search', 'retrieval.search.modes', 'retrieval.search.lexical');
    for (const path of [`${RAG}/search`, '/api/v1/rag42/search/']) {
      const answer = await ask<SearchResult>(service, path, {
        body: { query: '연차 휴가', collection_id: collection.collection_id, search_type: 'hybrid', top_k: 2 },
      });
      const result = SearchResult.parse(answer.result);
      SearchUsage.parse(answer.usage);
      expect(result).toMatchObject({ query: '연차 휴가', search_type: 'hybrid', embedding_model: 'lexical', total: 2 });
      expect(result.hits[0]).toMatchObject({
        chunk_id: expect.stringMatching(ID) as string,
        document_id: byName.get('휴가.md')?.document_id,
        document_name: '휴가.md',
        collection_id: collection.collection_id,
        title: '휴가 규정',
        content: '# 휴가 규정\n\n연차 휴가는 해마다 15일이다.',
        scores: { vector: expect.any(Number) as number, keyword: expect.any(Number) as number },
        page: null,
        metadata: { department: 'HR' },
      });
      expect(result.hits[0]).not.toHaveProperty('highlights');
      expect(answer.usage).toEqual({ embedding_tokens: 0, total_tokens: 0 });
    }
    // As the collection says.
    const { result } = await searchIn(service, collection.collection_id, '연차');
    expect(result).toMatchObject({ search_type: 'keyword', embedding_model: null });
    expect(result.hits.every(({ scores }) => scores.vector === undefined && scores.keyword !== undefined)).toBe(true);
    const vector = (await searchIn(service, collection.collection_id, '연차', { search_type: 'vector' })).result;
    expect(vector.hits).toHaveLength(3);
    expect(vector.hits[0]?.score).toBe(vector.hits[0]?.scores.vector);
  });

  test('weigh both sides by alpha', async () => {
    covers('retrieval.search.alpha');
    const query = '휴가 규정 연차 출장비';
    const order = async (more: object) =>
      namesOf((await searchIn(service, collection.collection_id, query, more)).result.hits);
    expect((await order({ search_type: 'hybrid', alpha: 0 })).slice(0, 2)).toEqual(
      (await order({ search_type: 'keyword' })).slice(0, 2),
    );
    expect(await order({ search_type: 'hybrid', alpha: 1 })).toEqual(await order({ search_type: 'vector' }));
    expect(await order({ search_type: 'hybrid', fusion: 'rrf' })).toHaveLength(2);
  });

  test('find nothing where nothing has anything of the query', async () => {
    covers('retrieval.search.lexical');
    const { collection_id: id } = collection;
    for (const query of ['zzqqxx', '!!!', '🏖️'])
      expect((await searchIn(service, id, query, { search_type: 'hybrid' })).result, query).toMatchObject({
        hits: [],
        total: 0,
      });
    // A slip of the pen is no chance, and who asks for the nearest alone gets them.
    expect(namesOf((await searchIn(service, id, 'Pasword', { search_type: 'hybrid' })).result.hits)).toEqual([
      '보안.md',
    ]);
    expect((await searchIn(service, id, 'zzqqxx', { search_type: 'vector' })).result.hits).toHaveLength(3);
  });

  test('leave out what is below the threshold, and give no more than was asked for', async () => {
    covers('retrieval.search.threshold');
    const { result } = await searchIn(service, collection.collection_id, '휴가', { search_type: 'hybrid' });
    const scores = result.hits.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    const limit = scores[1] ?? 0;
    const above = await searchIn(service, collection.collection_id, '휴가', {
      search_type: 'hybrid',
      score_threshold: limit,
    });
    expect(above.result.hits.map(({ score }) => score)).toEqual(scores.filter((score) => score >= limit));
    expect((await searchIn(service, collection.collection_id, '휴가', { score_threshold: 1_000 })).result.hits).toEqual(
      [],
    );
    expect((await searchIn(service, collection.collection_id, '휴가', { top_k: 1 })).result.hits).toHaveLength(1);
  });

  test('choose by metadata and by what every document has', async () => {
    covers('retrieval.search.filters');
    const before = new Date(Date.now() - 3_600_000).toISOString();
    const cases: [object, string[]][] = [
      [{ department: 'HR' }, ['휴가.md']],
      [{ department: { $ne: 'HR' } }, ['보안.md', '출장.md']],
      [{ department: { $in: ['HR', 'IT'] } }, ['보안.md', '휴가.md']],
      [{ department: { $nin: ['HR', 'IT'] } }, ['출장.md']],
      [{ year: { $gte: 2025 } }, ['보안.md', '출장.md']],
      [{ year: { $gt: 2024, $lt: 2026 } }, ['출장.md']],
      [{ year: { $lte: 2024 } }, ['휴가.md']],
      [{ tags: '인사' }, ['휴가.md']],
      [{ tags: { $exists: false } }, ['보안.md']],
      [{ open: true }, ['휴가.md']],
      [{ department: { $contains: 'inan' } }, ['출장.md']],
      [{ $or: [{ department: 'HR' }, { year: 2026 }] }, ['보안.md', '휴가.md']],
      [{ $and: [{ department: 'HR' }, { year: 2026 }] }, []],
      [{ $not: { department: 'HR' } }, ['보안.md', '출장.md']],
      [{ document_id: byName.get('보안.md')?.document_id }, ['보안.md']],
      [{ document_name: { $contains: '출' } }, ['출장.md']],
      [{ created_at: { $gte: before } }, ['보안.md', '출장.md', '휴가.md']],
      [{ created_at: { $lt: before } }, []],
      [{ page: { $exists: false } }, ['보안.md', '출장.md', '휴가.md']],
      [{}, ['보안.md', '출장.md', '휴가.md']],
    ];
    for (const [filters, names] of cases) {
      const { result } = await searchIn(service, collection.collection_id, '휴가', {
        search_type: 'vector',
        filters: filters as Record<string, unknown>,
      });
      expect(namesOf(result.hits).toSorted(), JSON.stringify(filters)).toEqual(names.toSorted());
    }
    const wrong: [unknown, RegExp][] = [
      [{ secret: 'x' }, /secret/],
      [{ department: { $regex: 'x' } }, /\$regex/],
      [{ $where: 'x' }, /\$where/],
      [{ year: { $gte: {} } }, /year/],
      [[], /filters/],
      ['x', /filters/],
      [{ "department') OR 1=1 --": 'x' }, /OR 1=1/],
    ];
    for (const [filters, message] of wrong) {
      const answer = await ask(service, 'search', {
        body: { query: 'x', collection_id: collection.collection_id, filters },
      });
      expect([answer.status, answer.code], JSON.stringify(filters)).toEqual([400, '40001']);
      expect(answer.message).toMatch(message);
    }
  });

  test('show where the words of the query stand', async () => {
    covers('retrieval.search.highlight');
    const [hit] = await wordHits(service, collection.collection_id, 'password 휴가', {
      highlight: true,
      filters: { department: 'IT' },
    });
    expect(hit?.highlights).toEqual([{ field: 'content', start: 19, end: 28, text: 'Passwords' }]);
    const [korean] = await wordHits(service, collection.collection_id, '휴가를', {
      highlight: true,
      filters: { department: 'HR' },
    });
    expect(korean?.highlights?.map(({ field, text: marked }) => `${field}:${marked}`)).toEqual([
      'title:휴가',
      'content:휴가',
      'content:휴가',
    ]);
  });

  test('go over several collections as one', async () => {
    covers('retrieval.search.several');
    const both = [collection.collection_id, other.collection_id];
    const { result } = await searchIn(service, both, '휴가', { search_type: 'keyword', top_k: 10 });
    expect(namesOf(result.hits).toSorted()).toEqual(['식당.md', '출장.md', '휴가.md']);
    const answer = await ask<SearchResult>(service, 'search', {
      body: { query: '휴가', collection_id: other.collection_id, collection_ids: both, search_type: 'hybrid' },
    });
    expect(namesOf(answer.result.hits).toSorted()).toEqual(['식당.md', '출장.md', '휴가.md']);
    const empty = await makeCollection(service);
    expect((await searchIn(service, empty.collection_id, '휴가')).result).toMatchObject({ hits: [], total: 0 });
    expect((await searchIn(service, [empty.collection_id, other.collection_id], '휴가')).result.hits).toHaveLength(1);
  });

  test('give what stands around a chunk, weigh by metadata, fold what says the same, and lead to passages like one', async () => {
    const rule = (at: number) => `제${at}조 ${'담당자는 서류를 정해진 곳에 둔다. '.repeat(14)}`;
    const text = `# 규정\n\n${[rule(1), `${rule(2)}돌고래 수당은 3만원이다.`, rule(3)].join('\n\n')}`;
    const { collection_id: id } = await makeCollection(service, {
      search_config: { mode: 'keyword', parent_size: 1_024 },
      ingest_config: { chunk_size: 128, chunk_overlap: 32, indexed_fields: ['kind', 'issued'] },
    });
    const asked = { text, name: 'a.md', ingest_config: { chunk_size: 128 }, size: 2 };
    const previewed = await askFine<ChunkPreview>(service, `collections/${id}/preview`, { body: asked });
    const old = { metadata: JSON.stringify({ kind: 'old', issued: '2001-01-01' }) };
    const made = await uploadReady(service, id, '옛.md', text, old);
    ChunkPreview.parse(previewed);
    expect(previewed).toMatchObject({ total: made.chunk_count, format: 'markdown', document_name: 'a.md' });
    const chunks = await chunksOf(service, made.document_id);
    expect(previewed.items.map(({ content }) => content)).toEqual(chunks.slice(0, 2).map(({ content }) => content));
    const form = formOf('a.md', text, { ingest_config: '{"chunk_size": 2048, "chunk_overlap": 0}' });
    const whole = await sendForm(service, `collections/${id}/preview/upload`, form);
    expect(whole.result).toMatchObject({ total: 1, ingest_config: { chunk_size: 2_048 } });

    const one = (await searchIn(service, id, '돌고래', { highlight: true })).result.hits[0];
    const parent = one?.parent;
    expect(one?.content.startsWith('# 규정')).toBe(true);
    expect(one?.content).toContain('제3조');
    for (const { chunk_id: chunk, start, end } of parent?.matches ?? [])
      expect(one?.content.slice(start, end)).toBe(chunks.find(({ chunk_id: own }) => own === chunk)?.content);
    for (const { start, end, text: marked } of one?.highlights ?? [])
      expect(one?.content.slice(start, end)).toBe(marked);
    expect(one?.highlights?.map(({ text: marked }) => marked)).toContain('돌고래');
    const alone = (await searchIn(service, id, '돌고래', { parent_size: null })).result.hits[0];
    expect(alone).toMatchObject({ chunk_id: one?.chunk_id });
    expect(alone).not.toHaveProperty('parent');
    expect(alone?.content.length).toBeLessThan(one?.content.length ?? 0);

    await uploadReady(service, id, '새.md', `${text} 끝.`, {
      metadata: JSON.stringify({ kind: 'new', issued: '2026-11-01' }),
    });
    const names = async (more: Parameters<typeof searchIn>[3]) =>
      (await searchIn(service, id, '돌고래 수당', more)).result.hits.map(({ document_name: name }) => name);
    for (const kind of ['old', 'new']) {
      const boosts = [{ filters: { kind }, factor: 5 }];
      expect((await names({ boosts }))[0]).toBe(kind === 'old' ? '옛.md' : '새.md');
    }
    expect((await names({ decay: { field: 'issued', half_life_days: 30 } }))[0]).toBe('새.md');
    const folded = (await searchIn(service, id, '돌고래 수당', { parent_size: null, collapse_duplicates: true }))
      .result;
    expect(folded.hits.flatMap(({ duplicates = [] }) => duplicates).length).toBeGreaterThan(0);
    expect(folded.hits.length).toBeLessThan((await names({ parent_size: null, top_k: 50 })).length);
    expect(folded.hits[0]?.duplicates?.[0]?.document_id).not.toBe(folded.hits[0]?.document_id);

    const like = await askFine<SearchResult>(service, `chunks/${one?.chunk_id}/similar`, { body: { top_k: 3 } });
    SearchResult.parse(like);
    expect(like.hits.map(({ document_name: name }) => name)).toContain('새.md');
    expect(like.hits.map(({ document_id: own }) => own)).not.toContain(made.document_id);
    const refused: [string, object, RegExp][] = [
      ['search', { query: 'x', collection_id: id, boost: [] }, /did you mean boosts/],
      ['search', { query: 'x', collection_id: id, boosts: [{ filters: { nobody: 1 }, factor: 2 }] }, /nobody/],
      ['search', { query: 'x', collection_id: id, decay: { half_life_days: 0 } }, /half_life_days/],
      ['search', { query: 'x', collection_id: id, parent_size: 12 }, /parent_size/],
      [`collections/${id}/preview`, { text: 'x', document_id: made.document_id }, /document_id/],
      [`collections/${id}/preview`, { text: 'x', ingest_config: { chunk_sizes: 128 } }, /did you mean/],
      [`chunks/${one?.chunk_id}/similar`, { topk: 3 }, /did you mean top_k/],
    ];
    for (const [path, body, message] of refused) {
      const answer = await ask(service, path, { body });
      expect([answer.status, answer.message]).toEqual([400, expect.stringMatching(message)]);
    }
    const wrongForm = await sendForm(
      service,
      `collections/${id}/preview/upload`,
      formOf('a.md', 'x', { ingest_config: '[' }),
    );
    expect([wrongForm.status, wrongForm.message]).toEqual([400, expect.stringContaining('ingest_config')]);
    expect(
      (
        await ask(service, `collections/${id}`, {
          method: 'PATCH',
          body: { search_config: { decay: { half_life_days: 9, field: 'no' } } },
        })
      ).message,
    ).toMatch(/"no"/);
  });

  test('say what is wrong with a body', async () => {
    covers('retrieval.search.errors');
    const { collection_id: id } = collection;
    const wrong: [unknown, RegExp][] = [
      [{ collection_id: id }, /query/],
      [{ query: '', collection_id: id }, /query/],
      [{ query: '  ', collection_id: id }, /query/],
      [{ query: 'x'.repeat(4_097), collection_id: id }, /4096/],
      [{ query: 'x' }, /collection_id/],
      [{ query: 'x', collection_ids: [] }, /collection_ids/],
      [{ query: 'x', collection_ids: 'x' }, /collection_ids/],
      [{ query: 'x', collection_id: id, top_k: 0 }, /top_k/],
      [{ query: 'x', collection_id: id, top_k: 101 }, /top_k/],
      [{ query: 'x', collection_id: id, alpha: -0.1 }, /alpha/],
      [{ query: 'x', collection_id: id, search_type: 'fuzzy' }, /search_type/],
      [{ query: 'x', collection_id: id, rerank: 'yes' }, /rerank/],
      [{ query: 'x', collection_id: id, rerank: true }, /rerank/],
      [{ query: 'x', collection_id: id, rerank: { model: 'nothing' } }, /nothing/],
      [{ query: 'x', collection_id: id, highlight: 'x' }, /highlight/],
      [{ query: 'x', collection_id: id, score_threshold: 'x' }, /score_threshold/],
      [{ query: 5, collection_id: id }, /query/],
    ];
    for (const [body, message] of wrong) {
      const answer = await ask(service, 'search', { body });
      expect(answer.status, `${JSON.stringify(body).slice(0, 80)} ${answer.message}`).toBe(400);
      expect(answer.message).toMatch(message);
    }
    for (const body of [
      { query: 'x', collection_id: 'x' },
      { query: 'x', collection_id: "'; DROP TABLE collections; --" },
      { query: 'x', collection_ids: [id, '0'.repeat(32)] },
    ])
      expect(await ask(service, 'search', { body }), JSON.stringify(body)).toMatchObject({
        status: 404,
        code: '40400',
      });
    // Any text is a query.
    for (const query of ['"', '\\', '%_', '$$', '*', 'a AND (', '\u{1F600}', '\ud800', '가'.repeat(4_096)])
      expect(
        (await ask(service, 'search', { body: { query, collection_id: id, search_type: 'hybrid', highlight: true } }))
          .status,
        query.slice(0, 9),
      ).toBe(200);
  });

  test('are counted for the key', async () => {
    covers('retrieval.usage');
    const { id, value } = await makeKey(service);
    const caller = { ...service, key: value };
    const own = await makeCollection(caller);
    await uploadReady(caller, own.collection_id, 'a.md', rules);
    await searchIn(caller, own.collection_id, '연차', { search_type: 'hybrid' });
    await eventually(async () => {
      const rows = (await usageSlices(service)).filter(({ key_id: key }) => key === id);
      expect(rows).toContainEqual(
        expect.objectContaining({ endpoint: 'search', model: 'lexical', status: 200, calls: 1 }),
      );
    });
  });

  test('need the scope retrieval', async () => {
    covers('retrieval.scope');
    const { value } = await makeKey(service, { scopes: ['chat', 'embeddings', 'utilities'] });
    for (const [method, path] of [
      ['GET', 'collections'],
      ['POST', 'collections'],
      ['POST', 'search'],
      ['POST', 'documents'],
      ['DELETE', `chunks/${'0'.repeat(32)}`],
    ] as const)
      expect(
        await ask(service, path, { method, key: value, ...(method === 'POST' ? { body: {} } : {}) }),
        path,
      ).toMatchObject({ status: 403, code: '40300' });
  });
});

describe('many documents by one call', () => {
  const bulk = (id: string, body: string | Uint8Array | FormData, headers: Record<string, string> = {}) =>
    fetch(`${service.base}${RAG}/collections/${id}/documents/bulk`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}`, ...headers },
      body: body as string,
    });
  const linesOf = async (reply: Response) =>
    (await reply.text())
      .trim()
      .split('\n')
      .map((line) => BulkResult.parse(JSON.parse(line)));
  const countOf = (id: string, state: string) =>
    askFine<List<Document>>(service, `collections/${id}/documents?size=1&state=${state}`).then(({ total }) => total);

  test('lines of JSON are answered one by one, and taken in whole; the same external id takes the place of the older one', async () => {
    covers('retrieval.bulk');
    const { collection_id: id } = await makeCollection(service, { ingest_config: { indexed_fields: ['at'] } });
    const texts = Array.from({ length: 150 }, (_, at) => ({
      text: `${at}번째 고시는 품목${at}의 값을 정한다.`,
      external_id: `e${at % 140}`,
      metadata: { at },
    }));
    const lines = [...texts.map((one) => JSON.stringify(one)), '', 'no json', '{"txt":"a"}', '{"text":"a","allow":[]}'];
    const reply = await bulk(id, lines.join('\n'), { 'content-type': 'application/x-ndjson' });
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/x-ndjson; charset=utf-8']);
    const outcomes = await linesOf(reply);
    expect(outcomes.map(({ line }) => line)).toEqual([...texts.keys(), 151, 152, 153].map((at) => at + 1));
    expect(
      outcomes.slice(0, 150).every(({ state, document_id: one }) => state === 'queued' && ID.test(one ?? '')),
    ).toBe(true);
    expect(outcomes.slice(150).map(({ state, error }) => [state, error?.code])).toEqual(
      Array.from({ length: 3 }, () => ['refused', '40001']),
    );
    expect(outcomes[151]?.error?.message).toContain('did you mean text');
    await within(async () => expect(await countOf(id, 'ready')).toBe(140));
    const found = await searchIn(service, id, '품목145의 값', { filters: { at: 145 } });
    expect(found.result.hits).toMatchObject([{ document_name: 'e5', metadata: { at: 145 } }]);
    const before = await searchIn(service, id, '품목5의 값', { filters: { at: 5 } });
    expect(before.result.hits).toEqual([]);
    const [hit] = found.result.hits;
    const document = await readDocument(service, hit?.document_id ?? '');
    expect(document).toMatchObject({ state: 'ready', format: 'text', page_count: 1, chunk_count: 1, failures: [] });
    expect((await call(service, `${RAG}/documents/${document.document_id}/file`)).text).toBe(texts[145]?.text);
    // Read anew it is the same, by the way of longer documents.
    await askFine(service, `documents/${document.document_id}/reindex`, { method: 'POST' });
    expect(await settled(service, document.document_id)).toMatchObject({ state: 'ready', chunk_count: 1 });
  });

  test('files of a form and of archives in it come with their folders; what is wrong with one keeps no other out', async () => {
    const { collection_id: id } = await makeCollection(service);
    const form = new FormData();
    form.set('metadata', '{"year": 2026}');
    form.append('file', new Blob(['# 여비\n\n여비는 하루 이만원이다.']), '규정/여비.md');
    form.append('file', new Blob([new Uint8Array([0, 1, 2, 3])]), 'a.bin');
    const archive = writeZip([
      ['휴가/연차.txt', '연차는 열닷새이다.'],
      ['__MACOSX/._a', 'x'],
      ['휴가/문서.docx', writeDocx({ body: docxParagraph(run('병가는 예순 날이다.')) })],
      ['../밖.txt', '밖'],
    ]);
    form.append('file', new Blob([archive]), '모음.zip');
    const reply = await bulk(id, form, { accept: 'application/json' });
    const { result } = (await reply.json()) as { result: BulkUploaded };
    expect(BulkUploaded.parse(result)).toMatchObject({ queued: 3, refused: 2, operation: 'bulk_upload' });
    expect(result.items.map(({ line, document_name: name, error }) => [line, name, error?.code])).toEqual([
      [1, '여비.md', undefined],
      [2, 'a.bin', '41500'],
      [3, '연차.txt', undefined],
      [4, '문서.docx', undefined],
      [5, '/밖.txt', '42200'],
    ]);
    await within(async () => expect(await countOf(id, 'ready')).toBe(3));
    const { result: found } = await searchIn(service, id, '연차는 며칠');
    expect(found.hits[0]).toMatchObject({ document_name: '연차.txt', metadata: { year: 2026, folder: '휴가' } });
    // An archive alone is as good.
    const alone = await linesOf(await bulk(id, archive));
    expect(alone.map(({ state }) => state)).toEqual(['queued', 'queued', 'refused']);
    const wrong = new FormData();
    wrong.append('file', new Blob(['a']), 'a.txt');
    wrong.set('external_id', 'x');
    expect((await bulk(id, wrong)).status).toBe(400);
    expect((await bulk('0'.repeat(32), '{"text":"a"}')).status).toBe(404);
  });

  test('documents that say the same as an earlier one are left out or marked where that is asked', async () => {
    const config = { chunk_size: 512, duplicates: 'skip' as const };
    const { collection_id: id } = await makeCollection(service, { ingest_config: config });
    const rules = Array.from({ length: 30 }, (_, at) => `제${at}조 담당자는 ${at * 7}일 안에 서류를 낸다.`).join(' ');
    const first = await uploadReady(service, id, 'a.txt', rules);
    const same = await settled(service, (await upload(service, id, 'b.txt', `${rules} 끝.`)).document_id);
    expect(same).toMatchObject({ state: 'failed', error: { code: 'DUPLICATE' } });
    expect(same.error?.message).toContain(first.document_id);
    await askFine(service, `collections/${id}`, {
      method: 'PATCH',
      body: { ingest_config: { duplicates: 'mark' } },
    });
    // Long ones are taken in one by one.
    const long = `${rules}\n\n`.repeat(80);
    expect(Buffer.byteLength(long)).toBeGreaterThan(65_536);
    const [marked, whole] = [
      await uploadReady(service, id, 'c.txt', rules),
      await uploadReady(service, id, 'd.txt', long),
    ];
    for (const one of [marked, whole]) {
      expect(Document.parse(one)).toMatchObject({ duplicate_of: first.document_id });
      expect(one.warnings.map(({ code }) => code)).toContain('duplicate');
    }
    expect(await readDocument(service, first.document_id)).not.toHaveProperty('duplicate_of');
  });

  test('words that mean the same find each other: those of the service, of the tenant and of the collection', async () => {
    covers('retrieval.synonyms');
    const search_config = { synonyms: [['공수처', '고위공직자범죄수사처']] };
    const { collection_id: id } = await makeCollection(service, { search_config });
    await uploadReady(service, id, 'a.txt', '과학기술정보통신부는 연구비를 3,000,000원까지 준다.');
    await uploadReady(service, id, 'b.txt', '고위공직자범죄수사처는 검사를 뽑는다.');
    for (const [query, name] of [
      ['과기부', 'a.txt'],
      ['3백만원', 'a.txt'],
      ['공수처', 'b.txt'],
    ] as const) {
      const { result } = await searchIn(service, id, query, { search_type: 'keyword', highlight: true });
      expect([query, result.hits[0]?.document_name]).toEqual([query, name]);
      expect(result.hits[0]?.highlights).not.toEqual([]);
    }
    const change = { search_config: { starter_synonyms: false, synonyms: [] } };
    const changed = await askFine<Collection>(service, `collections/${id}`, { method: 'PATCH', body: change });
    expect(changed.search_config).toMatchObject(change.search_config);
    for (const query of ['과기부', '공수처'])
      expect((await searchIn(service, id, query, { search_type: 'keyword' })).result.hits).toEqual([]);
    // One word has no synonym; what the database can't hold is refused, too.
    for (const wrong of [{ synonyms: [['하나']] }, { synonyms: [['a\0', 'b']] }, { rerank: { model: 'a\0' } }]) {
      const body = { search_config: wrong };
      expect((await ask(service, `collections/${id}`, { method: 'PATCH', body })).code).toBe('40001');
    }
  });

  test('passages that say it otherwise are found below those that say it as the question does', async () => {
    covers('retrieval.synonyms');
    const { collection_id: id } = await makeCollection(service);
    const said = [
      ['산재', '산재 신청서', '산업재해 통계'],
      ['인공지능', '인공지능 윤리기준', 'AI 기본법'],
      ['1억 5천만원', '1억 5천만원 배정', '예산 150,000,000원'],
    ] as const;
    for (const [at, [, same, other]] of said.entries()) {
      await uploadReady(service, id, `${at}-same.txt`, same);
      await uploadReady(service, id, `${at}-other.txt`, other);
    }
    for (const [at, [query]] of said.entries())
      for (const search_type of ['keyword', 'hybrid'] as const) {
        const { hits } = (await searchIn(service, id, query, { search_type })).result;
        const names = hits.map(({ document_name: name }) => name).filter((name) => name.startsWith(`${at}-`));
        expect([query, search_type, ...names]).toEqual([query, search_type, `${at}-same.txt`, `${at}-other.txt`]);
      }
  });

  test('sets of a tenant count in all of its collections, and in those of no other tenant', async () => {
    covers('retrieval.synonyms');
    const administrator = await signInAdministrator(service);
    const setSynonyms = async (synonyms: readonly (readonly string[])[]) => {
      const body = { synonyms };
      const answer = await call(service, '/console/api/settings', { method: 'PATCH', headers: administrator, body });
      expect(answer.status, answer.text).toBe(200);
    };
    const others = { ...service, key: await keyOfAnotherTenant(service) };
    const places = await Promise.all(
      [service, service, others].map(async (caller) => {
        const { collection_id: id } = await makeCollection(caller);
        await uploadReady(caller, id, 'a.txt', '한울타리사업은 마을마다 쉼터를 짓는다.');
        return { caller, id };
      }),
    );
    const found = () =>
      Promise.all(places.map(async ({ caller, id }) => (await wordHits(caller, id, '쉼자리계획')).length));
    expect(await found()).toEqual([0, 0, 0]);
    await setSynonyms([['쉼자리계획', '한울타리사업']]);
    expect(await found()).toEqual([1, 1, 0]);
    await setSynonyms([]);
    expect(await found()).toEqual([0, 0, 0]);
  });
});

test('personal values do not come into chunks where that is asked', async () => {
  covers('retrieval.pii-mask');
  const { collection_id: id } = await makeCollection(service, { ingest_config: { pii_mask: true } });
  const document = await uploadReady(service, id, 'a.md', '# 명부\n\n홍길동의 주민등록번호는 900101-1234568 이다.');
  const [chunk] = await chunksOf(service, document.document_id);
  expect(chunk?.content).toContain('******-*******');
  expect(chunk?.content).not.toContain('900101');
  const added = await askFine<Chunk>(service, `documents/${document.document_id}/chunks`, {
    body: { content: '번호 900101-1234568' },
  });
  expect(added.content).toBe('번호 ******-*******');
  expect(await wordHits(service, id, '1234568')).toEqual([]);
});

test('no search sees half of a document, or two versions of it, while it is replaced', async () => {
  covers('retrieval.fresh');
  const { collection_id: id } = await makeCollection(service, { ingest_config: { chunk_size: 128 } });
  const sections = 20;
  const textOf = (version: number) =>
    Array.from({ length: sections }, (_, at) => `# 절 ${at}\n\n공통낱말 판${version}번 본문 ${at} 이다.`).join('\n\n');
  const replace = (version: number) => uploadReady(service, id, 'a.md', textOf(version), { external_id: 'one' });
  await replace(0);
  const state = { done: false, searches: 0 };
  const look = async () => {
    while (!state.done) {
      const hits = await wordHits(service, id, '공통낱말');
      const versions = new Set(hits.map(({ content }) => /판\d+번/.exec(content)?.[0]));
      expect([hits.length, versions.size]).toEqual([sections, 1]);
      state.searches++;
    }
  };
  const lookers = [look(), look()];
  for (let version = 1; version <= times(3, 6); version++) await replace(version);
  state.done = true;
  await Promise.all(lookers);
  expect(state.searches).toBeGreaterThan(5);
});

test('the figures for Prometheus tell of the queue of documents', async () => {
  covers('retrieval.ingest.figures');
  const { collection_id: id } = await makeCollection(service);
  const { document_id: broken } = await upload(service, id, 'a.pdf', '%PDF-1.7\nnothing');
  expect(await settled(service, broken)).toMatchObject({ state: 'failed' });
  await within(async () => {
    const { text } = await call(service, '/metrics');
    const figure = (name: string) =>
      Number(
        text
          .split('\n')
          .find((line) => line.startsWith(`${name} `))
          ?.split(' ')[1],
      );
    expect(figure('studio_ingest_documents{state="failed"}')).toBeGreaterThan(0);
    for (const state of ['waiting', 'running', 'delayed'])
      expect(figure(`studio_ingest_documents{state="${state}"}`), state).toBe(0);
    expect(figure('studio_ingest_oldest_seconds')).toBe(0);
  });
  await askFine(service, `collections/${id}`, { method: 'DELETE' });
});
