import { readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import {
  DocumentAccepted,
  DocumentContent,
  ExtractedDocument,
  ParsedDocument,
} from '@ai-studio/contract/utilities/document.ts';
import { cell as hwpxCell, paragraph as hwpxParagraph, writeHwpx } from '@ai-studio/documents/test/hwpx.ts';
import { PdfWriter } from '@ai-studio/documents/test/pdf.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ModelServer, plainStream, startModelServer } from '../fakes/model-server.ts';
import { type PageServer, startPageServer } from '../fakes/page-servers.ts';
import { covers } from '../requirements.ts';
import { makeKey, narrowKey } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { times } from '../support/long.ts';
import { takeNobodyForGone } from '../support/never-gone.ts';
import { pidsOf } from '../support/processes.ts';
import { ask, makeCollection, uploadReady, wordHits } from '../support/retrieval.ts';
import { withDatabaseOf } from '../support/running-database.ts';
import { type Service, freePort, startService, temporaryFolder } from '../support/service.ts';

let service: Service;
let reader: PageServer;
let eyes: ModelServer;
beforeAll(async () => {
  reader = await startPageServer('docling', { apiKey: 'key-of-the-reader' });
  eyes = await startModelServer({ models: ['qwen3-vl'], checks: { takes: ['image'] } });
  const layout = { reader: 'docling', address: reader.url, api_key: 'key-of-the-reader', page_width: 400 };
  service = await startService({
    config: {
      documents: { upload_bytes: 200_000, layout },
      engines: { eyes: { addresses: [eyes.url] } },
      models: { 'qwen3-vl': { engines: [{ engine: 'eyes' }], images: true } },
    },
  });
});
afterAll(async () => {
  await service.close();
  await reader.close();
  await eyes.close();
});

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: {
    readonly status: { readonly code: string; readonly message: string };
    readonly result?: unknown;
    readonly usage?: unknown;
  };
}

type Sent = string | FormData;

async function send(body: Sent, { path = '/v1/document/parse', headers = {} } = {}): Promise<Answer> {
  const response = await fetch(service.base + path, {
    method: 'POST',
    headers: { Authorization: `Bearer ${service.key}`, ...headers },
    body,
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer['body'] };
}

function form(
  content: string | Uint8Array<ArrayBuffer>,
  name: string,
  fields: Readonly<Record<string, string>> = {},
): FormData {
  const data = new FormData();
  for (const [key, value] of Object.entries(fields)) data.set(key, value);
  data.set('file', new Blob([content]), name);
  return data;
}

const page = '<h1>제1장 총칙</h1><p>본문 <b>굵게</b></p><table><tr><th colspan=2>가<tr><td>1<td>2</table>';

describe('pages that others read', () => {
  const two = () => {
    const pdf = new PdfWriter();
    for (const nth of ['첫', '둘째'])
      pdf.page({ width: 300, height: 300 }).text(40, 60, `${nth} 쪽의 글이 파일에 적혀 있다.`);
    return new Uint8Array(pdf.bytes());
  };
  const layout = { parser_type: 'layout', response_format: 'markdown' };

  test('by a server that is configured, page by page, and by the service where that fails', async () => {
    reader.answer((_, nth) => (nth % 2 === 1 ? '# 본 제목' : { status: 503, body: { detail: 'busy' } }));
    const { body } = await send(form(two(), 'a.pdf', layout));
    const { contents, warnings } = ParsedDocument.parse(body.result);
    expect(contents).toMatch(/^# 본 제목\n[^]*(?:첫|둘째) 쪽의 글이/);
    expect(warnings).toMatchObject([
      { code: 'layout_not_read', message: expect.stringContaining('answered 503: busy') },
    ]);
    expect(body.usage).toEqual({ pages: 2 });
  });

  test('by a vision model that the call names, within what its key may use', async () => {
    eyes.always({ do: 'stream', body: plainStream(['| 가 | 나 |\n|---|---|\n| 1 | 2 |']) });
    const fields = {
      ...layout,
      layout_model: 'qwen3-vl',
      pages: '2',
      describe_figures: 'true',
      response_format: 'json',
    };
    const { body } = await send(form(two(), 'a.pdf', fields));
    expect(ParsedDocument.parse(body.result)).toMatchObject({
      prediction: { all_pages: [{ page: 2, classes: [{ class: 'Table' }] }] },
      warnings: [],
    });
    expect(eyes.refused).toHaveLength(0);
    for (const [wrong, message] of [
      [{ layout_model: 'nobody' }, 'layout_model: '],
      [{ layout_model: 'qwen3-vl', parser_type: 'auto' }, 'parser_type=layout'],
    ] as const) {
      const refused = await send(form(two(), 'a.pdf', { ...fields, ...wrong }));
      expect(refused).toMatchObject({ status: 400, body: { status: { message: expect.stringContaining(message) } } });
    }
  });

  test('by a vision model that a collection names, as long as whoever uploads may ask it', async () => {
    eyes.always({ do: 'stream', body: plainStream(['고래는 바다에 산다.']) });
    const { id, value } = await makeKey(service, { scopes: ['retrieval', 'chat'] });
    const caller = { ...service, key: value };
    const ingest_config = { parser_model: 'qwen3-vl' };
    const { collection_id: collection } = await makeCollection(caller, { ingest_config });
    const seen = await uploadReady(caller, collection, 'a.pdf', two());
    expect(seen.warnings).toEqual([]);
    expect((await wordHits(caller, collection, '고래')).map(({ document_name: name }) => name)).toEqual(['a.pdf']);
    await narrowKey(service, id, ['retrieval']);
    const unseen = await uploadReady(caller, collection, 'b.pdf', two());
    expect(unseen.warnings).toMatchObject([
      { code: 'layout_not_read', message: expect.stringContaining('may not ask') },
    ]);
    expect(await wordHits(caller, collection, '둘째')).toHaveLength(1);
    // Nor is one chosen by a key without chat.
    const without = { ...service, key: (await makeKey(service, { scopes: ['retrieval'] })).value };
    const { collection_id: own } = await makeCollection(without);
    const refusal = { status: 403, message: expect.stringContaining('ingest_config.parser_model') as unknown };
    expect(await ask(without, 'collections', { body: { name: 'x', ingest_config } })).toMatchObject(refusal);
    const change = { method: 'PATCH', body: { ingest_config } };
    expect(await ask(without, `collections/${own}`, change)).toMatchObject(refusal);
  });
});

describe('POST /document/render', () => {
  const types = {
    docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    hwpx: 'application/hwp+zip',
  };
  const render = (body: object) =>
    fetch(`${service.base}/v1/document/render`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const textOf = async (file: Response): Promise<unknown> => {
    const read = await send(form(new Uint8Array(await file.arrayBuffer()), 'a', { response_format: 'text' }));
    return (read.body.result as { contents: string }).contents;
  };

  test('writes Markdown as PDF, and says which letters it has no shapes for', async () => {
    const written = await render({
      format: 'pdf',
      title: '보고',
      content: '## 현황\n\n| 가 | 나 |\n|---|---|\n| 1 | 漢 𠀀 |',
    });
    expect(written.headers.get('content-type')).toBe('application/pdf');
    expect(written.headers.get('x-missing-letters')).toBe(encodeURIComponent('𠀀'));
    expect(await textOf(written)).toMatch(/^보고\s+현황\s+가\s+나\s+1\s+漢 □/);
  });

  test('writes Markdown, and fills what it wrote', async () => {
    for (const format of ['docx', 'hwpx'] as const) {
      const written = await render({
        format,
        title: '신청 서식',
        content: '1. {{이름}}\n   1. {{?동의}}동의 {{비고}}',
      });
      expect(written.headers.get('content-disposition')).toContain(`${encodeURIComponent('신청 서식')}.${format}`);
      expect(written.headers.get('content-type')).toBe(types[format]);
      const template = Buffer.from(await written.arrayBuffer()).toString('base64');
      const filled = await render({ template, data: { 이름: '홍길동', 동의: true, 더: 1 } });
      expect(filled.headers.get('x-unfilled-fields')).toBe(encodeURIComponent('비고'));
      expect(filled.headers.get('x-unused-data')).toBe(encodeURIComponent('더'));
      expect(await textOf(filled)).toBe('신청 서식\n\n1. 홍길동\n  가. ☑동의');
      const many = Object.fromEntries(Array.from({ length: 90 }, (_, at) => [`\uD800${'가'.repeat(50)}${at}`, at]));
      const unused = (await render({ template, data: many })).headers.get('x-unused-data')?.split(', ') ?? [];
      expect(unused.map(decodeURIComponent).slice(0, 2)).toEqual([0, 1].map((at) => `\uFFFD${'가'.repeat(50)}${at}`));
      expect(unused.join(', ').length).toBeLessThan(2_001);
    }
  });

  test('takes templates and pictures as large as images in chats, and names what is not used', async () => {
    const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const pictures = { 'a.png': dot, '큰 그림.png': 'A'.repeat(6_000_000), 'text.png': 'YWJj' };
    for (const format of ['docx', 'hwpx', 'pdf']) {
      const shown = await render({ format, content: '![그림](a.png)\n\n![글](text.png)', pictures });
      expect(shown.status).toBe(200);
      expect(shown.headers.get('x-unused-pictures')).toBe(`${encodeURIComponent('큰 그림.png')}, text.png`);
    }
    const reply = await render({ content: 'a', pictures: { a: 'A'.repeat(17_000_000) } });
    expect([reply.status, await reply.text()]).toEqual([413, expect.stringContaining('16777216 bytes')]);
  });

  test('says what is wrong with what was given', async () => {
    const messages = [
      [{}, 400, /content or template/],
      [{ content: 'a', data: {} }, 400, /data goes with template/],
      [{ template: 'YWJj', data: {} }, 422, /UNSUPPORTED: .*DOCX or HWPX/],
      [{ content: 'a', formt: 'docx' }, 400, /did you mean format/],
    ] as const;
    for (const [body, status, message] of messages) {
      const reply = await render(body);
      expect([reply.status, await reply.text()]).toEqual([status, expect.stringMatching(message)]);
    }
  });
});

describe('POST /document/parse', () => {
  test('gives the blocks of a document by page, under both prefixes', async () => {
    covers('document.parse', 'document.parse.json');
    for (const path of ['/v1/document/parse', '/api/v1/document/parse/']) {
      const { status, body, headers } = await send(form(page, '업무 보고.html'), { path });
      expect(status).toBe(200);
      expect(body.status).toEqual({ code: '20000', message: 'OK' });
      expect(body.usage).toEqual({ pages: 1 });
      expect(headers.get('x-ratelimit-remaining')).not.toBeNull();
      const result = ParsedDocument.parse(body.result);
      expect(result).toMatchObject({ status: 'SUCCESS', format: 'html', document_name: '업무 보고.html' });
      expect(result.prediction?.all_pages).toMatchObject([
        {
          page: 1,
          classes: [
            { id: '1_0', class: 'Heading', level: 1, contents: '# 제1장 총칙' },
            { id: '1_1', class: 'Text', contents: '본문 **굵게**' },
            {
              id: '1_2',
              class: 'Table',
              table: { rows: 2, columns: 2, cells: [{ column_span: 2, text: '가' }, {}, {}] },
            },
          ],
        },
      ]);
    }
  });

  test('keeps the state of a form, in the text and as fields, and reads what is attached to a mail', async () => {
    const bytes = writeHwpx({
      sections: [
        hwpxParagraph(
          '<hp:checkBtn caption="원천기술형" value="UNCHECKED" name="CheckBox1"/><hp:checkBtn caption="혁신제품형" value="CHECKED" name="CheckBox2"/>',
        ),
      ],
    });
    const fields = [
      { kind: 'checkbox', name: 'CheckBox1', label: '원천기술형', checked: false },
      { kind: 'checkbox', name: 'CheckBox2', label: '혁신제품형', checked: true },
    ];
    const { body } = await send(form(Uint8Array.from(bytes), '신청서.hwpx'));
    const { prediction } = ParsedDocument.parse(body.result);
    expect(prediction?.all_pages[0]?.classes).toMatchObject([{ contents: '☐원천기술형☑혁신제품형', fields }]);
    const mail = `From: a@a.example\r\nSubject: form\r\nDate: Mon, 5 Jan 2026 09:00:00 +0900\r\nMIME-Version: 1.0\r\nContent-Type: application/octet-stream; name="a.hwpx"\r\nContent-Disposition: attachment; filename="a.hwpx"\r\nContent-Transfer-Encoding: base64\r\n\r\n${bytes.toString('base64')}\r\n`;
    const letter = await send(form(mail, 'mail.eml', { response_format: 'markdown' }));
    expect(ParsedDocument.parse(letter.body.result)).toMatchObject({
      format: 'eml',
      contents: expect.stringContaining('# a.hwpx\n\n☐원천기술형☑혁신제품형') as string,
    });
  });

  test('writes headers and footers of pages and links notes to their marks, in the background too', async () => {
    const list = (text: string) => `<hp:subList>${hwpxParagraph(text)}</hp:subList>`;
    const control = (inner: string) => `<hp:ctrl>${inner}</hp:ctrl>`;
    const bytes = writeHwpx({
      sections: [
        hwpxParagraph(
          `${control(`<hp:header>${list('대외비 문서')}</hp:header>`)}<hp:t>본문</hp:t>${control(`<hp:footNote number="1">${list('각주의 글')}</hp:footNote>`)}`,
        ),
      ],
    });
    const file = Uint8Array.from(bytes);
    const fields = { response_format: 'markdown', headers_and_footers: 'true' };
    const { body } = await send(form(file, '각주.hwpx', fields));
    const text = '대외비 문서\n\n본문[^1]\n\n[^1]: 각주의 글';
    expect(ParsedDocument.parse(body.result).contents).toBe(text);
    const plain = await send(form(file, '각주.hwpx', { response_format: 'markdown' }));
    expect(ParsedDocument.parse(plain.body.result).contents).toBe(text.split('\n').slice(2).join('\n'));
    const refused = await send(form(file, '각주.hwpx', { headers_and_footers: 'ja' }));
    expect(refused.status).toBe(400);
    const accepted = await send(form(file, '각주.hwpx', fields), { path: '/v1/document/parse/async' });
    const id = DocumentAccepted.parse(accepted.body.result).document_id;
    await eventually(async () => {
      const response = await fetch(`${service.base}/v1/document/${id}/content`, {
        headers: { Authorization: `Bearer ${service.key}` },
      });
      const { result } = (await response.json()) as Answer['body'];
      expect(result).toMatchObject({ status: 'SUCCESS', contents: text });
    });
  });

  test('finds the values of a schema in forms, tables and lines, with where they stand', async () => {
    const row = (...cells: string[]) => `<hp:tr>${cells.join('')}</hp:tr>`;
    const cell = (words: string, place: readonly [number, number]) =>
      hwpxCell(words, place).replace('</hp:tc>', '<hp:cellSz width="20000" height="2000"/></hp:tc>');
    const rows = `${row(cell('성  명', [0, 0]), cell('홍길동', [0, 1]))}${row(cell('신청 금액', [1, 0]), cell('3천만원', [1, 1]))}`;
    const table = `<hp:tbl><hp:sz width="40000" height="4000"/>${rows}</hp:tbl>`;
    const paper =
      '<hp:secPr><hp:pagePr width="59528" height="84188"><hp:margin left="8504" right="8504" top="5668" bottom="4252" header="4252" footer="4252"/></hp:pagePr></hp:secPr>';
    const bytes = writeHwpx({
      sections: [
        hwpxParagraph(`${paper}<hp:checkBtn caption="동의함" value="CHECKED" name="Agree"/>`, '', [0]) +
          hwpxParagraph(table, '', [2000]) +
          hwpxParagraph('접수일: 2024. 3. 5.', '', [7000]),
      ],
    });
    const schema = {
      type: 'object',
      properties: {
        name: { type: 'string', title: '성명' },
        amount: { type: 'integer', 'x-labels': ['신청금액'] },
        received: { type: 'string', format: 'date', title: '접수일' },
        agreed: { type: 'boolean', title: '동의함' },
        phone: { type: 'string', title: '전화' },
      },
    };
    const path = '/v1/document/extract';
    const { status, body } = await send(
      form(Uint8Array.from(bytes), '신청서.hwpx', { schema: JSON.stringify(schema) }),
      {
        path,
      },
    );
    expect([status, body.usage]).toEqual([200, { pages: 1 }]);
    const result = ExtractedDocument.parse(body.result);
    expect(result).toMatchObject({
      values: { name: '홍길동', amount: 30_000_000, received: '2024-03-05', agreed: true },
      missing: ['phone'],
    });
    expect(result.fields.map(({ name, source }) => [name, source])).toEqual([
      ['agreed', 'form'],
      ['received', 'text'],
      ['name', 'table'],
      ['amount', 'table'],
    ]);
    const name = result.fields.find((field) => field.name === 'name');
    expect(name).toMatchObject({ page: 1, bbox: [285, 119.2, 485, 139.2] });
    const refused = await send(form('x', 'a.txt', { schema: '[{' }), { path });
    expect([refused.status, refused.body.status.message]).toEqual([
      400,
      expect.stringContaining('schema: it is no JSON'),
    ]);
    const unread = await send(form('', 'a.txt', { schema: JSON.stringify(schema) }), { path });
    expect(unread.status).toBe(422);
  });

  test.each([
    ['markdown', '# 제1장 총칙\n\n본문 **굵게**\n\n<table>'],
    ['html', '<h1>제1장 총칙</h1>\n<p>본문 <strong>굵게</strong></p>\n<table>'],
    ['text', '제1장 총칙\n\n본문 굵게\n\n가\n1\t2'],
  ])('or the whole as %s', async (format, start) => {
    covers('document.parse.formats');
    const { body } = await send(form(page, 'a.html', { response_format: format }));
    const result = ParsedDocument.parse(body.result);
    expect(result.contents?.startsWith(start)).toBe(true);
    expect(result.prediction).toBeUndefined();
  });

  test('says in the envelope what is wrong', async () => {
    covers('document.parse.errors');
    const refusals: [Sent, object, number, string, RegExp][] = [
      [form('x', 'a.txt', { response_format: 'pdf' }), {}, 400, '40001', /response_format/],
      [form('x', 'a.txt', { pages: '3-1' }), {}, 400, '40001', /pages/],
      [form('x', 'a.txt', { pages: 'all' }), {}, 400, '40001', /pages/],
      [new FormData(), {}, 400, '40001', /no file/],
      ['{}', { 'Content-Type': 'application/json' }, 415, '41500', /multipart/],
      ['--x', { 'Content-Type': 'multipart/form-data; boundary=x' }, 400, '40000', /./],
      ['x', { 'Content-Type': 'multipart/form-data' }, 415, '41500', /boundary/],
      ['x', { 'Content-Type': `multipart/form-data; boundary=${'b'.repeat(300)}` }, 400, '40000', /boundary/],
      [form('x'.repeat(300_000), 'a.txt'), {}, 413, '41300', /larger/],
      [form('', 'a.txt'), {}, 422, '42200', /^CORRUPTED: /],
      [form('HWP Document File V2.00', 'a.pdf'), {}, 422, '42200', /^UNSUPPORTED: .*HWPX/],
      [form('x', 'a.txt'), { Authorization: 'Bearer wrong' }, 401, '40100', /key/],
    ];
    for (const [body, headers, status, code, message] of refusals) {
      const answer = await send(body, { headers });
      expect([answer.status, answer.body.status.code], answer.body.status.message).toEqual([status, code]);
      expect(answer.body.status.message).toMatch(message);
      expect(answer.body.result).toBeUndefined();
    }
  });

  test('keeps nothing of what was sent', async () => {
    await send(form(page, 'a.html'));
    // From its bundle, where the run of the tests has made one: the sources take three times the processor time to start.
    if (process.env['STUDIO_TEST_BUNDLE'] !== undefined)
      expect(pidsOf(service.pid, '/document-reader/index.mjs').length).toBeGreaterThan(0);
    const folder = join(service.dataFolder, 'parsing');
    for (const own of readdirSync(folder)) expect(readdirSync(join(folder, own))).toEqual([]);
  });

  test('many at once are all answered', async () => {
    const all = await Promise.all(
      Array.from({ length: 30 }, (_, at) => send(form(`# 문서 ${at}`, `${at}.md`, { response_format: 'text' }))),
    );
    for (const [at, { status, body }] of all.entries())
      expect([status, (body.result as ParsedDocument).contents]).toEqual([200, `문서 ${at}`]);
  });
});

const ASYNC = '/v1/document/parse/async';

async function accept(body: FormData, path = ASYNC): Promise<string> {
  const answer = await send(body, { path });
  expect(answer.status, answer.body.status.message).toBe(200);
  expect(answer.body.usage).toBeUndefined();
  return DocumentAccepted.parse(answer.body.result).document_id;
}

interface Content {
  readonly result: DocumentContent;
  readonly usage: unknown;
}

async function contentOf(id: string, { at = service, prefix = '/v1', query = '' } = {}): Promise<Content> {
  const response = await fetch(`${at.base}${prefix}/document/${id}/content${query}`, {
    headers: { Authorization: `Bearer ${at.key}` },
  });
  const body = (await response.json()) as Answer['body'];
  expect(response.status, body.status.message).toBe(200);
  return { result: DocumentContent.parse(body.result), usage: body.usage };
}

const untilEnded = (id: string): Promise<Content> =>
  eventually(async () => {
    const content = await contentOf(id);
    expect(content.result.status).not.toBe('RUNNING_INFERENCE');
    return content;
  });

describe('POST /document/parse/async', () => {
  test('reads in the background, and the content is there to be fetched', async () => {
    covers('document.async', 'document.content', 'document.content.formats');
    for (const prefix of ['/v1', '/api/v1']) {
      const id = await accept(
        form(page, '업무 보고.html', { response_format: 'markdown' }),
        `${prefix}/document/parse/async`,
      );
      const { result, usage } = await untilEnded(id);
      expect(usage).toEqual({ pages: 1 });
      expect(result).toMatchObject({
        status: 'SUCCESS',
        document_id: id,
        document_name: '업무 보고.html',
        format: 'html',
      });
      expect(result).toMatchObject({ contents: expect.stringMatching(/^# 제1장 총칙/) as unknown });
      const { result: json } = await contentOf(id, { prefix, query: '?response_format=json' });
      const { result: whole } = (await send(form(page, '업무 보고.html'))).body;
      expect(json).toMatchObject({ prediction: ParsedDocument.parse(whole).prediction });
      expect(json).not.toHaveProperty('contents');
    }
  });

  test('tells why a document cannot be read', async () => {
    covers('document.content.failed');
    const { result, usage } = await untilEnded(await accept(form('HWP Document File V2.00', 'a.pdf')));
    expect(usage).toBeUndefined();
    expect(result).toMatchObject({
      status: 'FAILED',
      document_name: 'a.pdf',
      reason: { code: 'UNSUPPORTED', message: expect.stringMatching(/HWPX/) as unknown },
    });
  });

  test('refuses what is wrong at once', async () => {
    covers('document.async.errors', 'document.content.missing', 'document.content.formats');
    const refusals: [Sent, object, number, string][] = [
      [form('x', 'a.txt', { response_format: 'pdf' }), {}, 400, '40001'],
      [form('x', 'a.txt', { pages: '3-1' }), {}, 400, '40001'],
      [new FormData(), {}, 400, '40001'],
      ['{}', { 'Content-Type': 'application/json' }, 415, '41500'],
      [form('x'.repeat(300_000), 'a.txt'), {}, 413, '41300'],
      [form('x', 'a.txt'), { Authorization: 'Bearer wrong' }, 401, '40100'],
    ];
    for (const [body, headers, status, code] of refusals) {
      const answer = await send(body, { path: ASYNC, headers });
      expect([answer.status, answer.body.status.code], answer.body.status.message).toEqual([status, code]);
    }
    const id = await accept(form('글', 'a.txt'));
    const asked: [string, string, number, string][] = [
      [`/v1/document/${'0'.repeat(32)}/content`, service.key, 404, '40400'],
      ['/v1/document/x/content', service.key, 404, '40400'],
      [`/v1/document/${id}/content?response_format=pdf`, service.key, 400, '40001'],
      [`/v1/document/${id}/content`, 'wrong', 401, '40100'],
    ];
    for (const [path, key, status, code] of asked) {
      const response = await fetch(service.base + path, { headers: { Authorization: `Bearer ${key}` } });
      const body = (await response.json()) as Answer['body'];
      expect([response.status, body.status.code], path).toEqual([status, code]);
    }
  });
});

test('what takes too long is told where there is more time', async () => {
  covers('document.parse.timeout');
  const hasty = await startService({ config: { documents: { timeout_ms: 1, async_timeout_ms: 60_000 } } });
  try {
    const response = await fetch(`${hasty.base}/v1/document/parse`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${hasty.key}` },
      body: form('a,b\n'.repeat(50_000), 'a.csv'),
    });
    expect(response.status).toBe(422);
    const { status } = (await response.json()) as Answer['body'];
    expect(status.message).toMatch(/^TIMEOUT: .*\/v1\/document\/parse\/async.* 60 seconds/);
  } finally {
    await hasty.close();
  }
});

test('documents survive kill -9 and a stop in the middle', async () => {
  covers('document.async.restart');
  const dataFolder = await temporaryFolder();
  const config = { documents: { processes: 1 }, limits: { requests_per_minute: null } };
  const options = { dataFolder, port: await freePort(), config };
  let own = await startService(options);
  try {
    await withDatabaseOf(own, (db) => takeNobodyForGone(db, 'document_parses'));
    const rows = 'a,b,c,d\n'.repeat(20_000);
    const count = times(16, 40);
    const uploads = Array.from({ length: count }, (_, at) =>
      fetch(own.base + ASYNC, {
        method: 'POST',
        headers: { Authorization: `Bearer ${own.key}` },
        body: form(rows, `${at}.csv`, { response_format: 'text' }),
      }).then(async (response) => DocumentAccepted.parse(((await response.json()) as Answer['body']).result)),
    );
    const open = new Set((await Promise.all(uploads)).map(({ document_id }) => document_id));
    /** Waits until so few are left, and tells how many are. */
    const untilLeft = async (count: number) => {
      for (;;) {
        for (const id of open) {
          if (open.size <= count) return open.size;
          const { result } = await contentOf(id, { at: own });
          expect(result.status).not.toBe('FAILED');
          if (result.status === 'SUCCESS') open.delete(id);
        }
        if (open.size <= count) return open.size;
        await wait(20);
      }
    };
    expect(await untilLeft(count - 1)).toBeGreaterThan(0);
    await own.kill();
    own = await startService(options);
    expect(await untilLeft(count - 4)).toBeGreaterThan(0);
    expect(await own.stop()).toBe(0);
    own = await startService(options);
    await untilLeft(0);
  } finally {
    await own.close();
    await rm(dataFolder, { recursive: true, force: true });
  }
});
