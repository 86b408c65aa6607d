import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ParsedDocument } from '@ai-studio/contract/utilities/document.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { covers } from '../requirements.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService({ config: { documents: { upload_bytes: 200_000 } } });
});
afterAll(() => service.close());

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

function form(content: string, name: string, fields: Readonly<Record<string, string>> = {}): FormData {
  const data = new FormData();
  for (const [key, value] of Object.entries(fields)) data.set(key, value);
  data.set('file', new Blob([content]), name);
  return data;
}

const page = '<h1>제1장 총칙</h1><p>본문 <b>굵게</b></p><table><tr><th colspan=2>가<tr><td>1<td>2</table>';

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
      [form('x'.repeat(300_000), 'a.txt'), {}, 413, '41300', /larger/],
      [form('', 'a.txt'), {}, 422, '42200', /^CORRUPTED: /],
      [form('{\\rtf1 x}', 'a.pdf'), {}, 422, '42200', /^UNSUPPORTED: .*DOCX/],
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
