import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Block, Document } from '../../document.ts';
import { encodePng } from '../../picture/png.ts';
import { readPdf } from '../../readers/pdf/index.ts';
import { standardLimits } from '../../reader.ts';
import { renderMarkdown } from '../../render/markdown.ts';
import { renderText } from '../../render/text.ts';
import { makeDocument, type MakeJob } from '../make.ts';
import { isWholePng } from './whole-png.ts';

type TextJob = Extract<MakeJob, { markdown: string }>;
async function made(markdown: string, more: Partial<TextJob['options']> = {}, pictures: TextJob['pictures'] = {}) {
  const options = { pageNumbers: true, numbering: 'official', ...more } as const;
  const result = await makeDocument({ markdown, format: 'pdf', options, pictures });
  if ('refused' in result) throw new Error(result.refused.message);
  return result.made;
}
const read = (bytes: Uint8Array): Promise<Document> =>
  Promise.resolve(readPdf(bytes, { limits: standardLimits, pages: null, onPage: () => undefined }));
const written = async (...given: Parameters<typeof made>) => read((await made(...given)).bytes);
const kinds = (blocks: readonly Block[]) =>
  blocks.map((block) => (block.type === 'heading' ? `h${block.level}` : block.type));
const rows = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => `| ${from + at} | 사업 ${from + at} | ${(from + at) * 1_000}원 |`).join(
    '\n',
  );

test('what is written is read back: headings by their names, text, lists, tables, notes, links', async () => {
  const document = await written(
    `# 제1장 현황\n\n문단과 **굵은 글**, [누리집](https://example.kr)과 주[^1]가 있다.\n\n1. 인원\n   1. 정원\n   2. 현원\n2. 예산\n\n## 제1절 표\n\n| 번호 | 사업 | 금액 |\n|---|---|---|\n${rows(1, 4)}\n\n끝 문단.\n\n[^1]: 주의 글이다.`,
    { title: '주간 보고' },
  );
  expect(document.meta.title).toBe('주간 보고');
  expect(document.warnings).toEqual([]);
  const markdown = renderMarkdown(document.blocks);
  for (const part of [
    '# 주간 보고',
    '# 제1장 현황',
    '문단과 **굵은 글**, [누리집](<https://example.kr>)과 주[^1]가 있다.',
    '가. 정원',
    '## 제1절 표',
    '| 3 | 사업 3 | 3000원 |',
    '[^1]: 주의 글이다.',
  ])
    expect(markdown).toContain(part);
  expect(kinds(document.blocks).filter((kind) => kind.startsWith('h'))).toEqual(['h1', 'h1', 'h2']);
});

test('tables have merged cells, go over pages with their heads, and rows that are higher than a page', async () => {
  const long = Array.from({ length: 400 }, (_, at) => `칸의 글 ${at}`).join(' ');
  const document = await written(
    `| 번호 | 사업 | 금액 |\n|---|---|---|\n${rows(1, 90)}\n\n<table><tr><th colspan="2">합친 머리</th><th>다</th></tr><tr><td rowspan="2">세로</td><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table>\n\n| 가 | 나 |\n|---|---|\n| 짧다 | ${long} ${long} ${long} |`,
  );
  expect(document.pages.length).toBeGreaterThan(4);
  const tables = document.blocks.filter((block) => block.type === 'table');
  const text = renderText(document.blocks);
  expect([...text.matchAll(/사업 \d+/g)].map(([found]) => found)).toEqual(
    Array.from({ length: 89 }, (_, at) => `사업 ${at + 1}`),
  );
  const merged = tables.find(({ cells }) => cells.some(({ columnSpan }) => columnSpan === 2));
  expect(merged?.cells.map(({ rowSpan, columnSpan }) => [rowSpan, columnSpan])).toEqual([
    [1, 2],
    [1, 1],
    [2, 1],
    [1, 1],
    [1, 1],
    [1, 1],
    [1, 1],
  ]);
  expect([...text.matchAll(/칸의 글 399/g)]).toHaveLength(3);
});

test('boxes to tick are drawn and read as fields; letters without a shape are told', async () => {
  const { bytes, missing } = await made('☐ 미동의\n\n☑ 동의\n\n한글 \u{20000}와 𠮷 는');
  expect(missing).toEqual(['\u{20000}', '𠮷']);
  const { blocks } = await read(bytes);
  expect(renderText(blocks)).toMatch(/☐\s?미동의[^]*☑\s?동의[^]*한글 □와 □ 는/);
});

test('letters that the first typeface has not are those of others: Chinese characters, signs, pictograms, bold too', async () => {
  const { bytes, missing } = await made(
    '# 大韓民國憲法\n\n第1條 ㉮ 主權은 **國民**에게 있다 🚀\n\n| 漢字 | 訓 |\n|---|---|\n| 金 | 쇠 금 |',
  );
  expect(missing).toEqual([]);
  const markdown = renderMarkdown((await read(bytes)).blocks);
  for (const part of [
    '# 大韓民國憲法',
    '第1條 ㉮ 主權은 **國民**에게 있다 🚀',
    '| **漢字** | **訓** |',
    '| 金 | 쇠 금 |',
  ])
    expect(markdown).toContain(part);
});

test('marks of lists are in a typeface that has them', async () => {
  const levels = Array.from({ length: 8 }, (_, at) => `${' '.repeat(3 * at)}1. 점 ${at}`);
  const { bytes, missing } = await made(`${levels.join('\n')}\n${' '.repeat(21)}2. 점 8\n\n- 끝`);
  expect(missing).toEqual([]);
  // Of the letters of a line, those that are drawn beside each other.
  const fonts = new Set(
    [
      ...Buffer.from(bytes)
        .toString('latin1')
        .matchAll(/\/BaseFont \/[A-Z]*\+?(\w+)/g),
    ].map(([, name]) => name),
  );
  expect([...fonts].some((name) => name?.startsWith('NotoSansKR'))).toBe(true);
  const text = renderText((await read(bytes)).blocks);
  expect(text).toMatch(/㉮ 점 7[^]*㉯ 점 8/);
});

test('short paragraphs, and points of lists beside them, stay apart', async () => {
  for (const lines of [
    ['성명: 홍길동', '소속: 총무과', '직급: 주무관'],
    ['가', '나', '다'],
    ['앞의 글이 있다.', '- 첫째', '- 둘째', '다음 글', '1. 하나', '2. 둘', '끝'],
  ]) {
    const { blocks } = await written(lines.join('\n\n'));
    const texts = blocks.flatMap((block) => {
      if (block.type === 'list') return block.items.map(({ marker, spans }) => `${marker} ${spans[0]?.text}`);
      return block.type === 'paragraph' ? block.spans.map(({ text }) => text) : [];
    });
    expect(texts).toEqual(lines);
  }
});

test('notes of tables are notes, where there is little text beside them too', async () => {
  const { blocks } = await written(
    '| 구분 | 값 |\n|---|---|\n| 가[^1] | 1 |\n| 나[^2] | 2 |\n\n글[^3]이다.\n\n[^1]: 첫 주의 글이다.\n[^2]: 둘째 주의 글이다.\n[^3]: 셋째 주.',
  );
  const notes = blocks.filter((block) => block.type === 'footnote');
  expect(notes.map(({ marker, blocks: own }) => [marker, renderText(own)])).toEqual([
    ['1)', '첫 주의 글이다.'],
    ['2)', '둘째 주의 글이다.'],
    ['3)', '셋째 주.'],
  ]);
  expect(kinds(blocks)).not.toContain('list');
});

test('a table leaves room for its notes', async () => {
  const all = Array.from({ length: 40 }, (_, at) => at + 1);
  const table = `| 번호 | 값 |\n|---|---|\n${all.map((at) => `| 번호 ${at}[^${at}] | 값 |`).join('\n')}`;
  const { blocks, pages } = await written(
    `${table}\n\n${all.map((at) => `[^${at}]: ${at}번째 주의 글이다.`).join('\n')}`,
  );
  const notes = blocks.filter((block) => block.type === 'footnote');
  expect(notes.map((note) => renderText(note.blocks))).toEqual(all.map((at) => `${at}번째 주의 글이다.`));
  const tables = blocks.filter((block) => block.type === 'table');
  for (const { number: page } of pages) {
    const bottom = Math.max(
      0,
      ...tables.filter((one) => one.page === page).map(({ box }) => (box === undefined ? 0 : box.y + box.height)),
    );
    const top = Math.min(...notes.filter((one) => one.page === page).map(({ box }) => box?.y ?? Infinity));
    expect(top).toBeGreaterThan(bottom);
  }
});

test('pictures stand in the text; damaged ones and other formats are their words', async () => {
  const data = new Uint8Array(100 * 60 * 4).fill(0x80);
  const png = encodePng({ width: 100, height: 60, stride: 400, data });
  const cut = png.subarray(0, png.length - 30);
  const { blocks } = await written(
    '![도표](a)\n\n![부서진 그림](b)\n\n![움직이는 그림](c)',
    {},
    {
      a: png,
      b: cut,
      c: Buffer.from('GIF89a\x10\0\x10\0\0\0\0'),
    },
  );
  expect(kinds(blocks)).toContain('image');
  expect(renderText(blocks)).toContain('움직이는 그림');
});

test('a picture is put in only where all its pixels are there', () => {
  const part = (type: string, data: Uint8Array) => {
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(type), data, sum]);
  };
  const file = (colours: number, pixels: Uint8Array, { interlaced = 0, palette = 0 } = {}) => {
    const head = Buffer.from([0, 0, 0, 4, 0, 0, 0, 2, 8, colours, 0, 0, interlaced]);
    const table = palette === 0 ? [] : [part('PLTE', new Uint8Array(palette))];
    const start = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
    return Buffer.concat([start, part('IHDR', head), ...table, part('IDAT', pixels), part('IEND', new Uint8Array())]);
  };
  const packed = (length: number) => deflateSync(new Uint8Array(length));
  const [rgba, indexed] = [(4 * 4 + 1) * 2, (4 + 1) * 2];
  expect(isWholePng(file(6, packed(rgba)))).toBe(true);
  expect(isWholePng(file(3, packed(indexed), { palette: 9 }))).toBe(true);
  for (const broken of [
    file(6, packed(rgba).subarray(0, 5)),
    file(6, packed(rgba - 1)),
    file(6, packed(5_000_000)),
    file(6, Buffer.from('nothing')),
    file(6, packed(rgba), { interlaced: 1 }),
    file(5, packed(rgba)),
    file(3, packed(indexed)),
    file(3, packed(indexed), { palette: 8 }),
    file(6, packed(rgba)).subarray(0, 50),
    Buffer.from('\x89PNG'),
  ])
    expect(isWholePng(broken)).toBe(false);
});

test('the file is tagged, has an outline, a language and the letters that it shows', async () => {
  const { bytes } = await made('# 첫 장\n\n글\n\n## 절\n\n글', { title: '제목' });
  const text = Buffer.from(bytes).toString('latin1');
  for (const part of [
    '/Marked true',
    '/StructTreeRoot',
    '/Outlines',
    '/Lang (ko-KR)',
    '/FontFile2',
    '/DisplayDocTitle true',
  ])
    expect(text).toContain(part);
  expect(bytes.length).toBeLessThan(100_000);
});

test.each([
  ['a word as long as pages', '가'.repeat(20_000)],
  ['a table of a hundred columns', `|${' 가 |'.repeat(100)}\n|${' - |'.repeat(100)}\n|${' 나 |'.repeat(100)}`],
  ['notes that fill pages', `글[^1]\n\n[^1]: ${'주의 글이다. '.repeat(2_000)}`],
  ['lists within lists', Array.from({ length: 40 }, (_, at) => `${'  '.repeat(at)}- ${at}`).join('\n')],
  ['signs that are not seen', '글\u200B\u0007\uFE0F\u{E0001}끝'],
  ['nothing but a mark', '[^1]\n\n[^1]:'],
])('%s: a file comes of it', async (_, markdown) => {
  expect((await written(markdown)).pages.length).toBeGreaterThan(0);
});

test('more pages than a document may have are refused', async () => {
  const options = { pageNumbers: false, numbering: 'as_written' } as const;
  // Lines of code are set faster than paragraphs.
  const markdown = `\`\`\`\n${'\n'.repeat(140_000)}글\n\`\`\`\n`;
  const result = await makeDocument({ markdown, format: 'pdf', options, pictures: {} });
  const message = expect.stringContaining('2000 pages') as string;
  expect(result).toMatchObject({ refused: { code: 'TOO_LARGE', message } });
}, 60_000);
