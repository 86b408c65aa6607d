import { describe, expect, it } from 'vitest';

import {
  autoNumber,
  columns,
  comment,
  embedded,
  equation,
  fixedBox,
  form,
  group,
  link,
  linkEnd,
  margin,
  note,
  overlaid,
  paragraph,
  picture,
  ruby,
  sectionStart,
  simpleTable,
  table,
  textBox,
  writeCompound,
  writeHwp,
} from '../../../test/hwp-writer/index.ts';
import type { WrittenHwp } from '../../../test/hwp-writer/index.ts';
import { textOf } from '../../document.ts';
import type { Block, Document } from '../../document.ts';
import { ParseError } from '../../parse-error.ts';
import { standardLimits } from '../../reader.ts';
import type { ParseLimits } from '../../reader.ts';
import { readHwp } from './index.ts';

const read = (
  bytes: Uint8Array,
  limits: Partial<ParseLimits> = {},
  pages: ReadonlySet<number> | null = null,
): Document => readHwp(bytes, { limits: { ...standardLimits, ...limits }, pages, onPage: () => {} }) as Document;

const readSection = (section: WrittenHwp['sections'][number], info: WrittenHwp['info'] = {}): Document =>
  read(writeHwp({ sections: [section], info }));

const codeOf = (bytes: Uint8Array, limits: Partial<ParseLimits> = {}): string => {
  try {
    read(bytes, limits);
  } catch (error) {
    if (error instanceof ParseError) return error.code;
    throw error;
  }
  return 'read';
};

const texts = (blocks: readonly Block[]): string[] =>
  blocks.flatMap((block) => ('spans' in block ? [textOf(block.spans)] : 'blocks' in block ? texts(block.blocks) : []));

describe('the container', () => {
  const section = [paragraph('본문입니다')];

  it.each([
    ['compressed', {}],
    ['uncompressed', { compressed: false }],
    ['distributed', { distributed: true }],
    ['distributed and uncompressed', { distributed: true, compressed: false }],
  ])('reads a %s document', (_, form) => {
    const document = read(writeHwp({ sections: [section], title: '제목', ...form }));
    expect(texts(document.blocks)).toEqual(['본문입니다']);
    expect(document.meta.title).toBe('제목');
    expect(document.warnings).toEqual([]);
  });

  it('reads sections in the order of their numbers, also large ones', () => {
    const sections = Array.from({ length: 12 }, (_, index) => [
      paragraph(`구역 ${index}`.repeat(index === 3 ? 4000 : 1)),
    ]);
    const found = texts(read(writeHwp({ sections, compressed: false })).blocks);
    expect(found.map((text) => /^구역 \d+/u.exec(text)?.[0])).toEqual(sections.map((_, index) => `구역 ${index}`));
  });

  it('prefers the newer state of a text with tracked changes', () => {
    const newer = writeHwp({ sections: [[paragraph('새 글')]], compressed: false });
    const bytes = writeHwp({
      sections: [[paragraph('옛 글')]],
      compressed: false,
      streams: { 'ViewText/Section0': viewOf(newer) },
    });
    expect(texts(read(bytes).blocks)).toEqual(['새 글']);
    const stub = writeHwp({
      sections: [section],
      compressed: false,
      streams: { 'ViewText/Section0': new Uint8Array(64) },
    });
    expect(texts(read(stub).blocks)).toEqual(['본문입니다']);
  });

  it.each([
    ['a password', writeHwp({ sections: [section], flags: 2 }), 'ENCRYPTED'],
    ['DRM', writeHwp({ sections: [section], flags: 16 }), 'ENCRYPTED'],
    ['a seal of document security', Buffer.from('SCDSA002 sealed'), 'ENCRYPTED'],
    ['HWP 2', Buffer.from('HWP Document File V2.10 \u001a'), 'UNSUPPORTED'],
    ['HWPX', Buffer.from('PK\u0003\u0004 mimetype'), 'UNSUPPORTED'],
    ['HWPML', Buffer.from('<?xml version="1.0"?><HWPML Version="2.1">'), 'UNSUPPORTED'],
    ['old Word', writeCompound({ WordDocument: Buffer.from('x') }), 'UNSUPPORTED'],
    ['an encrypted Office document', writeCompound({ EncryptedPackage: Buffer.from('x') }), 'ENCRYPTED'],
    ['any compound file', writeCompound({ Other: Buffer.from('x') }), 'CORRUPTED'],
    ['nothing', new Uint8Array(), 'CORRUPTED'],
    ['no body', writeHwp({ sections: [] }), 'CORRUPTED'],
  ])('refuses %s', (_, bytes, code) => {
    expect(codeOf(bytes)).toBe(code);
  });

  it('keeps within the limits', () => {
    const bytes = writeHwp({ sections: [[paragraph('가'.repeat(3_000_000))]] });
    expect(codeOf(bytes)).toBe('TOO_LARGE');
    expect(codeOf(bytes, { ratio: 100_000, inflatedBytes: 1_000_000 })).toBe('TOO_LARGE');
    expect(codeOf(bytes, { ratio: 100_000, characters: 1_000_000 })).toBe('TOO_LARGE');
    expect(codeOf(writeHwp({ sections: [[paragraph([simpleTable([['a', 'b']])])]] }), { cells: 1 })).toBe('TOO_LARGE');
    expect(codeOf(bytes, { entries: 3 })).toBe('TOO_LARGE');
  });

  it('gives what a cut file still holds', () => {
    const paragraphs = Array.from({ length: 400 }, (_, index) =>
      paragraph(`${index}번째 문단${'글'.repeat(index % 90)}`),
    );
    const whole = writeHwp({ sections: [paragraphs], compressed: false, streams: { AAA: Buffer.alloc(8192) } });
    // The directory and the table of sectors stand at the end of what the writer makes: cut out of the middle instead.
    const cut = Buffer.from(whole);
    cut.fill(0xff, 30_000, 40_000);
    const document = read(cut);
    expect(texts(document.blocks).slice(0, 50)).toEqual(
      paragraphs.slice(0, 50).map((_, index) => `${index}번째 문단${'글'.repeat(index % 90)}`),
    );
    expect(document.warnings.map(({ code }) => code)).toContain('records_damaged');
  });
});

/** The bytes of the only section of an uncompressed document: records of one paragraph. */
const viewOf = (bytes: Buffer): Buffer => {
  const text = Buffer.from('새 글', 'utf16le');
  const at = bytes.indexOf(text);
  // Head of the paragraph, its text and its char shapes.
  return bytes.subarray(at - 4 - 26, at + text.length + 2 + 12);
};

describe('text', () => {
  it('keeps looks, links and special characters', () => {
    const info = { charShapes: [{}, { bold: true }, { italic: true, strike: true }, { script: 'super' as const }] };
    const { blocks } = readSection(
      [
        paragraph('굵게기울임위', {
          chars: [
            [0, 1],
            [2, 2],
            [5, 3],
          ],
        }),
        paragraph(['앞 ', link('http://example.com/a'), '고리', linkEnd, ' 뒤']),
        paragraph('가\u001e나\u001f다\u0018라\u000a마\t바'),
        paragraph('\uf0fe 확인 \u{f02b1} \uf53a글'),
      ],
      info,
    );
    expect(blocks).toMatchObject([
      {
        spans: [
          { text: '굵게', bold: true },
          { text: '기울임', italic: true, strike: true },
          { text: '위', script: 'super' },
        ],
      },
      { spans: [{ text: '앞 ' }, { text: '고리', link: 'http://example.com/a' }, { text: ' 뒤' }] },
      { spans: [{ text: '가\u00a0나 다-라\n마\t바' }] },
      { spans: [{ text: '☑ 확인 ① ᄒᆞᆫ글' }] },
    ]);
  });

  it('follows a link over paragraphs, and no link to a script', () => {
    const { blocks } = readSection([
      paragraph(['첫 ', link('https://example.com'), '줄']),
      paragraph(['둘째', linkEnd, ' 줄']),
      paragraph([link('javascript:alert(1)'), '스크립트', linkEnd]),
    ]);
    expect(blocks).toMatchObject([
      { spans: [{ text: '첫 ' }, { text: '줄', link: 'https://example.com' }] },
      { spans: [{ text: '둘째', link: 'https://example.com' }, { text: ' 줄' }] },
      { spans: [{ text: '스크립트' }] },
    ]);
    expect(JSON.stringify(blocks)).not.toContain('javascript');
  });

  it('sees no line through letters that Hancom Office does not show', () => {
    const info = {
      charShapes: [
        { strike: true, strikeShape: 15 },
        { strike: true, strikeShape: 2 },
      ],
    };
    const { blocks } = readSection(
      [
        paragraph('가나', {
          chars: [
            [0, 0],
            [1, 1],
          ],
        }),
      ],
      info,
    );
    expect(blocks).toMatchObject([{ spans: [{ text: '가' }, { text: '나', strike: true }] }]);
    expect(JSON.stringify(blocks).match(/strike/gu)).toHaveLength(1);
  });

  it('leaves out what was deleted while changes were tracked', () => {
    const section = [paragraph('남는 지운 글', { deleted: [[3, 6]] })];
    expect(texts(readSection(section, { tracked: true }).blocks)).toEqual(['남는 글']);
    expect(texts(readSection(section).blocks)).toEqual(['남는 지운 글']);
  });

  it('marks white letters on white ground as hidden, but not those on a ground that may be coloured', () => {
    const info = { charShapes: [{}, { colour: 0xffffff }] };
    const white = paragraph('하얀 글', { chars: [[0, 1]] });
    const { blocks } = readSection(
      [white, paragraph([textBox([white])]), paragraph([textBox([paragraph('1')], true), ' 추진'])],
      info,
    );
    expect(blocks.map(({ hidden }) => hidden)).toEqual([true, undefined, undefined]);
  });

  it('reads equations in the line and alone, ruby and numbers of captions', () => {
    const { blocks } = readSection([
      paragraph(['값은 ', equation('1 over 2'), ' 이다']),
      paragraph([equation('x^2')]),
      paragraph([ruby('漢字', '한자'), '와 표 ', autoNumber(4, 3)]),
    ]);
    expect(blocks).toMatchObject([
      { type: 'paragraph', spans: [{ text: '값은 ' }, { text: '\\frac{1}{2}', math: true }, { text: ' 이다' }] },
      { type: 'equation', latex: 'x^{2}' },
      { spans: [{ text: '漢字(한자)' }, {}, {}] },
    ]);
    expect(texts(blocks.slice(2))).toEqual(['漢字(한자)와 표 3']);
  });
});

describe('structure', () => {
  const outline = [
    ['제^1장', 0],
    ['^2.', 0],
    ['^3.', 8],
    ['^4)', 0],
  ] as const;
  const info = {
    numberings: [
      outline,
      [
        ['^1)', 1],
        ['^1-^2', 0],
      ] as const,
    ],
    bullets: ['\uf0a7'],
    paraShapes: [
      {},
      { head: 'outline', level: 0 },
      { head: 'outline', level: 1 },
      { head: 'number', level: 0, headId: 2 },
      { head: 'number', level: 1, headId: 2 },
      { head: 'bullet', level: 0, headId: 1 },
    ] as const,
    styles: ['바탕글', '제목', '차례 1'],
  };

  it('numbers headings and lists as the document shows them', () => {
    const { blocks } = readSection(
      [
        paragraph([sectionStart(1), '총칙'], { shape: 1 }),
        paragraph('목적', { shape: 2 }),
        paragraph('정의', { shape: 2 }),
        paragraph('첫째 항목', { shape: 3 }),
        paragraph('딸린 항목', { shape: 4 }),
        paragraph('둘째 항목', { shape: 3 }),
        paragraph('점 항목', { shape: 5 }),
        paragraph('보칙', { shape: 1 }),
        paragraph('시행', { shape: 2 }),
      ],
      info,
    );
    expect(blocks).toMatchObject([
      { type: 'heading', level: 1, marker: '제1장' },
      { type: 'heading', level: 2, marker: '1.' },
      { type: 'heading', level: 2, marker: '2.' },
      {
        type: 'list',
        items: [
          { marker: '①)', level: 0, ordered: true },
          { marker: '①-1', level: 1 },
          { marker: '②)', level: 0 },
          { marker: '▪', ordered: false },
        ],
      },
      { type: 'heading', level: 1, marker: '제2장' },
      { type: 'heading', level: 2, marker: '1.' },
    ]);
    expect(texts(blocks)[0]).toBe('제1장 총칙');
  });

  it('takes contents lists for what they are, and the title by its style', () => {
    const { blocks } = readSection(
      [paragraph('사업 계획', { style: 1 }), paragraph('제1장 총칙\t3', { style: 2 }), paragraph('제1장 총칙')],
      info,
    );
    expect(blocks).toMatchObject([{ role: 'title' }, { role: 'contents' }, { type: 'heading', level: 1 }]);
  });

  it('takes entries that are said again after a title of contents for such', () => {
    const { blocks } = readSection([
      paragraph('목  차', { lines: [0] }),
      paragraph('제1장 총칙', { lines: [1600] }),
      paragraph('제2장 보칙', { lines: [3200] }),
      paragraph('제1장 총칙', { lines: [0] }),
      paragraph('제2장 보칙', { lines: [1600] }),
    ]);
    expect(blocks.slice(1)).toMatchObject([
      { role: 'contents' },
      { role: 'contents' },
      { type: 'heading', page: 2 },
      { type: 'heading', page: 2 },
    ]);
  });

  it('takes the points of a list for such, even where they bear the levels of an outline', () => {
    const { blocks } = readSection([paragraph('첫째 점', { shape: 1 }), paragraph('둘째 점', { shape: 1 })], {
      numberings: [[['❍', 0]]],
      paraShapes: [{}, { head: 'outline', level: 0 }],
    });
    expect(blocks).toMatchObject([{ type: 'list', items: [{ marker: '❍' }, { marker: '❍' }] }]);
  });

  it('finds the title by its letters, and no date for it', () => {
    const large = { chars: [[0, 1]] as const };
    const { blocks } = readSection(
      [paragraph('2025. 8.', large), paragraph('사업 추진 계획', large), paragraph('본문이 이어진다. '.repeat(9))],
      { charShapes: [{}, { size: 2400 }] },
    );
    expect(blocks).toMatchObject([{ type: 'paragraph' }, { role: 'title' }, { type: 'paragraph' }]);
    expect(blocks[0]).not.toHaveProperty('role');
  });

  it('ranks by numbers where only few headings have a level of their own', () => {
    const numbered = ['1. 개요', '2. 배경', '3. 내용', '4. 기대 효과'].map((text) =>
      paragraph(text, { chars: [[0, 1]] }),
    );
    const { blocks } = readSection([...numbered, paragraph('딸린 제목', { shape: 1 })], {
      charShapes: [{}, { bold: true }],
      numberings: [[['^1)', 8]]],
      paraShapes: [{}, { head: 'outline', level: 0 }],
    });
    expect(blocks.slice(0, 4)).toMatchObject(numbered.map(() => ({ type: 'heading', level: 1 })));
  });

  it('takes a frame of one cell for a heading', () => {
    const { blocks } = readSection([
      paragraph([simpleTable([['Ⅰ', '추진 배경']])]),
      paragraph('본문이 이어진다. '.repeat(9)),
      paragraph([simpleTable([['이 상자 안의 글은 길어서 제목이 될 수 없다. '.repeat(5)]])]),
    ]);
    expect(blocks).toMatchObject([{ type: 'heading' }, { type: 'paragraph' }, { type: 'table' }]);
    expect(texts(blocks.slice(0, 1))).toEqual(['Ⅰ 추진 배경']);
  });
});

describe('tables', () => {
  it('keeps spans, header rows, captions, nested tables and several paragraphs in a cell', () => {
    const { blocks } = readSection([
      paragraph([
        '앞글',
        table({
          rows: 3,
          columns: 3,
          caption: [paragraph(['표 ', autoNumber(4, 1), ' 실적'])],
          cells: [
            { row: 0, column: 0, columnSpan: 2, header: true, content: [paragraph('머리')] },
            { row: 0, column: 2, header: true, content: [paragraph('끝')] },
            { row: 1, column: 0, rowSpan: 2, content: [paragraph('하나'), paragraph('둘')] },
            {
              row: 1,
              column: 1,
              columnSpan: 2,
              content: [
                paragraph([
                  simpleTable([
                    ['안', '쪽'],
                    ['표', '다'],
                  ]),
                ]),
              ],
            },
            { row: 2, column: 1, content: [paragraph([])] },
            { row: 2, column: 2, content: [paragraph(['값', note('fn  ', 1, '칸 안의 각주')])] },
          ],
        }),
        '뒷글',
      ]),
    ]);
    expect(blocks.map(({ type }) => type)).toEqual(['paragraph', 'table', 'paragraph']);
    const [, found] = blocks;
    if (found?.type !== 'table') throw new Error('no table');
    expect(found).toMatchObject({ rows: 3, columns: 3, headerRows: 1 });
    expect(textOf(found.caption ?? [])).toBe('표 1 실적');
    expect(found.cells.map(({ row, column, rowSpan, columnSpan }) => [row, column, rowSpan, columnSpan])).toEqual([
      [0, 0, 1, 2],
      [0, 2, 1, 1],
      [1, 0, 2, 1],
      [1, 1, 1, 2],
      [2, 1, 1, 1],
      [2, 2, 1, 1],
    ]);
    expect(texts(found.cells[2]!.blocks)).toEqual(['하나', '둘']);
    expect(found.cells[3]!.blocks).toMatchObject([{ type: 'table', rows: 2, columns: 2 }]);
    expect(found.cells[5]!.blocks).toMatchObject([
      { spans: [{ text: '값' }, { text: '1)', note: 'footnote-1' }] },
      { type: 'footnote', kind: 'footnote', id: 'footnote-1', marker: '1)' },
    ]);
  });

  it('gives the text of a table whose places are damaged', () => {
    const cells = [0, 0].map((row) => ({ row, column: 0, content: [paragraph(`칸 ${row}`)] }));
    const document = readSection([paragraph([table({ rows: 1, columns: 1, cells })])]);
    expect(texts(document.blocks)).toEqual(['칸 0', '칸 0']);
    const far = readSection([
      paragraph([
        table({ rows: 1, columns: 1, cells: [{ row: 60_000, column: 60_000, content: [paragraph('멀리')] }] }),
      ]),
    ]);
    expect(texts(far.blocks)).toEqual(['멀리']);
    expect(far.warnings).toMatchObject([{ code: 'table_damaged' }]);
  });

  it('stops at the depth that is allowed', () => {
    let inner = paragraph('끝');
    for (let depth = 0; depth < 100; depth += 1)
      inner = paragraph([
        `깊이 ${depth}`,
        simpleTable([['a', 'b']]),
        table({
          rows: 1,
          columns: 2,
          cells: [
            { row: 0, column: 0, content: [inner] },
            { row: 0, column: 1, content: [paragraph('b')] },
          ],
        }),
      ]);
    const document = readSection([inner]);
    expect(document.warnings).toMatchObject([{ code: 'nested_too_deep' }, { code: 'text_not_read' }]);
    expect(texts(document.blocks)).toEqual(['깊이 99']);
  });
});

describe('what stands beside the text', () => {
  it('keeps notes, comments, headers and footers apart', () => {
    const { blocks } = readSection([
      paragraph([
        sectionStart(),
        margin('head', ['머리말 ', autoNumber(0, 1)]),
        margin('foot', '꼬리말'),
        '본문',
        note('fn  ', 1, '각주 글'),
        note('en  ', 1, '미주 글'),
      ]),
      paragraph([margin('head', ['머리말 ', autoNumber(0, 1)]), '다음', comment('숨은 설명')]),
    ]);
    expect(blocks).toMatchObject([
      { type: 'header' },
      { type: 'footer' },
      {
        type: 'paragraph',
        spans: [
          { text: '본문' },
          { text: '1)', note: 'footnote-1', script: 'super' },
          { text: '1)', note: 'endnote-1' },
        ],
      },
      { type: 'footnote', kind: 'footnote', marker: '1)' },
      { type: 'footnote', kind: 'endnote', id: 'endnote-1' },
      { type: 'paragraph' },
      { type: 'footnote', kind: 'comment', hidden: true },
    ]);
    expect(texts(blocks)).toEqual(['머리말', '꼬리말', '본문1)1)', '각주 글', '미주 글', '다음', '숨은 설명']);
  });

  it('reads the master page of the last page, whose words hang on the last paragraph', () => {
    const { blocks, warnings } = readSection([
      paragraph([sectionStart(), '문제']),
      paragraph('⑤ 마지막 보기', {
        lastMaster: '확인 사항: 답안지의 해당란에 필요한 내용을 정확히 적었는지 확인하시오.',
      }),
    ]);
    expect(blocks.map(({ type }) => type)).toEqual(['paragraph', 'paragraph', 'header']);
    expect(texts(blocks)[2]).toMatch(/^확인 사항: .*확인하시오\.$/);
    expect(warnings).toEqual([]);
  });

  it('reads frames and groups in reading order, words in a line as part of it', () => {
    const { blocks } = readSection([
      paragraph([textBox([paragraph('글상자 하나'), paragraph('글상자 둘')])]),
      paragraph([
        group([
          { x: 9000, y: 0, text: '오른쪽 위' },
          { x: 0, y: 5000, text: '아래' },
          { x: 0, y: 100, text: '왼쪽 위' },
        ]),
      ]),
      paragraph([textBox([paragraph('1')], true), ' 추진 계획은 다음과 같다.']),
    ]);
    expect(texts(blocks)).toEqual([
      '글상자 하나',
      '글상자 둘',
      '왼쪽 위',
      '오른쪽 위',
      '아래',
      '1 추진 계획은 다음과 같다.',
    ]);
  });

  it('reads frames at fixed places before or after the lines that they stand above or below', () => {
    const { blocks } = readSection([
      paragraph([sectionStart(), fixedBox('꼬리', 70_000), fixedBox('머리', 5000), fixedBox('맨 위', 1000), '본문'], {
        lines: [0],
      }),
    ]);
    expect(texts(blocks)).toEqual(['맨 위', '머리', '본문', '꼬리']);
  });

  it('reads memos as comments, and words of forms and of overlaid letters', () => {
    const { blocks } = readSection([
      paragraph(['번호 ', overlaid('\u{f02b3}'), ' ', form('+pbt', 'Button1', { Caption: '동의함' })], {
        memos: ['첫 메모', '둘째 메모'],
      }),
    ]);
    expect(texts(blocks)).toEqual(['번호 ③ 동의함', '첫 메모', '둘째 메모']);
    expect(blocks.slice(1)).toMatchObject([
      { kind: 'comment', id: 'comment-1' },
      { kind: 'comment', id: 'comment-2' },
    ]);
  });

  it('reads the words and figures of charts, and passes over other objects', () => {
    const xml = '<c:chart><a:t>연도별 매출 &amp; 비용</a:t><c:v>2024</c:v><c:v>15.5</c:v></c:chart>';
    const ole = writeCompound({ OOXMLChartContents: Buffer.from(xml) });
    const bytes = writeHwp({
      compressed: false,
      info: { objects: 3 },
      sections: [[1, 2, 3].map((number) => paragraph([embedded(number)]))],
      streams: {
        'BinData/BIN0001.OLE': Buffer.concat([Buffer.alloc(4), ole]),
        'BinData/BIN0002.OLE': Buffer.from('no object at all'),
      },
    });
    expect(read(bytes).blocks).toMatchObject([
      { type: 'image', text: '연도별 매출 & 비용 2024 15.5' },
      { type: 'image' },
      { type: 'image' },
    ]);
  });

  it('gives the figures of a chart as a table', () => {
    const values = (name: string, ...all: readonly string[]) =>
      `<c:${name}>${all.map((value) => `<c:pt><c:v>${value}</c:v></c:pt>`).join('')}</c:${name}>`;
    const xml = `<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:chart><c:plotArea><c:barChart><c:ser><c:tx><c:v>예산</c:v></c:tx>${values('cat', '2021', '2022')}${values('val', '10', '12.5')}</c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>`;
    const bytes = writeHwp({
      compressed: false,
      info: { objects: 1 },
      sections: [[paragraph([embedded(1)])]],
      streams: { 'BinData/BIN0001.OLE': writeCompound({ OOXMLChartContents: Buffer.from(xml) }) },
    });
    expect(read(bytes).blocks).toMatchObject([
      {
        type: 'image',
        figures: [
          ['', '예산'],
          ['2021', '10'],
          ['2022', '12.5'],
        ],
      },
    ]);
  });

  it('keeps the words of an author about a picture, not those of the program', () => {
    const { blocks } = readSection([
      paragraph([picture('그림입니다.\r\n원본 그림의 이름: CLP0001.bmp\r\n원본 그림의 크기: 가로 1pixel')]),
      paragraph([picture('조직도', [paragraph(['그림 ', autoNumber(3, 2), ' 조직'])])]),
    ]);
    expect(blocks).toMatchObject([{ type: 'image' }, { type: 'image', alt: '조직도' }]);
    expect(blocks[0]).not.toHaveProperty('alt');
    const [, second] = blocks;
    expect(second?.type === 'image' && textOf(second.caption ?? [])).toBe('그림 2 조직');
  });
});

describe('pages', () => {
  it('follows the places of lines, breaks and columns', () => {
    const document = readSection([
      paragraph([sectionStart(), '첫 쪽'], { lines: [0] }),
      paragraph('첫 쪽 끝', { lines: [60_000, 61_600, 0] }),
      paragraph('둘째 쪽', { lines: [1600] }),
      paragraph('셋째 쪽', { lines: [0], breakPage: true }),
      paragraph([columns(2), '왼쪽 단'], { lines: [1600] }),
      paragraph('오른쪽 단', { lines: [0] }),
      paragraph('넷째 쪽', { lines: [0] }),
      paragraph('자리 없는 제목'),
      paragraph('그 다음 단', { lines: [0] }),
      paragraph('다섯째 쪽', { lines: [0] }),
    ]);
    expect(document.blocks.map(({ page }) => page)).toEqual([1, 1, 2, 3, 3, 3, 4, 4, 4, 5]);
    expect(document.pages).toHaveLength(5);
    expect(document.pages[0]).toEqual({ number: 1, width: 595.28, height: 841.88 });
  });

  const longTable = () =>
    table({
      rows: 30,
      columns: 1,
      cells: Array.from({ length: 30 }, (_, row) => ({
        row,
        column: 0,
        height: 5000,
        content: [paragraph(`줄 ${row}`)],
      })),
    });

  it('counts the pages that a long table goes over', () => {
    const document = readSection([
      paragraph([sectionStart(), '앞'], { lines: [0] }),
      paragraph([longTable()], { lines: [1600] }),
      paragraph('뒤', { lines: [30_000] }),
    ]);
    const [, found, last] = document.blocks;
    if (found?.type !== 'table') throw new Error('no table');
    expect(found.page).toBe(1);
    expect([...new Set(found.cells.map(({ blocks }) => blocks[0]?.page))]).toEqual([1, 2, 3]);
    expect(last?.page).toBe(3);
  });

  it('goes on with a long table in the next column before the next page', () => {
    const document = readSection([
      paragraph([sectionStart(), columns(2, 2520), '앞'], { lines: [0] }),
      paragraph([longTable()], { lines: [1600] }),
      paragraph('뒤', { lines: [25_600] }),
    ]);
    const [, found, last] = document.blocks;
    if (found?.type !== 'table') throw new Error('no table');
    expect(found.cells.map(({ blocks }) => blocks[0]?.page)).toEqual([...Array(25).fill(1), ...Array(5).fill(2)]);
    expect(last?.page).toBe(2);
    expect(document.pages).toHaveLength(2);
  });

  it('follows a line that is left behind by tables that do not fit', () => {
    const large = (name: string) =>
      table({
        rows: 1,
        columns: 1,
        cells: [{ row: 0, column: 0, height: 9000, content: [paragraph(name.repeat(80))] }],
      });
    const document = readSection([
      paragraph([sectionStart(), '앞'], { lines: [0] }),
      paragraph([large('첫')], { lines: [61_000] }),
      paragraph([large('둘')], { lines: [62_600] }),
      paragraph('뒤', { lines: [21_000] }),
      paragraph('다음 쪽', { lines: [0] }),
    ]);
    expect(
      document.blocks.map((block) => (block.type === 'table' ? block.cells[0]?.blocks[0]?.page : block.page)),
    ).toEqual([1, 2, 2, 2, 3]);
  });

  it('knows sheets that lie on their side', () => {
    const document = readSection([
      paragraph([sectionStart(1, true), '눕힌 쪽'], { lines: [0, 40_000] }),
      paragraph('다음 쪽', { lines: [0] }),
    ]);
    expect(document.pages.map(({ width, height }) => [width, height])).toEqual([
      [841.88, 595.28],
      [841.88, 595.28],
    ]);
    expect(document.blocks.map(({ page }) => page)).toEqual([1, 2]);
  });

  it('turns the page for columns that find no room below others', () => {
    const document = readSection([
      paragraph([sectionStart(), '한 단'], { lines: [0, 64_500] }),
      paragraph([columns(2), '왼쪽'], { lines: [0] }),
      paragraph('이어서', { lines: [9000] }),
      paragraph([columns(1), '끝'], { lines: [0] }),
    ]);
    expect(document.blocks.map(({ page }) => page)).toEqual([1, 2, 2, 2]);
  });

  it('goes on below columns that have ended on the page', () => {
    const document = readSection([
      paragraph([sectionStart(), '한 단'], { lines: [0, 1600] }),
      paragraph([columns(2), '왼쪽'], { lines: [0, 1600] }),
      paragraph('오른쪽', { lines: [0, 1600] }),
      paragraph([columns(1), '다시 한 단'], { lines: [0, 1600] }),
      paragraph('둘째 쪽', { lines: [0] }),
    ]);
    expect(document.blocks.map(({ page }) => page)).toEqual([1, 1, 1, 1, 2]);
  });

  it('knows none without a layout, and gives those that are wanted', () => {
    const plain = readSection([paragraph('글')]);
    expect(plain.pages).toEqual([]);
    expect(plain.blocks[0]?.page).toBeNull();
    const bytes = writeHwp({
      sections: [[paragraph([sectionStart(), '하나'], { lines: [0] }), paragraph('둘', { lines: [0] })]],
    });
    expect(texts(read(bytes, {}, new Set([2])).blocks)).toEqual(['둘']);
    expect(codeOf(bytes, { pages: 1 })).toBe('TOO_LARGE');
  });
});
