import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { paragraph, writeHwp } from '@ai-studio/documents/test/hwp-writer/index.ts';
import { PdfWriter } from '@ai-studio/documents/test/pdf.ts';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { covers } from '../requirements.ts';
import { keyOfAnotherTenant, makeKey } from '../support/command.ts';
import { call, expectError, jsonOf } from '../support/http.ts';
import { makeCollection, uploadReady } from '../support/retrieval.ts';
import { type Service, startService } from '../support/service.ts';

// The forms of Open WebUI's loader, Docling Serve and Tika as their clients send them, and tools as makers of tools read them.

const MAX_BYTES = 200_000;
let service: Service;
let hwp: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
  hwp = Uint8Array.from(writeHwp({ sections: [[paragraph('한글 문서입니다.')]] }));
  service = await startService({
    config: {
      documents: { upload_bytes: MAX_BYTES },
      network: { allow: ['127.0.0.1'] },
      limits: { requests_per_minute: null },
    },
  });
});
afterAll(() => service.close());

const page =
  '<title>규정</title><h1>제1장 총칙</h1><p>본문 <b>굵게</b></p><table><tr><th>가<th>나<tr><td>1<td>2</table>';

type Bytes = string | Uint8Array<ArrayBuffer>;

/** Sends a file as clients do. */
function put(path: string, body: Bytes, headers: Record<string, string> = {}): Promise<Response> {
  const authorization = `Bearer ${service.key}`;
  return fetch(service.base + path, { method: 'PUT', headers: { authorization, ...headers }, body });
}
const basic = (key: string, user = 'studio') => `Basic ${Buffer.from(`${user}:${key}`).toString('base64')}`;

/** Nothing of a file is left. */
function expectNoFiles(): void {
  const folder = join(service.dataFolder, 'parsing');
  for (const own of readdirSync(folder)) expect(readdirSync(join(folder, own))).toEqual([]);
}

describe('PUT /document/process, as Open WebUI calls it', () => {
  const LOADER = '/v1/document/process';

  test('gives a document, and pages from 0 where it has some', async () => {
    covers('parts.loader');
    const headers = { 'X-Filename': encodeURIComponent('업무 규정.html'), 'Content-Type': 'text/html' };
    const answer = await put(LOADER, page, headers);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-ratelimit-remaining')).not.toBeNull();
    expect(await answer.json()).toEqual([
      {
        page_content: '# 제1장 총칙\n\n본문 **굵게**\n\n| 가 | 나 |\n| --- | --- |\n| 1 | 2 |',
        metadata: { source: '업무 규정.html', format: 'html', title: '규정' },
      },
    ]);
    const writer = new PdfWriter();
    writer.page().text(72, 90, '첫째 쪽입니다');
    writer.page();
    writer.page().text(72, 90, '셋째 쪽입니다');
    const pdf = await put(LOADER, Uint8Array.from(writer.bytes()), { 'Content-Type': 'application/pdf' });
    expect(await pdf.json()).toEqual([
      { page_content: '첫째 쪽입니다', metadata: { format: 'pdf', total_pages: 3, page: 0, page_label: '1' } },
      { page_content: '셋째 쪽입니다', metadata: { format: 'pdf', total_pages: 3, page: 2, page_label: '3' } },
    ]);
    const csv = await put(`/api${LOADER}`, 'a,b\n1,2\n', { 'Content-Type': 'text/csv', 'X-Filename': 'a%2.csv' });
    expect(((await csv.json()) as { metadata: object }[])[0]?.metadata).toMatchObject({ source: 'a%2.csv' });
  });

  test('reads HWP without any name or type', async () => {
    covers('parts.hwp', 'parts.loader');
    const answer = await fetch(service.base + LOADER, {
      method: 'PUT',
      headers: { authorization: `Bearer ${service.key}` },
      body: hwp,
    });
    const [first] = (await answer.json()) as { page_content: string; metadata: object }[];
    expect(first?.page_content).toBe('한글 문서입니다.');
    expect(first?.metadata).toMatchObject({ format: 'hwp' });
  });

  test('says why nothing is read, in words that Open WebUI knows', async () => {
    covers('parts.loader');
    const answer = await put(LOADER, '<p> </p>', { 'Content-Type': 'text/html', 'X-Filename': 'a.html' });
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({
      status: { code: '42200', message: expect.stringContaining('No extractable text') as string },
    });
    const broken = await put(LOADER, 'HWP Document File V2.00');
    expect([broken.status, JSON.stringify(await broken.json())]).toEqual([
      422,
      expect.stringContaining('UNSUPPORTED: '),
    ]);
  });

  test('is bounded, and leaves no file', async () => {
    covers('parts.bounds');
    const large = 'x'.repeat(MAX_BYTES + 1);
    const cases: [string, Record<string, string>, number][] = [
      [large, {}, 413],
      ['', {}, 400],
      ['x', { 'Content-Encoding': 'gzip' }, 415],
      ['x', { authorization: 'Bearer wrong' }, 401],
      ['x', { authorization: basic(service.key) }, 401],
      ['x', { 'X-Tenant-Id': 'another' }, 403],
    ];
    for (const [body, headers, status] of cases)
      expect((await put(LOADER, body, headers)).status, JSON.stringify(headers)).toBe(status);
    const unsized = await fetch(service.base + LOADER, {
      method: 'PUT',
      headers: { authorization: `Bearer ${service.key}` },
      body: Readable.toWeb(Readable.from([large.slice(0, 150_000), large])),
      duplex: 'half',
    } as unknown as RequestInit);
    expect(unsized.status).toBe(413);
    expect((await call(service, LOADER, { method: 'POST', body: {} })).status).toBe(405);
    expectNoFiles();
  });

  test('is for keys of utilities, and counts', async () => {
    covers('parts.keys');
    const { value } = await makeKey(service, { scopes: ['chat'] });
    expect((await put(LOADER, 'x', { authorization: `Bearer ${value}` })).status).toBe(403);
    const { value: narrow } = await makeKey(service, { requestsPerMinute: 1 });
    const first = await put(LOADER, '글', { authorization: `Bearer ${narrow}` });
    expect([first.status, first.headers.get('x-ratelimit-remaining')]).toEqual([200, '0']);
    expect((await put(LOADER, '글', { authorization: `Bearer ${narrow}` })).status).toBe(429);
  });
});

describe('POST /convert/file, as clients of Docling Serve call it', () => {
  interface Converted {
    readonly document: Readonly<Record<string, unknown>>;
    readonly status: string;
    readonly errors: readonly unknown[];
    readonly processing_time: number;
  }
  interface SentFile {
    readonly file?: Bytes;
    readonly name?: string;
    readonly headers?: Record<string, string>;
  }
  function convert(
    fields: readonly (readonly [string, string])[],
    { file = page, name = '업무 규정.html', headers = { 'X-Api-Key': service.key } }: SentFile = {},
    path = '/v1/convert/file',
  ): Promise<Response> {
    const form = new FormData();
    form.append('files', new Blob([file]), name);
    for (const [field, value] of fields) form.append(field, value);
    return fetch(service.base + path, { method: 'POST', headers, body: form });
  }

  test('gives Markdown, as Open WebUI asks for it', async () => {
    covers('parts.docling', 'parts.keys');
    const answer = await convert([['image_export_mode', 'placeholder']]);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-ignored-fields')).toBe('image_export_mode');
    const { document, ...rest } = (await answer.json()) as Converted;
    expect(document).toEqual({
      filename: '업무 규정.html',
      md_content: expect.stringMatching(/^# 제1장 총칙\n\n본문 \*\*굵게\*\*/) as string,
      json_content: null,
      html_content: null,
      text_content: null,
      doctags_content: null,
    });
    expect(rest).toEqual({ status: 'success', errors: [], processing_time: expect.any(Number) as number, timings: {} });
  });

  test('gives every form that is asked for', async () => {
    covers('parts.docling');
    const answer = await convert([
      ['to_formats', 'json'],
      ['to_formats', 'text'],
      ['to_formats', 'html'],
      ['do_ocr', 'false'],
    ]);
    const { document } = (await answer.json()) as Converted;
    expect(document['md_content']).toBeNull();
    expect(document['text_content']).toBe('제1장 총칙\n\n본문 굵게\n\n가\t나\n1\t2');
    expect(document['html_content']).toContain('<h1>제1장 총칙</h1>');
    expect(document['json_content']).toMatchObject({
      schema_name: 'DoclingDocument',
      name: '업무 규정',
      body: { children: [{ $ref: '#/texts/0' }, { $ref: '#/texts/1' }, { $ref: '#/tables/0' }] },
      texts: [
        { label: 'section_header', level: 1, text: '제1장 총칙' },
        { label: 'text', text: '본문 굵게' },
      ],
      tables: [{ data: { num_rows: 2, num_cols: 2 } }],
    });
  });

  test('converts in the background, for its tenant alone', async () => {
    covers('parts.docling.async');
    interface Task {
      readonly task_id: string;
      readonly task_status: string;
      readonly error_message: string | null;
    }
    const begin = async (fields: readonly (readonly [string, string])[], sent?: SentFile) =>
      (await (await convert(fields, sent, '/v1/convert/file/async')).json()) as Task;
    const get = (path: string, key = service.key) => fetch(service.base + path, { headers: { 'X-Api-Key': key } });
    const polled = async ({ task_id: id }: Task) => (await (await get(`/v1/status/poll/${id}?wait=60`)).json()) as Task;

    const begun = await begin([
      ['to_formats', 'text'],
      ['to_formats', 'md'],
    ]);
    expect(begun).toMatchObject({ task_type: 'convert', task_status: 'pending', task_meta: { num_docs: 1 } });
    expect(await polled(begun)).toMatchObject({
      task_status: 'success',
      task_meta: { num_processed: 1, num_succeeded: 1, num_failed: 0 },
      error_message: null,
    });
    const { document, status } = (await (await get(`/v1/result/${begun.task_id}`)).json()) as Converted;
    expect([status, document['html_content']]).toEqual(['success', null]);
    expect(document['text_content']).toBe('제1장 총칙\n\n본문 굵게\n\n가\t나\n1\t2');
    expect(document['md_content']).toMatch(/^# 제1장 총칙/);

    const broken = await begin([], { file: 'HWP Document File V2.00', name: 'a.hwp' });
    expect(await polled(broken)).toMatchObject({
      task_status: 'failure',
      error_message: expect.stringMatching(/^UNSUPPORTED: /) as string,
    });
    const failed = await get(`/v1/result/${broken.task_id}`);
    expect([failed.status, await failed.json()]).toEqual([
      422,
      { detail: expect.stringMatching(/^UNSUPPORTED: /) as string },
    ]);

    const stranger = await keyOfAnotherTenant(service);
    for (const path of [`/v1/status/poll/${begun.task_id}`, `/v1/result/${begun.task_id}`])
      expect((await get(path, stranger)).status, path).toBe(404);
    for (const path of ['/v1/status/poll/none', `/v1/result/${'0'.repeat(32)}`]) {
      const missing = await get(path);
      expect([missing.status, await missing.json()]).toEqual([404, { detail: expect.any(String) as string }]);
    }
    expect((await get(`/v1/status/poll/${begun.task_id}?wait=-1`)).status).toBe(400);
    expect((await convert([['to_formats', 'doctags']], {}, '/v1/convert/file/async')).status).toBe(400);
  });

  test('reads HWP', async () => {
    covers('parts.hwp');
    const answer = await convert([], { file: hwp, name: '문서.hwp' });
    expect(((await answer.json()) as Converted).document['md_content']).toBe('한글 문서입니다.');
  });

  test('refuses with a detail, as its clients read it', async () => {
    covers('parts.docling', 'parts.bounds', 'parts.keys');
    const cases: [Promise<Response>, number, RegExp][] = [
      [convert([['to_formats', 'doctags']]), 400, /doctags is not written; use md, json, html, text/],
      [convert([['target_type', 'zip']]), 400, /inbody/],
      [convert([['page_range', 'x']]), 400, /page_range/],
      [convert([], { file: 'HWP Document File V2.00', name: 'a.hwp' }), 422, /^UNSUPPORTED: /],
      [convert([], { file: 'x'.repeat(MAX_BYTES + 1) }), 413, /larger/],
      [convert([], { headers: { 'X-Api-Key': 'wrong' } }), 401, /not valid/],
      [convert([], { headers: { 'X-Api-Key': service.key, authorization: 'Bearer other' } }), 401, /different keys/],
      [convert([], { headers: {} }), 401, /missing/],
    ];
    for (const [sent, status, detail] of cases) {
      const answer = await sent;
      expect(answer.status).toBe(status);
      expect(await answer.json()).toEqual({ detail: expect.stringMatching(detail) as string });
    }
    const wrongMethod = await call(service, '/v1/convert/file');
    expect([wrongMethod.status, jsonOf(wrongMethod)]).toEqual([405, { detail: expect.any(String) as string }]);
    expectNoFiles();
    expect((await put('/v1/document/process', 'x', { authorization: '', 'X-Api-Key': service.key })).status).toBe(401);
  });
});

describe('Tika', () => {
  const text = '제1장 총칙\n\n본문 굵게\n\n가\t나\n1\t2';
  /** As clients that take an address alone: the key stands in it. */
  const tika = (path: string, headers: Record<string, string> = {}) =>
    put(path, page, { authorization: basic(service.key), ...headers });

  test('PUT /tika/text gives JSON, as Open WebUI reads it', async () => {
    covers('parts.tika');
    const answer = await tika('/v1/tika/text', { 'X-Tika-PDFextractInlineImages': 'true', accept: '*/*' });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      'Content-Type': 'text/html',
      'X-TIKA:Parsed-By': ['studio-parser'],
      'X-TIKA:content': text,
      'dc:title': '규정',
    });
    const plain = await tika('/v1/tika/text', { accept: 'text/plain' });
    expect([plain.headers.get('content-type'), await plain.text()]).toEqual(['text/plain; charset=utf-8', text]);
  });

  test('at the root, where its own server has its paths, is the same', async () => {
    covers('parts.tika', 'parts.keys');
    for (const path of ['/tika/text', '/tika', '/rmeta/text'])
      expect(await (await tika(path)).text(), path).toBe(await (await tika(`/v1${path}`)).text());
    expect((await put('/tika/text', page, { authorization: basic('wrong') })).status).toBe(401);
    const wrong = await call(service, '/tika/text', { method: 'GET' });
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'PUT']);
  });

  test('PUT /tika gives what is accepted', async () => {
    covers('parts.tika');
    const type = async (accept: string) => {
      const answer = await tika('/v1/tika', { accept });
      return [answer.headers.get('content-type'), (await answer.text()).slice(0, 6)];
    };
    expect(await type('*/*')).toEqual(['text/plain; charset=utf-8', '제1장 총칙']);
    expect(await type('text/html')).toEqual(['text/html; charset=utf-8', '<html ']);
    expect(await type('text/xml')).toEqual(['text/xml; charset=utf-8', '<html ']);
    expect(await type('application/json')).toEqual(['application/json; charset=utf-8', '{"Cont']);
  });

  test('PUT /rmeta gives a list, and forms are read whatever their field is called', async () => {
    covers('parts.tika');
    expect(await (await tika('/v1/rmeta/text')).json()).toMatchObject([{ 'X-TIKA:content': text }]);
    const disposition = `attachment; filename="x.html"; filename*=UTF-8''${encodeURIComponent('규정.html')}`;
    const whole = (await (await tika('/api/v1/rmeta', { 'content-disposition': disposition })).json()) as object[];
    expect(whole).toMatchObject([
      { resourceName: '규정.html', 'X-TIKA:content': expect.stringContaining('<h1>제1장 총칙</h1>') as string },
    ]);
    const form = new FormData();
    form.append('upload-file', new Blob([hwp]), '문서.hwp');
    const headers = { authorization: `Bearer ${service.key}` };
    const answer = await fetch(`${service.base}/v1/tika/form/text`, { method: 'POST', headers, body: form });
    expect(await answer.json()).toMatchObject({ 'X-TIKA:content': '한글 문서입니다.', resourceName: '문서.hwp' });
  });

  test('the key stands in the address there, and nowhere else', async () => {
    covers('parts.keys', 'parts.bounds');
    expect((await tika('/v1/tika', { authorization: basic('', service.key) })).status).toBe(200);
    for (const authorization of [basic('wrong'), 'Basic !!', 'Basic', ''])
      expect((await tika('/v1/tika', { authorization })).status).toBe(401);
    for (const path of ['/v1/models', '/v1/rag42/collections', '/v1/tools/list_collections'])
      expect((await call(service, path, { key: null, headers: { authorization: basic(service.key) } })).status).toBe(
        401,
      );
    expect((await put('/v1/tika', '', { authorization: basic(service.key) })).status).toBe(400);
    expect((await put('/v1/tika', 'x'.repeat(MAX_BYTES + 1))).status).toBe(413);
    expectNoFiles();
  });
});

describe('/openapi-tools.json', () => {
  interface ToolsDocument {
    readonly servers: readonly { readonly url: string }[];
    readonly paths: Readonly<
      Record<string, Readonly<Record<string, { readonly operationId: string; readonly description: string }>>>
    >;
  }
  const read = async () => {
    const reply = await call(service, '/openapi-tools.json', { key: null });
    return { document: jsonOf<ToolsDocument>(reply), bytes: reply.text.length };
  };

  test('is a small valid document of four tools', async () => {
    covers('parts.tools');
    const { document, bytes } = await read();
    expect(await new Validator().validate(structuredClone(document) as never)).toMatchObject({ valid: true });
    expect(bytes).toBeLessThan(8_000);
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
    expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual([
      'list_collections',
      'mask_personal_values',
      'parse_document',
      'search_documents',
    ]);
    // The most that actions of GPTs take.
    for (const { description } of operations) expect(description.length).toBeLessThanOrEqual(300);
    expect(document.servers).toEqual([{ url: expect.stringMatching(/^https?:\/\//) as string }]);
    expect(JSON.stringify(document)).not.toContain('$ref');
  });

  test('search_documents and list_collections find what is there for the key', async () => {
    covers('parts.tools');
    const { collection_id: id } = await makeCollection(service, { collection_name: '취업규칙' });
    await uploadReady(service, id, '휴가.txt', '연차 휴가는 15일이다.');
    const tools = '/v1/tools';
    const { collections } = jsonOf<{ collections: object[] }>(await call(service, `${tools}/list_collections`));
    expect(collections).toEqual([{ id, name: '취업규칙', description: '', documents: 1 }]);
    for (const ids of [{}, { collection_ids: [id] }, { collection_ids: [] }]) {
      const reply = await call(service, `${tools}/search_documents`, { body: { query: '연차 휴가', ...ids } });
      expect(jsonOf(reply)).toMatchObject({
        passages: [{ text: '연차 휴가는 15일이다.', document: '휴가.txt', page: null, collection_id: id }],
      });
    }
    const missing = { query: '연차', collection_ids: ['0'.repeat(32)] };
    expectError(await call(service, `${tools}/search_documents`, { body: missing }), 404);
    expectError(await call(service, `${tools}/search_documents`, { body: { query: '' } }), 400, { param: 'query' });
    const { value } = await makeKey(service, { scopes: ['utilities'] });
    expectError(await call(service, `${tools}/list_collections`, { key: value }), 403);
  });

  test('parse_document reads what is sent, and what stands at an address', async () => {
    covers('parts.tools', 'parts.hwp');
    const files = createServer((_request, response) => void response.end(hwp)).listen(0, '127.0.0.1');
    await new Promise((resolve) => void files.once('listening', resolve));
    const address = `http://127.0.0.1:${(files.address() as AddressInfo).port}/%EB%AC%B8%EC%84%9C.hwp`;
    const parse = (body: object) => call(service, '/v1/tools/parse_document', { body });
    try {
      const data = Buffer.from(page).toString('base64');
      expect(jsonOf(await parse({ data, name: 'a.html' }))).toMatchObject({
        text: expect.stringMatching(/^# 제1장 총칙/) as string,
        truncated: false,
      });
      expect(jsonOf(await parse({ url: address }))).toMatchObject({ text: '한글 문서입니다.' });
      expectError(await parse({}), 400, { param: 'url' });
      expectError(await parse({ url: address, data }), 400, { param: 'url' });
      expectError(await parse({ data: '!' }), 400, { param: 'data' });
      // Where it leads is nobody's to know.
      expectError(await parse({ url: 'http://10.0.0.1/a.pdf' }), 400, { param: 'url' });
      expectError(await parse({ data: Buffer.from('HWP Document File V2.00').toString('base64') }), 422);
    } finally {
      files.close();
    }
    expectNoFiles();
  });

  test('mask_personal_values gives the text without them', async () => {
    covers('parts.tools');
    const mask = (body: object) => call(service, '/v1/tools/mask_personal_values', { body });
    expect(jsonOf(await mask({ text: '주민번호는 960121-1234567입니다.' }))).toEqual({
      text: '주민번호는 ******-*******입니다.',
      count: 1,
    });
    expect(jsonOf(await mask({ text: 'a@example.kr', types: ['EMAIL'] }))).toMatchObject({ count: 1 });
    expectError(await mask({ text: 'x', types: ['NAMES'] }), 400, { param: 'types[0]' });
  });
});
