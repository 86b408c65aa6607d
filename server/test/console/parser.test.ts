import {
  ParserBlocks,
  ParserDocument,
  ParserDocuments,
  ParserOutline,
  ParserTable,
  ParserText,
} from '@ai-studio/contract/console/parser.ts';
import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PdfWriter } from '@ai-studio/documents/test/pdf.ts';
import { cell, paragraph, text, writeHwpx } from '@ai-studio/documents/test/hwpx.ts';
import { blobKey } from '../../src/parsing/jobs/record.ts';
import { type ConsoleHouse, expectRefused, openConsoleHouse } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { makeTenant, personOf, type SignedInBrowser } from '../support/people.ts';

let house: ConsoleHouse;
let dev: SignedInBrowser;
let colleague: SignedInBrowser;
let stranger: SignedInBrowser;

const LIMIT = 1_000_000;

beforeAll(async () => {
  house = await openConsoleHouse({ STUDIO_DOCUMENTS_UPLOAD_BYTES: String(LIMIT), STUDIO_DOCUMENTS_PROCESSES: '1' });
  const ours = await makeTenant(house, 'Ours');
  dev = await personOf(house, ours, 'developer');
  colleague = await personOf(house, ours, 'administrator');
  stranger = await personOf(house, await makeTenant(house, 'Theirs'), 'developer');
});
afterAll(() => house.close());

/** Gives a file to be read, as the page does. */
async function give(who: SignedInBrowser, name: string, content: string | Buffer, query = '') {
  const response = await fetch(
    `${house.base}/console/api/parser?name=${encodeURIComponent(name)}&size=${Buffer.byteLength(content)}${query}`,
    {
      method: 'POST',
      headers: { cookie: who.cookie, origin: house.base, 'content-type': 'application/octet-stream' },
      body: new Uint8Array(Buffer.from(content)),
    },
  );
  return { status: response.status, body: await response.json() };
}

/** Gives a file and waits until it is read, or is not. */
async function read(who: SignedInBrowser, name: string, content: string | Buffer, query = '') {
  const { status, body } = await give(who, name, content, query);
  expect(status, JSON.stringify(body)).toBe(201);
  const { id } = ParserDocument.parse(body);
  return eventually(async () => {
    const document = ParserDocument.parse((await who.get(`/parser/${id}`)).json());
    expect(['done', 'failed']).toContain(document.state);
    return document;
  });
}

const pdf = () => {
  const writer = new PdfWriter({ Title: '보고서' });
  writer
    .page()
    .text(72, 72, '1. Results', { size: 20, bold: true })
    .text(72, 110, 'All is well.')
    .table(
      72,
      140,
      [100, 100],
      [
        ['Name', 'Count'],
        ['Apples', '3'],
      ],
    );
  writer.page({ width: 842, height: 595 }).text(72, 72, 'The second page.');
  return writer.bytes();
};

describe('a document of a person', () => {
  test('is read, listed, and told of page by page', async () => {
    const document = await read(dev, '보고서.pdf', pdf());
    expect(document).toMatchObject({ name: '보고서.pdf', format: 'pdf', state: 'done', pages_done: 2, failure: null });
    const { items, max_bytes: most, keep_hours: hours } = ParserDocuments.parse((await dev.get('/parser')).json());
    expect(items[0]).toEqual(document);
    expect([most, hours]).toEqual([LIMIT, 24]);

    const outline = ParserOutline.parse((await dev.get(`/parser/${document.id}/outline`)).json());
    expect(outline).toMatchObject({ format: 'pdf', title: '보고서', pictures: true });
    expect(outline.pages).toMatchObject([
      { number: 1, width: 595, height: 842, blocks: 3 },
      { number: 2, width: 842 },
    ]);

    const first = ParserBlocks.parse((await dev.get(`/parser/${document.id}/pages/1`)).json());
    expect(first).toMatchObject({ page: 1, from: 0, total: 3, next: null });
    expect(first.items.map((item) => [item.id, item.class])).toEqual([
      ['1_0', 'Heading'],
      ['1_1', 'Text'],
      ['1_2', 'Table'],
    ]);
    const [left = 0, top = 0, right = 0, bottom = 0] = first.items[1]?.box ?? [];
    expect(left).toBeCloseTo(72, 0);
    expect([top < 110, bottom > 105, right > left]).toEqual([true, true, true]);
    expect(first.items[2]?.content).toMatchObject({ type: 'table', rows: 2, columns: 2 });
    expect(ParserBlocks.parse((await dev.get(`/parser/${document.id}/pages/1?from=2`)).json()).items).toHaveLength(1);
    expectRefused(await dev.get(`/parser/${document.id}/pages/3`), 404);
    expectRefused(await dev.get(`/parser/${document.id}/pages/1/blocks/1`), 404);
  });

  test('is shown as text of a page, and given whole as a file', async () => {
    const { id } = await read(dev, '보고 (1).pdf', pdf());
    const page = async (query: string) => ParserText.parse((await dev.get(`/parser/${id}/text?${query}`)).json());
    expect(await page('format=markdown&page=2')).toEqual({ text: 'The second page.', cut: false });
    expect((await page('format=html&page=1')).text).toContain('<th>');
    expect(JSON.parse((await page('format=json&page=2')).text)).toMatchObject({
      all_pages: [{ page: 2, classes: [{ id: '2_0' }] }],
    });
    const file = await dev.get(`/parser/${id}/file?format=markdown`);
    expect(file.headers.get('content-disposition')).toContain("filename*=UTF-8''%EB%B3%B4%EA%B3%A0%20%281%29.md");
    expect(file.text).toContain('All is well.');
    expect(file.text).toContain('The second page.');
    const json = await dev.get(`/parser/${id}/file?format=json`);
    expect(json.json()).toMatchObject({
      document_id: id,
      status: 'SUCCESS',
      prediction: { all_pages: [{ page: 1 }, { page: 2 }] },
    });
    // What comes of a stranger's file runs nowhere.
    const html = await dev.get(`/parser/${id}/file?format=html`);
    expect(html.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect(html.headers.get('x-content-type-options')).toBe('nosniff');
    expect(html.headers.get('content-disposition')).toMatch(/^attachment/);
  });

  test('has pictures of its pages where its format has pages that look like something', async () => {
    const { id } = await read(dev, 'a.pdf', pdf());
    const picture = async (page: number, width: number) => {
      const response = await fetch(`${house.base}/console/api/parser/${id}/pages/${page}/picture?width=${width}`, {
        headers: { cookie: dev.cookie },
      });
      return { response, bytes: Buffer.from(await response.arrayBuffer()) };
    };
    const { response, bytes } = await picture(2, 421);
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(bytes.subarray(1, 4).toString()).toBe('PNG');
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([421, 298]);
    expect((await picture(1, 9_999)).response.status).toBe(400);
    expect((await picture(3, 400)).response.status).toBe(422);
    const plain = await read(dev, 'a.txt', '글');
    expectRefused(await dev.get(`/parser/${plain.id}/pages/1/picture`), 404);
    // Nothing is left where files lie while they are drawn.
    expect(readdirSync(folderOfWork()).filter((name) => name.startsWith('picture-'))).toEqual([]);
  });

  test('of a format without a layout keeps its tables, with cells that reach over several places', async () => {
    const cells = `<hp:tr>${cell(text('제목'), [0, 0], [1, 2])}</hp:tr><hp:tr>${cell(text('가'), [1, 0])}${cell(text('나'), [1, 1])}</hp:tr>`;
    const table = `<hp:tbl rowCnt="2" colCnt="2"><hp:pos treatAsChar="1"/>${cells}</hp:tbl>`;
    const section = paragraph(`${text('앞')}${table}`);
    const { id, state } = await read(dev, '표.hwpx', writeHwpx({ sections: [section] }));
    expect(state).toBe('done');
    const { items } = ParserBlocks.parse((await dev.get(`/parser/${id}/pages/1`)).json());
    expect(JSON.stringify(items)).toContain('"column_span":2');
  });

  test('that is large comes in parts, and its tables by rows', async () => {
    const many = await read(dev, 'many.txt', Array.from({ length: 450 }, (_, at) => `줄 ${at}`).join('\n\n'));
    const part = async (from: number) =>
      ParserBlocks.parse((await dev.get(`/parser/${many.id}/pages/1?from=${from}`)).json());
    const [first, second, third] = [await part(0), await part(200), await part(400)];
    expect([first.next, second.next, third.next]).toEqual([200, 400, null]);
    expect([first.total, third.items.length, third.items.at(-1)?.id]).toEqual([450, 50, '1_449']);

    const csv = await read(
      dev,
      'wide.csv',
      `a,b,c\n${Array.from({ length: 900 }, (_, at) => `${at},x,y`).join('\n')}\n`,
    );
    const { items } = ParserBlocks.parse((await dev.get(`/parser/${csv.id}/pages/1`)).json());
    expect(items[0]?.content).toMatchObject({ type: 'table', rows: 901, from_row: 1, to_row: 101 });
    const rows = ParserTable.parse((await dev.get(`/parser/${csv.id}/pages/1/blocks/0?from_row=851`)).json());
    expect(rows).toMatchObject({ from_row: 851, to_row: 901 });
    // Headings stand before every part.
    expect(rows.cells.filter(({ row }) => row === 0)).toHaveLength(3);
    expect(rows.cells.filter(({ row }) => row === 851)[0]?.content).toMatchObject([{ spans: [{ text: '850' }] }]);
    expectRefused(await dev.get(`/parser/${csv.id}/pages/1/blocks/0?from_row=901`), 404);
  });

  test('that cannot be read has failed, with the reason', async () => {
    expect(await read(dev, 'a.pdf', '%PDF-1.7 broken')).toMatchObject({
      state: 'failed',
      failure: 'CORRUPTED',
      format: null,
    });
    expect(await read(dev, 'locked.pdf', new PdfWriter().bytes({ locked: true }))).toMatchObject({
      failure: 'ENCRYPTED',
    });
  });

  test('is read as far as was asked for', async () => {
    const { id, pages_done: pages } = await read(dev, 'a.pdf', pdf(), '&pages=2');
    expect(pages).toBe(1);
    expect(ParserOutline.parse((await dev.get(`/parser/${id}/outline`)).json()).pages).toMatchObject([{ number: 2 }]);
  });

  test('that is too large, or no file at all, is refused', async () => {
    const { status, body } = await give(dev, 'large.txt', 'x'.repeat(LIMIT + 1));
    expect([status, body]).toMatchObject([
      413,
      { error: { reason: 'document_too_large', values: { max_bytes: LIMIT } } },
    ]);
    // Also where its length is a lie.
    const lied = await fetch(`${house.base}/console/api/parser?name=a.txt&size=1`, {
      method: 'POST',
      headers: { cookie: dev.cookie, origin: house.base, 'content-type': 'application/octet-stream' },
      body: 'x'.repeat(LIMIT + 1),
    });
    expect(lied.status).toBe(413);
    expectRefused(await dev.send('POST', '/parser?name=a&size=1', '{}', { 'content-type': 'application/json' }), 415);
    expect((await give(dev, 'a.txt', 'x', '&pages=9-1')).status).toBe(400);
    expect(readdirSync(folderOfWork()).filter((name) => name.startsWith('upload-'))).toEqual([]);
  });

  test('is nobody else’s: not a colleague’s, not another tenant’s', async () => {
    const { id } = await read(dev, 'mine.txt', 'secret');
    const paths = ['', '/outline', '/pages/1', '/pages/1/picture', '/text', '/file'];
    for (const other of [colleague, stranger]) {
      for (const path of paths) expectRefused(await other.get(`/parser/${id}${path}`), 404);
      expectRefused(await other.delete(`/parser/${id}`), 404);
      expect((await other.get('/parser')).text).not.toContain(id);
    }
    for (const path of paths.filter((one) => !one.endsWith('picture')))
      expect((await dev.get(`/parser/${id}${path}`)).status, path).toBe(200);
  });

  test('that has expired is not there any more', async () => {
    const { id } = await read(dev, 'old.txt', 'old');
    expect((await dev.get(`/parser/${id}/pages/1`)).status).toBe(200);
    const past = new Date(Date.now() - 1_000);
    await house.db.query.updateTable('document_parses').set({ expires_at: past }).where('id', '=', id).execute();
    for (const path of ['', '/outline', '/pages/1', '/file']) expectRefused(await dev.get(`/parser/${id}${path}`), 404);
    expect((await dev.get('/parser')).text).not.toContain(id);
  });

  test('is counted by its pages for the person', async () => {
    const total = async () =>
      (await dev.get('/usage?group=endpoint')).json<{ rows: { key: string; requests: number; pages: number }[] }>();
    const pagesOf = async () => (await total()).rows.find(({ key }) => key === 'document/parse')?.pages ?? 0;
    const before = await pagesOf();
    await read(dev, 'a.pdf', pdf());
    await eventually(async () => expect(await pagesOf()).toBe(before + 2));
    expect((await dev.get('/usage.csv?group=endpoint')).text).toContain('pages');
  });
});

test('documents of keys are counted too: read at once, in the background, and not read', async () => {
  const made = await dev.post('/keys', {
    name: 'reader',
    scopes: ['utilities'],
    allowed_models: null,
    requests_per_minute: null,
    tokens_per_minute: null,
    tool_stream: null,
    expires_at: null,
  });
  const { value, key } = made.json<{ value: string; key: { id: string } }>();
  const send = async (path: string, content: Buffer | string) => {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(Buffer.from(content))]), 'a.pdf');
    const headers = { authorization: `Bearer ${value}` };
    return (await fetch(`${house.base}/v1/document/${path}`, { method: 'POST', headers, body: form })).status;
  };
  expect(await send('parse', pdf())).toBe(200);
  expect(await send('parse', '%PDF-1.7 broken')).toBe(422);
  expect(await send('parse/async', pdf())).toBe(200);
  type Row = { key: string; requests: number; errors: number; pages: number };
  const rows = async (group: string) =>
    (await dev.get(`/usage?group=${group}&key_id=${key.id}`)).json<{ rows: Row[] }>().rows;
  await eventually(async () =>
    expect(await rows('endpoint')).toMatchObject([{ key: 'document/parse', requests: 3, errors: 1, pages: 4 }]),
  );
  expect(await rows('status')).toMatchObject([
    { key: '200', requests: 2 },
    { key: '422', requests: 1, pages: 0 },
  ]);
});

describe('removing', () => {
  test('takes the file and what was read', async () => {
    const { id } = await read(dev, 'a.txt', 'x');
    const { tenantId } = dev;
    expect((await dev.delete(`/parser/${id}`)).status).toBe(204);
    expectRefused(await dev.get(`/parser/${id}`), 404);
    expectRefused(await dev.delete(`/parser/${id}`), 404);
    expect(readdirSync(house.dataFolder, { recursive: true }).map(String).join('\n')).not.toContain(
      blobKey({ id, tenantId }),
    );
  });

  test('ends the reading, and the next document is read', async () => {
    // One process reads one document at a time; this one takes long.
    const slow = Array.from({ length: 140_000 }, () => 'a,b,c').join('\n');
    const { body } = await give(dev, 'slow.csv', slow);
    const { id } = ParserDocument.parse(body);
    await eventually(async () => expect((await dev.get(`/parser/${id}`)).text).toMatch(/"state":"(?:reading|done)"/));
    expect((await dev.delete(`/parser/${id}`)).status).toBe(204);
    expect(await read(dev, 'next.txt', 'next')).toMatchObject({ state: 'done' });
    const row = await house.db.query.selectFrom('document_parses').select('id').where('id', '=', id).executeTakeFirst();
    expect(row).toBeUndefined();
  });
});

/** Where files lie while something is done with them. */
function folderOfWork(): string {
  return `${house.dataFolder}/parsing/${process.pid}`;
}
