import fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { type Block, type Document, textOf } from '../document.ts';
import type { ParseError } from '../parse-error.ts';
import { type Reader, standardLimits } from '../reader.ts';
import { readCsv } from './csv.ts';
import { readMarkdown } from './markdown/index.ts';
import { readText } from './text.ts';

const read = (reader: Reader, content: string | Uint8Array, limits = {}): Document =>
  reader(Uint8Array.from(typeof content === 'string' ? Buffer.from(content) : content), {
    limits: { ...standardLimits, ...limits },
    pages: null,
    onPage: () => undefined,
  }) as Document;

const cellsOf = (block: Block | undefined) =>
  block?.type === 'table'
    ? Array.from({ length: block.rows }, (_, row) =>
        block.cells
          .filter((cell) => cell.row === row)
          .map(({ blocks }) => blocks.map((one) => (one.type === 'paragraph' ? textOf(one.spans) : '')).join('')),
      )
    : null;

describe('plain text', () => {
  test('paragraphs, headings and a list of contents', () => {
    const { blocks } = read(
      readText,
      iconv.encode(
        '목차\n제1장 총칙 ..... 1\n\n제1장 총칙\n제1조(목적) 이 규정은\n다음을 정한다.\n\n본문이다.\n',
        'cp949',
      ),
    );
    expect(blocks.map((block) => [block.type, 'spans' in block ? textOf(block.spans) : ''])).toEqual([
      ['paragraph', '목차'],
      ['paragraph', '제1장 총칙 ..... 1'],
      ['heading', '제1장 총칙'],
      ['paragraph', '제1조(목적) 이 규정은\n다음을 정한다.'],
      ['paragraph', '본문이다.'],
    ]);
  });

  test('no text is lost', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), (lines) => {
        const text = lines.join('\n').toWellFormed();
        const { blocks } = read(readText, text);
        const words = (some: string) => some.replaceAll('\0', '').replaceAll(/\s+/g, '').replaceAll('\uFEFF', '');
        expect(words(blocks.map((block) => ('spans' in block ? textOf(block.spans) : '')).join('\n'))).toBe(
          words(text),
        );
      }),
    );
  });
});

describe('CSV', () => {
  test.each([
    [',', 'utf-8'],
    [';', 'cp949'],
    ['\t', 'utf-16le'],
    ['|', 'utf-8'],
    ['^', 'cp949'],
    ['~', 'utf-16be'],
    ['::', 'utf-8'],
  ])('parted by %j in %s', (delimiter, charset) => {
    const rows = [
      ['이름', '부서', '금액'],
      ['김하나', '총무, 인사', '1,000'],
      ['이둘', '"기획"', '2,500'],
    ];
    const text = rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(delimiter)).join('\r\n');
    const document = read(readCsv, iconv.encode(text, charset, { addBOM: charset.startsWith('utf-16') }));
    expect(document.blocks[0]).toMatchObject({ rows: 3, columns: 3, headerRows: 1 });
    expect(cellsOf(document.blocks[0])).toEqual(rows);
  });

  test('signs that stand in the words of one column part nothing', () => {
    const document = read(readCsv, '표어\n#안전 #제일\n#하나\n');
    expect(document.blocks[0]).toMatchObject({ rows: 3, columns: 1 });
  });

  test('a comma in a cell does not part it where semicolons do', () => {
    const { blocks } = read(readCsv, 'a;b\n1,5;2\n3,5;4\n');
    expect(cellsOf(blocks[0])).toEqual([
      ['a', 'b'],
      ['1,5', '2'],
      ['3,5', '4'],
    ]);
  });

  test('rows of numbers have no header', () => {
    expect(read(readCsv, '1,2\n3,4\n').blocks[0]).toMatchObject({ headerRows: 0 });
  });

  test('too many cells are refused, and so is an empty file', () => {
    const refusal = (content: string, limits = {}) => {
      try {
        read(readCsv, content, limits);
      } catch (error) {
        return (error as ParseError).code;
      }
      return null;
    };
    expect(refusal('1,2\n3,4\n', { cells: 3 })).toBe('TOO_LARGE');
    expect(refusal('\n\n')).toBe('CORRUPTED');
  });
});

describe('Markdown', () => {
  const source = `---
title: "보고서"
---
# 제목 **굵게**

문단 [링크](https://example.org) \`코드\` ~~지움~~ &amp; &#44032;
둘째 줄

> 인용

1. 하나
   - 안쪽
2. 둘

- [x] 끝남

| 이름 | 값 |
|---|--:|
| 가 | 1 |

\`\`\`ts
const a = 1;
\`\`\`

![그림 설명](a.png)

<div>태그 <b>속</b> 글</div>
`;

  test('everything is what it is', () => {
    const { blocks, meta } = read(readMarkdown, source);
    expect(meta.title).toBe('보고서');
    expect(blocks.map(({ type }) => type)).toEqual([
      'heading',
      'paragraph',
      'paragraph',
      'list',
      'list',
      'table',
      'code',
      'image',
      'paragraph',
    ]);
    expect(blocks[0]).toMatchObject({ level: 1, spans: [{ text: '제목 ' }, { text: '굵게', bold: true }] });
    expect(blocks[1]).toMatchObject({
      spans: expect.arrayContaining([
        { text: '링크', link: 'https://example.org' },
        { text: '코드', code: true },
        { text: '지움', strike: true },
      ]),
    });
    expect(textOf(blocks[1]?.type === 'paragraph' ? blocks[1].spans : [])).toContain('& 가');
    expect(blocks[2]).toMatchObject({ role: 'quote' });
    expect(blocks[3]).toMatchObject({
      items: [
        { level: 0, marker: '1.', ordered: true },
        { level: 1, marker: '-', ordered: false },
        { level: 0, marker: '2.', ordered: true },
      ],
    });
    expect(blocks[4]).toMatchObject({ items: [{ marker: '☑', spans: [{ text: '끝남' }] }] });
    expect(cellsOf(blocks[5])).toEqual([
      ['이름', '값'],
      ['가', '1'],
    ]);
    expect(blocks[6]).toMatchObject({ text: 'const a = 1;', language: 'ts' });
    expect(blocks[7]).toMatchObject({ alt: '그림 설명' });
    expect(blocks[8]).toMatchObject({ spans: [{ text: '태그 ' }, { text: '속', bold: true }, { text: ' 글' }] });
  });

  test('any text is read', () => {
    const marks = fc.constantFrom('#', '- ', '> ', '|', '`', '*', '[', '](', '<b>', '\n', '\n\n', '1. ', '가', ' ');
    fc.assert(
      fc.property(fc.array(marks, { maxLength: 60 }), (parts) => {
        expect(Array.isArray(read(readMarkdown, parts.join('')).blocks)).toBe(true);
      }),
    );
  });
});
