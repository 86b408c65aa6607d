import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Block, TableCell } from '../document.ts';
import { type Chunk, chunkDocument, loadTokenizer } from './index.ts';
import { sentencesOf } from './sentences.ts';

const tokenizer = await loadTokenizer();
const paragraph = (text: string, page: number | null = null): Block => ({ type: 'paragraph', page, spans: [{ text }] });
const heading = (level: number, text: string, page: number | null = null): Block => ({
  type: 'heading',
  level,
  page,
  spans: [{ text }],
});
const chunk = (blocks: readonly Block[], more: Partial<Parameters<typeof chunkDocument>[1]> = {}): Chunk[] =>
  chunkDocument(blocks, { strategy: 'by_title', size: 60, overlap: 0, tokenizer, ...more });
const sentence = (at: number) => `이것은 ${at}번째 문장으로서 규정의 내용을 설명한다.`;
const long = Array.from({ length: 30 }, (_, at) => sentence(at)).join(' ');

const table = (rows: number, text: (row: number) => string): Block => ({
  type: 'table',
  page: 3,
  rows,
  columns: 2,
  headerRows: 1,
  caption: [{ text: '표 1. 예산' }],
  cells: Array.from({ length: rows }, (_, row): TableCell[] =>
    [0, 1].map((column) => ({
      row,
      column,
      rowSpan: 1,
      columnSpan: 1,
      blocks: [paragraph(row === 0 ? `머리${column}` : text(row * 2 + column))],
    })),
  ).flat(),
});

describe('sentences', () => {
  test('dates and numbers do not end them', () => {
    const text = '2026. 11. 21. 시행한다. 제1조를 고친다. 가. 목적은 이렇다.';
    expect(sentencesOf(text)).toEqual(['2026. 11. 21. 시행한다. ', '제1조를 고친다. ', '가. 목적은 이렇다.']);
  });
  test('a text of nothing but numbers is parted in time', () => {
    const text = `${'1. '.repeat(300_000)}끝났다. 다음`;
    expect(sentencesOf(text)).toEqual([text.slice(0, -2), '다음']);
  });
  test('joined they are the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(sentencesOf(text).join('')).toBe(text);
      }),
    );
  });
});

describe('chunks', () => {
  test('never hold two sections, and know where they stand', () => {
    const chunks = chunk([
      heading(1, '제1장', 1),
      paragraph('첫 장의 글.', 1),
      heading(3, '작은 제목', 2),
      paragraph('그 아래 글.', 2),
      heading(2, '제1절', 3),
      paragraph('절의 글.', 4),
    ]);
    expect(chunks).toMatchObject([
      {
        content: '# 제1장\n\n첫 장의 글.\n\n### 작은 제목\n\n그 아래 글.',
        headings: ['제1장'],
        startPage: 1,
        endPage: 2,
      },
      { content: '## 제1절\n\n절의 글.', headings: ['제1장', '제1절'], startPage: 3, endPage: 4 },
    ]);
  });

  test('are no titles alone: those go with the first text below them', () => {
    const chunks = chunk([
      heading(1, '휴가 규정', 1),
      heading(2, '제1장', 1),
      heading(3, '제1조', 2),
      paragraph('첫 조의 글.', 2),
      heading(2, '제2장', 3),
      heading(2, '제3장', 3),
      paragraph('셋째 장의 글.', 3),
      heading(1, '부칙', 4),
    ]);
    expect(chunks).toMatchObject([
      {
        content: '# 휴가 규정\n\n## 제1장\n\n### 제1조\n\n첫 조의 글.',
        headings: ['휴가 규정', '제1장', '제1조'],
        startPage: 1,
        endPage: 2,
      },
      // Nothing stands below these.
      { content: '## 제2장', headings: ['휴가 규정', '제2장'] },
      { content: '## 제3장\n\n셋째 장의 글.', headings: ['휴가 규정', '제3장'] },
      { content: '# 부칙', headings: ['부칙'] },
    ]);
  });

  test('by length they do', () => {
    expect(
      chunk([heading(1, '가'), paragraph('나.'), heading(1, '다'), paragraph('라.')], { strategy: 'by_length' }),
    ).toHaveLength(1);
  });

  test('a title goes with what follows it', () => {
    const chunks = chunk([paragraph(long.slice(0, 100)), heading(3, '다음 제목'), paragraph(long.slice(100, 260))]);
    expect(chunks.some(({ content }) => content.endsWith('다음 제목'))).toBe(false);
  });

  test('a title that what follows leaves no room for stands alone, so that no chunk is longer than it may be', () => {
    const text = '땍궂뗀 갅a 뉀뇀가 뉀a갞쁀a가a a꽀.';
    const maxTokens = tokenizer.count(text) + 1;
    const options = { size: maxTokens, maxTokens };
    const chunks = chunk([heading(1, '가'), heading(2, '궂갓갓'), paragraph(text)], options);
    expect(chunks.map(({ content }) => content)).toEqual(['# 가', '## 궂갓갓', text]);
    for (const { tokens } of chunks) expect(tokens).toBeLessThanOrEqual(maxTokens);
  });

  test('long paragraphs are cut between sentences, and repeat the last ones', () => {
    const chunks = chunk([paragraph(long)], { overlap: 20 });
    expect(chunks.length).toBeGreaterThan(5);
    for (const [at, { content, overlap }] of chunks.entries()) {
      expect(content.startsWith('이것은')).toBe(true);
      expect(content.trimEnd().endsWith('다.')).toBe(true);
      if (at > 0) {
        expect(overlap).toBeGreaterThan(0);
        expect(chunks[at - 1]?.content.trimEnd().endsWith(content.slice(0, overlap).trimEnd())).toBe(true);
      }
    }
  });

  test('a table that fits is whole; a long one is cut between rows, with caption and headings', () => {
    expect(chunk([paragraph('앞글.'), table(3, (nth) => `값${nth}`)])).toHaveLength(1);
    const chunks = chunk([table(40, (nth) => `값${nth}`)]);
    expect(chunks.length).toBeGreaterThan(2);
    for (const { content } of chunks) expect(content).toMatch(/^표 1\. 예산\n\n\| 머리0 \| 머리1 \|/);
    const rows = chunks.flatMap(({ content }) => content.match(/\| 값\d+ \| 값\d+ \|/g) ?? []);
    expect(rows).toEqual(Array.from({ length: 39 }, (_, at) => `| 값${(at + 1) * 2} | 값${(at + 1) * 2 + 1} |`));
  });

  const words = fc.stringMatching(/^[a-z가-힣]{1,12}$/u);
  const text = fc.array(words, { minLength: 1, maxLength: 120 }).map((all) => all.join(' '));
  const block: fc.Arbitrary<Block> = fc.oneof(
    text.map((one) => paragraph(`${one}.`)),
    fc.tuple(fc.integer({ min: 1, max: 4 }), words).map(([level, title]) => heading(level, title)),
    fc
      .array(words, { minLength: 2, maxLength: 60 })
      .map((all) => table(all.length, (nth) => all[nth % all.length] ?? '')),
  );
  const overlapOf = ({ content, overlap }: Chunk) => content.slice(overlap);

  test('hold every word once, overlap aside, and are no longer than they may be', () => {
    fc.assert(
      fc.property(
        fc.array(block, { maxLength: 12 }),
        fc.constantFrom('by_title' as const, 'by_length' as const),
        fc.integer({ min: 30, max: 200 }),
        fc.integer({ min: 0, max: 15 }),
        fc.option(fc.integer({ min: 30, max: 120 }), { nil: undefined }),
        (blocks, strategy, size, overlap, maxTokens) => {
          const options = { strategy, size, overlap, maxTokens, tokenizer };
          const chunks = chunkDocument(blocks, options);
          expect(chunkDocument(blocks, options)).toEqual(chunks);
          const whole = chunkDocument(blocks, {
            ...options,
            strategy: 'by_length',
            size: 1e9,
            overlap: 0,
            maxTokens: undefined,
          });
          const plainOnly = blocks.every(({ type }) => type !== 'table');
          const letters = (all: Chunk[]) => all.map(overlapOf).join('').replaceAll(/\s+/g, '');
          if (plainOnly) expect(letters(chunks)).toBe(letters(whole));
          for (const one of chunks) {
            expect(one.tokens).toBe(tokenizer.count(one.content));
            expect(one.tokens).toBeLessThanOrEqual(Math.ceil((size * 4) / 3) + size / 2 + overlap + 8);
            // Joined, texts may be a token or two more than apart.
            if (maxTokens !== undefined) expect(one.tokens).toBeLessThanOrEqual(maxTokens + 8);
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('what stands in chunks', () => {
  test('notes have the marks that readers see, not the names of the file', () => {
    const note: Block = {
      type: 'footnote',
      page: 1,
      kind: 'footnote',
      id: 'footnote-2',
      marker: '1)',
      blocks: [paragraph('각주 하나')],
    };
    const referring: Block = {
      type: 'paragraph',
      page: 1,
      spans: [{ text: '본문' }, { text: '1)', note: 'footnote-2' }, { text: ' 끝.' }],
    };
    expect(chunk([referring, note]).map(({ content }) => content)).toEqual(['본문[^1] 끝.\n\n[^1]: 각주 하나']);
  });

  test('items of a list keep their level', () => {
    const item = (level: number, text: string) => ({ level, marker: '-', ordered: false, spans: [{ text }] });
    const list: Block = { type: 'list', page: 1, items: [item(0, '가'), item(1, '나'), item(0, '다')] };
    expect(chunk([list]).map(({ content }) => content.split('\n').filter((line) => line !== ''))).toEqual([
      ['- 가', '    - 나', '- 다'],
    ]);
  });
});
