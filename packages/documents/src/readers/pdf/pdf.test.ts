import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { times } from '../../../../../server/test/support/long.ts';
import { PdfWriter, textWidth } from '../../../test/pdf.ts';
import { type Block, type Document, textOf } from '../../document.ts';
import { ParseError } from '../../parse-error.ts';
import { type ParseLimits, standardLimits } from '../../reader.ts';
import { readPdf } from './index.ts';

const read = async (
  bytes: Uint8Array,
  limits: Partial<ParseLimits> = {},
  pages: ReadonlySet<number> | null = null,
): Promise<Document> =>
  readPdf(Uint8Array.from(bytes), { limits: { ...standardLimits, ...limits }, pages, onPage: () => undefined });

const wordsOf = (block: Block): string => {
  switch (block.type) {
    case 'heading':
    case 'paragraph':
      return textOf(block.spans);
    case 'list':
      return block.items.map(({ marker, spans }) => `${marker} ${textOf(spans)}`).join('\n');
    case 'table':
      return block.cells.map((cell) => cell.blocks.map(wordsOf).join('/')).join('|');
    case 'footnote':
    case 'header':
    case 'footer':
      return block.blocks.map(wordsOf).join('\n');
    case 'code':
      return block.text;
    default:
      return '';
  }
};
const outlineOf = (document: Document) =>
  document.blocks.map((block) => [block.type === 'heading' ? block.level : block.type, wordsOf(block)]);

/** Lines as wide as each other, for columns of prose. */
const prose = (name: string, lines: number, letters = 24) =>
  Array.from({ length: lines }, (_, at) => `${name}${at} ${'가'.repeat(4)} `.padEnd(letters, '나'));

describe('PDF', () => {
  test('paragraphs, headings by size and number, what the file says about itself', async () => {
    const pdf = new PdfWriter({ Title: '연구 보고', Author: '김하나', CreationDate: "D:20240131120000+09'00'" });
    pdf
      .page()
      .text(72, 90, '연구 보고서', { size: 20 })
      .text(72, 140, '제1장 총칙', { size: 14 })
      .lines(72, 170, [
        '이 규정은 연구에 필요한 사항을 정하여 그 절차를 밝히는 데 쓰인다고 하였으',
        '며 모두 이를 따른다.',
      ])
      .text(72, 220, '1. 목적', { size: 12 })
      .lines(72, 250, ['The work of every one of them, wherever it stands, is listed by depart-', 'ment here below.'])
      .text(72, 310, '2. 범위', { size: 12 })
      .lines(72, 340, ['모든 연구에 적용한다.']);
    const document = await read(pdf.bytes());
    expect(document.meta).toEqual({
      title: '연구 보고',
      author: '김하나',
      created: '2024-01-31T12:00:00+09:00',
    });
    expect(document.pages).toEqual([{ number: 1, width: 595, height: 842 }]);
    expect(outlineOf(document)).toEqual([
      [1, '연구 보고서'],
      [2, '제1장 총칙'],
      ['paragraph', '이 규정은 연구에 필요한 사항을 정하여 그 절차를 밝히는 데 쓰인다고 하였으며 모두 이를 따른다.'],
      [3, '1. 목적'],
      ['paragraph', 'The work of every one of them, wherever it stands, is listed by department here below.'],
      [3, '2. 범위'],
      ['paragraph', '모든 연구에 적용한다.'],
    ]);
    expect(document.blocks[0]?.box?.x).toBeCloseTo(72, 0);
    expect(document.blocks[0]?.box?.y).toBeLessThan(90);
    expect(document.warnings).toEqual([]);
  });

  test('columns are read one after the other, what reaches over them where it stands', async () => {
    const pdf = new PdfWriter();
    const page = pdf.page();
    page.text(72, 60, '두 단에 걸친 아주 긴 제목이 맨 위에 있다', { size: 16 });
    const [left, right] = [prose('왼', 8), prose('오', 8)];
    for (let at = 0; at < 8; at++) page.text(72, 100 + at * 14, left[at]!).text(330, 100 + at * 14, right[at]!);
    const text = (await read(pdf.bytes())).blocks.map(wordsOf).join(' ');
    const places = ['제목이', '왼0', '왼7', '오0', '오7'].map((word) => text.indexOf(word));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places.every((place) => place >= 0)).toBe(true);
  });

  test('words part where the page shows a gap, though the file has no blank', async () => {
    const pdf = new PdfWriter();
    const page = pdf.page();
    let x = 72;
    for (const word of ['서울시', 'alpha', '예산을', 'beta']) {
      page.text(x, 100, word);
      x += textWidth(word) + 3;
    }
    expect(outlineOf(await read(pdf.bytes()))).toEqual([['paragraph', '서울시 alpha 예산을 beta']]);
  });

  test('a ruled table with cells that reach over rows and columns, and a caption', async () => {
    const pdf = new PdfWriter();
    const page = pdf.page();
    page.text(72, 90, '표 1. 예산');
    // Open at both sides, as Korean tables often are.
    for (const y of [100, 140, 160, 180]) page.line(72, y, 372, y);
    page.line(172, 120, 372, 120).line(172, 100, 172, 180).line(272, 120, 272, 180);
    page.text(80, 114, '구분').text(180, 114, '금액').text(180, 134, '2023').text(280, 134, '2024');
    page.text(80, 154, '인건비').text(180, 154, '1,000').text(280, 154, '2,000');
    page.text(80, 174, '운영비').text(180, 174, '300').text(280, 174, '400');
    const { blocks } = await read(pdf.bytes());
    expect(blocks).toHaveLength(1);
    expect(blocks[0]).toMatchObject({
      type: 'table',
      rows: 4,
      columns: 3,
      headerRows: 2,
      caption: [{ text: '표 1. 예산' }],
      cells: [
        { row: 0, column: 0, rowSpan: 2, columnSpan: 1, header: true, box: { x: 72, y: 100, width: 100, height: 40 } },
        { row: 0, column: 1, rowSpan: 1, columnSpan: 2, header: true, box: { x: 172, y: 100, width: 200, height: 20 } },
        { row: 1, column: 1, header: true },
        { row: 1, column: 2, header: true },
        { row: 2, column: 0 },
        { row: 2, column: 1 },
        { row: 2, column: 2 },
        { row: 3, column: 0 },
        { row: 3, column: 1 },
        { row: 3, column: 2, box: { x: 272, y: 160, width: 100, height: 20 } },
      ],
    });
    expect(wordsOf(blocks[0]!)).toBe('구분|금액|2023|2024|인건비|1,000|2,000|운영비|300|400');
  });

  test('a table that goes on over the page is one, its heading is not repeated', async () => {
    const pdf = new PdfWriter();
    const rows = (from: number) => Array.from({ length: 5 }, (_, at) => [`항목${from + at}`, `${from + at}00`]);
    pdf
      .page()
      .lines(72, 100, prose('앞', 3))
      .table(72, 640, [150, 150], [['이름', '금액'], ...rows(1)]);
    pdf
      .page()
      .table(72, 60, [150, 150], [['이름', '금액'], ...rows(6)])
      .lines(72, 300, prose('뒤', 3));
    const { blocks } = await read(pdf.bytes());
    const [table, ...others] = blocks.filter(({ type }) => type === 'table');
    expect(others).toEqual([]);
    expect(table).toMatchObject({ rows: 11, columns: 2, headerRows: 1, page: 1 });
    // Row 6 is the first below the heading on the second page.
    expect(table?.type === 'table' && table.cells.filter(({ row }) => row === 5 || row === 6)).toMatchObject([
      { box: { x: 72, y: 740, width: 150, height: 20 } },
      { box: { x: 222, y: 740, width: 150, height: 20 } },
      { page: 2, box: { x: 72, y: 80, width: 150, height: 20 } },
      { page: 2, box: { x: 222, y: 80, width: 150, height: 20 }, blocks: [{ page: 2 }] },
    ]);
  });

  test('a table without lines is seen by its columns of figures; prose is none', async () => {
    const pdf = new PdfWriter();
    const page = pdf.page().lines(72, 80, prose('글', 4, 40));
    for (const [at, row] of [
      ['구분', '수량', '금액'],
      ['연필', '10', '1,000'],
      ['공책', '25', '12,500'],
      ['가방', '3', '90,000'],
    ].entries())
      for (const [column, text] of row.entries()) page.text(72 + column * 120, 200 + at * 16, text);
    const { blocks } = await read(pdf.bytes());
    expect(blocks.map(({ type }) => type)).toEqual(['paragraph', 'table']);
    expect(blocks[1]).toMatchObject({ rows: 4, columns: 3, headerRows: 1 });
  });

  test('letters on their side stay in their cell, shadows of letters go', async () => {
    const pdf = new PdfWriter();
    const page = pdf.page().lines(72, 80, prose('글', 4, 40));
    page.table(
      72,
      200,
      [60, 200],
      [
        ['', '이름.'],
        ['', '값.'],
      ],
      60,
    );
    page.text(100, 250, 'side.', { angle: 90 });
    page.text(72, 400, 'shadow', { size: 14 }).text(72.8, 400.6, 'shadow', { size: 14 });
    const { blocks } = await read(pdf.bytes());
    expect(blocks.map(wordsOf).slice(1)).toEqual(['side.|이름.||값.', 'shadow']);
  });

  test('writing from right to left is read in its order', async () => {
    const pdf = new PdfWriter();
    // As it is painted: the first letter stands at the right.
    pdf.page().text(72, 200, [...'שלום עולם 2024'].toReversed().join('').replace('4202', '2024'));
    expect((await read(pdf.bytes())).blocks.map(wordsOf)).toEqual(['שלום עולם 2024']);
  });

  test('prose between lines across the page is no table', async () => {
    const pdf = new PdfWriter();
    const page = pdf.page();
    for (const y of [100, 200, 300]) page.line(72, y, 500, y);
    page.lines(72, 120, prose('가', 5, 60)).lines(72, 220, ['짧은 말     하나', ...prose('나', 4, 60)]);
    expect((await read(pdf.bytes())).blocks.some(({ type }) => type === 'table')).toBe(false);
  });

  test('headers, footers and numbers of pages stand once, apart from the text', async () => {
    const pdf = new PdfWriter();
    for (let page = 1; page <= 3; page++)
      pdf
        .page()
        .text(72, 40, '연구원 내부 자료')
        .lines(72, 120, prose(`쪽${page}줄`, 6))
        .text(280, 810, `- ${page} -`);
    const document = await read(pdf.bytes());
    expect(document.blocks.filter(({ type }) => type === 'header').map(wordsOf)).toEqual(['연구원 내부 자료']);
    expect(document.blocks.filter(({ type }) => type === 'footer').map(wordsOf)).toEqual(['- 1 -']);
    const running = document.blocks.filter(({ type }) => type !== 'header' && type !== 'footer').map(wordsOf);
    expect(running.join('\n')).not.toMatch(/내부 자료|- \d -/);
    expect(running.join('\n')).toMatch(/쪽1줄0.*쪽2줄0.*쪽3줄0/s);
  });

  test('lists, contents, notes at the foot, code and links', async () => {
    const pdf = new PdfWriter();
    pdf
      .page()
      .text(72, 100, '목차')
      .text(72, 120, '제1장 총칙 ················ 3')
      .text(72, 140, '제2장 보칙 ················ 9')
      .lines(72, 180, ['본문에는 각주가 있다 그리고 더 길게 이어지는 문장이 있어서 줄을 채운다고 한다'])
      .text(
        72 + textWidth('본문에는 각주가 있다 그리고 더 길게 이어지는 문장이 있어서 줄을 채운다고 한다'),
        176,
        '1)',
        {
          size: 6,
        },
      )
      .lines(72, 220, ['• 첫째 항목이다', '• 둘째 항목이다'], { pitch: 16 })
      .lines(72, 280, ['if (a) {', '  b();', '}'], { fixed: true })
      .text(72, 340, '누리집으로 간다')
      .link(72, 330, 70, 14, 'https://example.org/a')
      .line(72, 740, 200, 740)
      .text(72, 756, '1) 각주의 글이다', { size: 8 });
    const { blocks } = await read(pdf.bytes());
    expect(blocks.filter((block) => block.type === 'paragraph' && block.role === 'contents').map(wordsOf)).toHaveLength(
      3,
    );
    expect(blocks.filter(({ type }) => type === 'heading')).toEqual([]);
    expect(blocks.find(({ type }) => type === 'list')).toMatchObject({
      items: [{ marker: '•' }, { marker: '•' }],
    });
    expect(blocks.find(({ type }) => type === 'code')).toMatchObject({ text: 'if (a) {\n  b();\n}' });
    const note = blocks.find((block) => block.type === 'footnote');
    expect(note).toMatchObject({ kind: 'footnote', marker: '1)' });
    const spans = blocks.flatMap((block) => (block.type === 'paragraph' ? block.spans : []));
    expect(spans.find((span) => span.note !== undefined)).toMatchObject({
      text: '1)',
      script: 'super',
      note: note?.id,
    });
    expect(spans.find(({ link }) => link !== undefined)).toMatchObject({ link: 'https://example.org/a' });
  });

  test('what nobody sees is marked as hidden', async () => {
    const pdf = new PdfWriter();
    pdf
      .page()
      .text(72, 100, '보이는 글이다')
      .text(72, 140, '하얀 글', { colour: [1, 1, 1] })
      .text(72, 180, '그리지 않은 글', { mode: 3 })
      .text(700, 220, '쪽 밖의 글')
      .fill(60, 250, 200, 30, [0, 0, 0.4])
      .text(72, 270, '칠한 곳의 하얀 글', { colour: [1, 1, 1] });
    const { blocks } = await read(pdf.bytes());
    const hidden = blocks.filter((block) => block.hidden === true).map(wordsOf);
    expect(hidden.toSorted()).toEqual(['그리지 않은 글', '쪽 밖의 글', '하얀 글']);
  });

  test('an outline and a structure give levels', async () => {
    const pdf = new PdfWriter();
    pdf
      .page()
      .text(72, 100, '들어가는 말')
      .lines(72, 130, prose('가', 5))
      .text(72, 300, '나오는 말')
      .lines(72, 330, prose('나', 5));
    pdf.bookmark('들어가는 말', 1).bookmark('나오는 말', 1);
    const tagged = new PdfWriter();
    tagged
      .page()
      .text(72, 100, '첫 부분', { mark: { tag: 'H2', id: 0 } })
      .lines(72, 130, prose('가', 5));
    tagged.structure([{ tag: 'H2', id: 0 }]);
    const headings = async (bytes: Uint8Array) =>
      (await read(bytes)).blocks.filter(({ type }) => type === 'heading').map(wordsOf);
    expect(await headings(pdf.bytes())).toEqual(['들어가는 말', '나오는 말']);
    expect(await headings(tagged.bytes())).toEqual(['첫 부분']);
  });

  test.each([0, 90, 180, 270])('a page turned by %i degrees reads the same', async (rotate) => {
    const pdf = new PdfWriter();
    const page = pdf.page({ rotate });
    // Written so that it stands upright once the page is turned.
    const place = (x: number, y: number): [number, number] =>
      rotate === 90 ? [y, 842 - x] : rotate === 180 ? [595 - x, 842 - y] : rotate === 270 ? [595 - y, x] : [x, y];
    for (const [at, line] of ['첫째 줄은 길게 써서 줄을 채우고,', '둘째 줄로 끝난다.'].entries())
      page.text(...place(72, 100 + at * 14), line, { angle: rotate });
    const { blocks, pages } = await read(pdf.bytes());
    expect(wordsOf(blocks[0]!)).toMatch(/첫째 줄은 .* 둘째 줄로 끝난다\./);
    expect(blocks).toHaveLength(1);
    expect(pages[0]).toMatchObject(rotate % 180 === 0 ? { width: 595 } : { width: 842 });
    expect(blocks[0]?.box?.x).toBeCloseTo(72, 0);
  });

  test('pictures stand as blocks, and pages without text are told', async () => {
    const pdf = new PdfWriter();
    pdf.page().text(72, 100, '글이 있다').image(72, 140, 200, 100).text(72, 260, '그림 1. 전경');
    pdf.page().image(0, 0, 595, 842);
    pdf.page().text(72, 100, '알 수 없는 글꼴', { unmapped: true });
    const document = await read(pdf.bytes());
    expect(document.blocks[1]).toMatchObject({
      type: 'image',
      box: { x: 72, y: 140, width: 200, height: 100 },
      caption: [{ text: '그림 1. 전경' }],
    });
    expect(document.warnings.map(({ code, page }) => [code, page])).toEqual([
      ['page_without_text', 2],
      ['page_without_text', 3],
    ]);
  });

  test('letters that their font does not name are told where the rest of the page is read', async () => {
    const pdf = new PdfWriter();
    const unnamed = String.fromCharCode(...Array.from({ length: 14 }, (_, at) => 0x0f + at));
    const page = pdf.page();
    for (let at = 0; at < 6; at++) page.text(72, 100 + at * 20, '이 줄은 그대로 읽히는 글이다.');
    page.text(72, 300, unnamed, { unmapped: true }).text(72, 320, unnamed, { unmapped: true });
    const document = await read(pdf.bytes());
    expect(outlineOf(document)).not.toHaveLength(0);
    expect(document.warnings).toMatchObject([{ code: 'text_damaged', page: 1 }]);
  });

  test('a scan with text under it is read and marked as recognised', async () => {
    const pdf = new PdfWriter();
    pdf.page().image(0, 0, 595, 842).text(72, 100, '읽어 낸 글', { mode: 3 });
    const document = await read(pdf.bytes());
    expect(outlineOf(document).at(-1)).toEqual(['paragraph', '읽어 낸 글']);
    expect(document.blocks.every(({ hidden }) => hidden !== true)).toBe(true);
    expect(document.pages[0]).toMatchObject({ recognised: true });
  });

  test('only the pages that are wanted, told one by one', async () => {
    const pdf = new PdfWriter();
    for (let page = 1; page <= 4; page++) pdf.page().text(72, 200, `쪽${page} 글`);
    const told: unknown[] = [];
    const document = await readPdf(pdf.bytes(), {
      limits: standardLimits,
      pages: new Set([2, 4, 9]),
      onPage: (...values) => told.push(values),
    });
    expect(document.pages.map(({ number }) => number)).toEqual([2, 4]);
    expect(document.blocks.map(wordsOf)).toEqual(['쪽2 글', '쪽4 글']);
    expect(told).toEqual([
      [1, 2],
      [2, 2],
    ]);
  });

  test('limits', async () => {
    const pdf = new PdfWriter();
    for (let page = 1; page <= 3; page++)
      pdf.page().table(
        72,
        100,
        [100, 100],
        [
          ['a가', 'a나'],
          ['a다', 'a라'],
        ],
      );
    for (const limits of [{ pages: 2 }, { characters: 5 }, { cells: 4 }])
      await expect(read(pdf.bytes(), limits)).rejects.toMatchObject({ code: 'TOO_LARGE' });
  });

  test('a file with a password says so', async () => {
    const pdf = new PdfWriter();
    pdf.page().text(72, 100, 'secret');
    await expect(read(pdf.bytes({ locked: true }))).rejects.toMatchObject({ code: 'ENCRYPTED' });
  });

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['no PDF', Buffer.from('hello')],
    ['a header alone', Buffer.from('%PDF-1.7\n')],
  ])('%s is damaged', async (_name, bytes) => {
    await expect(read(bytes)).rejects.toMatchObject({ code: 'CORRUPTED' });
  });

  test('a page that swells beyond all memory is left out, the others are read', async () => {
    const pdf = new PdfWriter();
    pdf.page().text(72, 200, 'first page');
    pdf.page().text(72, 200, 'bomb').blanks = 300 * 1024 * 1024;
    pdf.page().text(72, 200, 'last page');
    const document = await read(pdf.bytes());
    expect(document.warnings.map(({ code, page }) => [code, page])).toEqual([['page_unreadable', 2]]);
    expect(document.blocks.map(wordsOf)).toEqual(['first page', 'last page']);
  });

  test('a file that is cut or changed anywhere is read or refused, and the next one is unharmed', async () => {
    const pdf = new PdfWriter();
    pdf
      .page()
      .text(72, 100, '제목', { size: 20 })
      .lines(72, 130, prose('줄', 6))
      .table(
        72,
        300,
        [100, 100],
        [
          ['가', '나'],
          ['다', '라'],
        ],
      )
      .image(72, 500, 100, 100);
    pdf.bookmark('제목', 1);
    const whole = pdf.bytes();
    const expected = outlineOf(await read(whole));
    const broken = fc.oneof(
      fc.integer({ min: 1, max: whole.length }).map((length) => whole.subarray(0, length)),
      fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 30 }).map((changes) => {
        const copy = Buffer.from(whole);
        for (const [at, value] of changes) copy[at] = value;
        return copy;
      }),
    );
    await fc.assert(
      fc.asyncProperty(broken, async (bytes) => {
        try {
          expect((await read(bytes)).format).toBe('pdf');
        } catch (error) {
          expect(error).toBeInstanceOf(ParseError);
        }
      }),
      { numRuns: times(75, 150) },
    );
    expect(outlineOf(await read(whole))).toEqual(expected);
  });

  test('lines that stand like stairs are read in time', async () => {
    const pdf = new PdfWriter();
    const page = pdf.page({ width: 12_000, height: 12_000 });
    for (let at = 0; at < 2_500; at++) page.text(20 + at * 4, 20 + at * 4, `계단 ${at}`, { size: 3 });
    const { blocks } = await read(pdf.bytes());
    expect(blocks.map(wordsOf).join(' ')).toContain('계단 2499');
  });
});
