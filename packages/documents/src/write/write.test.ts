import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Block, List, ListItem, Note, Span, Table, TableCell } from '../document.ts';
import { joinAlikeSpans, trimSpans } from '../package/spans.ts';
import { standardLimits } from '../reader.ts';
import { readDocument } from '../readers/index.ts';
import { openPackage } from '../package/zip.ts';
import { officialMark } from './marks.ts';
import { writeDocument as writeFile } from './index.ts';
import { makeDocument } from './make.ts';
import { packageFormats, type WriteOptions, type PackageFormat } from './options.ts';

const readOptions = { limits: standardLimits, pages: null, onPage: () => undefined };
const options: WriteOptions = { pictures: new Map(), pageNumbers: true, numbering: 'as_written' };
const read = (bytes: Uint8Array, format: string) => readDocument(bytes, `a.${format}`, readOptions);

// What a document says, without what formats differ in: pages, parts, ids of notes; letters that are bold in headings.

const span = ({ note, script, ...rest }: Span): Span =>
  note === undefined ? { ...rest, ...(script === undefined ? {} : { script }) } : { text: '', note: 'note' };

function cellSaid({ row, column, rowSpan, columnSpan, blocks }: TableCell): object {
  return { row, column, rowSpan, columnSpan, blocks: blocks.map(said) };
}

function said(block: Block): object {
  switch (block.type) {
    case 'heading':
      return { type: 'heading', level: block.level, spans: trimSpans(block.spans).map(span) };
    case 'paragraph':
      return { type: 'paragraph', role: block.role, spans: trimSpans(block.spans).map(span) };
    case 'list':
      return {
        type: 'list',
        items: block.items.map(({ level, marker, ordered, spans }) => ({
          level,
          marker,
          ordered,
          spans: trimSpans(spans).map(span),
        })),
      };
    case 'table':
      return {
        type: 'table',
        rows: block.rows,
        columns: block.columns,
        headerRows: block.headerRows,
        caption: block.caption,
        cells: block.cells.map(cellSaid),
      };
    case 'code':
      return { type: 'code', text: block.text };
    case 'footnote':
      return { type: 'footnote', blocks: block.blocks.map(said) };
    default:
      return { type: block.type };
  }
}

const page = null;
const words = fc
  .array(
    fc.constantFrom(
      '예산',
      '집행 계획',
      'a < b & "c"',
      '보고\t끝',
      '1. 가.',
      '표 1',
      '제1장 총칙',
      '줄\n바꿈',
      "it's",
      '㈜𠮷野',
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((all) => all.join(' '));
const looks = fc.record(
  {
    bold: fc.constant(true),
    italic: fc.constant(true),
    strike: fc.constant(true),
    script: fc.constantFrom('super' as const, 'sub' as const),
    link: fc.constantFrom('https://www.go.kr/a?b=1&c=;2', 'mailto:a@b.kr'),
  },
  { requiredKeys: [] },
);
const plainSpans = words.map((text): readonly Span[] => [{ text }]);
const spans = fc
  .array(fc.tuple(words, looks), { minLength: 1, maxLength: 4 })
  .map((all) => trimSpans(joinAlikeSpans(all.map(([text, look]): Span => ({ text: `${text} `, ...look })))));

const paragraph = fc
  .tuple(spans, fc.constantFrom(undefined, 'quote' as const, 'title' as const, 'subtitle' as const))
  .map(([own, role]): Block => {
    // Its letters are bold as a whole: none of them stands out.
    const shown = role === 'title' ? trimSpans(joinAlikeSpans(own.map(({ bold: _, ...rest }) => rest))) : own;
    return { type: 'paragraph', page, ...(role === undefined ? {} : { role }), spans: shown };
  });
const heading = fc
  .tuple(fc.integer({ min: 1, max: 6 }), plainSpans)
  .map(([level, own]): Block => ({ type: 'heading', level, page, spans: own }));
const code = words.map((text): Block => ({ type: 'code', page, text: `f(x) {\n  ${text}\n}` }));

/** Items whose numbers begin anywhere and leave some out, of levels that come and go. */
const item = fc.tuple(
  fc.integer({ min: 0, max: 5 }),
  fc.constantFrom('-', '•', '○', '※', '☐', '☑', '#', '#', '#'),
  fc.integer({ min: 1, max: 12 }),
  fc.boolean(),
  spans,
);
const list = fc.array(item, { minLength: 1, maxLength: 8 }).map((all): List => {
  const counts: number[] = [];
  let before = -1;
  const items = all.map(([given, sign, number, counted, own]): ListItem => {
    const level = Math.min(given, before + 1);
    before = level;
    if (sign !== '#') return { level, marker: sign, ordered: false, spans: own };
    counts[level] = counted ? (counts[level] ?? 0) + 1 : number;
    counts.length = level + 1;
    return { level, marker: officialMark(level, counts[level] ?? 1), ordered: true, spans: own };
  });
  return { type: 'list', page, items };
});

/** Tables whose cells reach over others: places are taken in their order. */
const table = fc
  .tuple(
    fc.integer({ min: 2, max: 4 }),
    fc.integer({ min: 1, max: 4 }),
    fc.array(
      fc.tuple(
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 1, max: 3 }),
        fc.array(fc.oneof(paragraph, list), { maxLength: 2 }),
      ),
      { minLength: 16, maxLength: 16 },
    ),
    fc.option(words),
  )
  .map(([rows, columns, forms, caption]): Table => {
    const taken = new Set<number>();
    const cells: TableCell[] = [];
    for (let place = 0, at = 0; place < rows * columns; place++) {
      if (taken.has(place)) continue;
      const [row, column] = [Math.floor(place / columns), place % columns];
      const [down = 1, across = 1, blocks = []] = forms[at++] ?? [];
      let columnSpan = 1;
      while (columnSpan < across && column + columnSpan < columns && !taken.has(place + columnSpan)) columnSpan++;
      // What heads the table does not reach into it.
      const rowSpan = row === 0 ? 1 : Math.min(down, rows - row);
      for (let r = 0; r < rowSpan; r++) for (let c = 0; c < columnSpan; c++) taken.add(place + r * columns + c);
      cells.push({ row, column, rowSpan, columnSpan, blocks: mergeLists(blocks) });
    }
    const said = caption === null ? {} : { caption: [{ text: caption.replaceAll(/\s+/g, ' ') }] };
    return { type: 'table', page, rows, columns, headerRows: 1, cells, ...said };
  });

/** Neighbouring lists are one in files of Hancom Office. */
function mergeLists(blocks: readonly Block[]): Block[] {
  const merged: Block[] = [];
  for (const block of blocks) {
    const last = merged.at(-1);
    const alike = block.type === last?.type && (block.type === 'list' || block.type === 'code');
    if (!alike) merged.push(block);
  }
  return merged;
}

const withNotes = (blocks: readonly Block[], texts: readonly string[]): Block[] => {
  const all: Block[] = [];
  for (const [at, block] of blocks.entries()) {
    const text = texts[at];
    if (block.type !== 'paragraph' || text === undefined) {
      all.push(block);
      continue;
    }
    const id = `n${at}`;
    all.push({ ...block, spans: [...block.spans, { text: id, note: id }] });
    all.push({
      type: 'footnote',
      page,
      kind: 'footnote',
      id,
      blocks: [{ type: 'paragraph', page, spans: [{ text }] }],
    } satisfies Note);
  }
  return all;
};

const documents = fc
  .tuple(
    fc.array(fc.oneof(heading, paragraph, list, code, table), { minLength: 1, maxLength: 8 }),
    fc.array(words, { maxLength: 8 }),
  )
  .map(([blocks, texts]) => withNotes(mergeLists(blocks), texts));

const writeDocument = async (...given: Parameters<typeof writeFile>) => (await writeFile(...given)).bytes;

/** Circled syllables are no numbers of Word. */
const holdsIn = (format: PackageFormat, blocks: readonly Block[]): boolean =>
  format === 'hwpx' || !JSON.stringify(blocks).includes('㉮');

const hasText = (blocks: readonly Block[]): boolean => JSON.stringify(blocks).includes('"text":');

test.each(packageFormats)('what is written as %s is read back as it was', async (format) => {
  await fc.assert(
    fc.asyncProperty(documents, async (blocks) => {
      fc.pre(holdsIn(format, blocks));
      const back = await read(await writeDocument({ blocks, meta: {} }, format, options), format);
      // Tables of empty cells may be all that there is.
      expect(back.warnings.map(({ code }) => code)).toEqual(hasText(blocks) ? [] : ['no_text']);
      expect(back.blocks.map(said)).toEqual(blocks.map(said));
    }),
    { numRuns: 60 },
  );
});

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const markdown = async (text: string) => readDocument(Buffer.from(text), 'a.md', readOptions);

test.each(packageFormats)(
  'Markdown becomes %s: title, 가. 나., pictures that were given, notes that nobody names',
  async (format) => {
    const given = await markdown(
      '# 개요\n\n1. 첫째\n   1. 안쪽\n   2. 다음\n      1. 더 안쪽\n\n![도표](p.png)\n\n![없음](q.png)\n\n끝.\n\n[^x]: 남은 각주',
    );
    const pictures = new Map([['p.png', png]]);
    const bytes = await writeDocument(given, format, { ...options, pictures, title: '보고서', numbering: 'official' });
    const { blocks } = await read(bytes, format);
    expect(blocks.map(said)).toEqual([
      { type: 'paragraph', role: 'title', spans: [{ text: '보고서' }] },
      { type: 'heading', level: 1, spans: [{ text: '개요' }] },
      {
        type: 'list',
        items: [
          { level: 0, marker: '1.', ordered: true, spans: [{ text: '첫째' }] },
          { level: 1, marker: '가.', ordered: true, spans: [{ text: '안쪽' }] },
          { level: 1, marker: '나.', ordered: true, spans: [{ text: '다음' }] },
          { level: 2, marker: '1)', ordered: true, spans: [{ text: '더 안쪽' }] },
        ],
      },
      { type: 'image' },
      { type: 'paragraph', role: undefined, spans: [{ text: '없음' }] },
      { type: 'paragraph', role: undefined, spans: [{ text: '끝.' }] },
      { type: 'paragraph', role: undefined, spans: [{ text: '남은 각주' }] },
    ]);
    expect(blocks.find(({ type }) => type === 'image')).toMatchObject({ alt: '도표' });
  },
);

test.each(packageFormats)(
  'lists of nine levels keep them in %s, what is deeper stands on the ninth',
  async (format) => {
    for (const ordered of [false, true]) {
      const items = Array.from({ length: 11 }, (_, level): ListItem => {
        const marker = ordered ? `${level + 1}.` : '-';
        return { level, marker, ordered, spans: [{ text: `점 ${level}` }] };
      });
      const given: List = { type: 'list', page, items };
      const { blocks } = await read(await writeDocument({ blocks: [given], meta: {} }, format, options), format);
      expect(blocks.map(said)).toEqual([
        said({ ...given, items: items.map((item) => ({ ...item, level: Math.min(8, item.level) })) }),
      ]);
    }
  },
);

test('an HWPX file has the parts that Hancom Office wants, its type first and not packed', async () => {
  const { blocks } = await markdown('글 ![x](p.png)\n\n![그림](p.png)');
  const bytes = Buffer.from(
    await writeDocument({ blocks, meta: {} }, 'hwpx', { ...options, pictures: new Map([['p.png', png]]) }),
  );
  // The name and the content of the first part stand as they are at the beginning. Source: OCF, as in EPUB.
  expect(bytes.toString('latin1', 30, 57)).toBe('mimetypeapplication/hwp+zip');
  expect(bytes.readUInt16LE(8)).toBe(0);
  const { names } = await openPackage(bytes, standardLimits);
  expect(names).toEqual([
    'mimetype',
    'version.xml',
    'Contents/header.xml',
    'Contents/section0.xml',
    'BinData/image1.png',
    'Preview/PrvText.txt',
    'settings.xml',
    'Contents/content.hpf',
    'META-INF/container.xml',
    'META-INF/manifest.xml',
  ]);
});

test('what XML can not hold is left out, and scripts are no links', async () => {
  const bad = { text: `가\u0000나\uD800`, link: 'javascript:alert(1)' };
  for (const format of packageFormats) {
    const bytes = await writeDocument(
      { blocks: [{ type: 'paragraph', page, spans: [bad] }], meta: {} },
      format,
      options,
    );
    const { blocks } = await read(bytes, format);
    expect(blocks.map(said)).toEqual([{ type: 'paragraph', role: undefined, spans: [{ text: '가나\uFFFD' }] }]);
  }
});

test('the same document is the same file at any time', async () => {
  const { blocks } = await markdown('# 글\n\n| 가 | 나 |\n|---|---|\n| 1 | 2 |');
  for (const format of packageFormats) {
    const [one, other] = [
      await writeDocument({ blocks, meta: {} }, format, options),
      await writeDocument({ blocks, meta: {} }, format, options),
    ];
    expect(Buffer.compare(one, other)).toBe(0);
  }
});

test.each(packageFormats)('a %s that would be too large is refused before it is written', async (format) => {
  const make = (markdown: string) =>
    makeDocument({ markdown, format, options: { pageNumbers: true, numbering: 'official' }, pictures: {} });
  expect(await make('1. a\n\nx\n\n'.repeat(10_001))).toMatchObject({
    refused: { code: 'TOO_LARGE', message: expect.stringContaining('10000 lists') as string },
  });
  const blocks = [{ type: 'paragraph', page: null, spans: [{ text: 'a'.repeat(100_000_000) }] }] as const;
  await expect(writeDocument({ blocks, meta: {} }, format, options)).rejects.toThrow(/too large/);
});
