import { describe, expect, test } from 'vitest';
import type { Block, TableCell } from '@ai-studio/documents';
import { type PieceKind, cellTextOf, factsOf, lettersOf } from './facts.ts';
import {
  f1,
  headings,
  longestRise,
  paragraphs,
  sentenceOrder,
  tableCells,
  textOrder,
  textRecall,
  words,
} from './metrics.ts';

const page = null;
const paragraph = (text: string): Block => ({ type: 'paragraph', page, spans: [{ text }] });
const heading = (text: string): Block => ({ type: 'heading', level: 1, page, spans: [{ text }] });
const cell = (row: number, column: number, text: string, rowSpan = 1, columnSpan = 1): TableCell => ({
  row,
  column,
  rowSpan,
  columnSpan,
  blocks: [paragraph(text)],
});
const table = (rows: number, columns: number, ...cells: TableCell[]): Block => ({
  type: 'table',
  page,
  rows,
  columns,
  headerRows: 1,
  cells,
});
const facts = (...blocks: Block[]) => factsOf({ blocks });
const kinds = new Set<PieceKind>(['running', 'note']);

describe('facts', () => {
  test('texts are compared by their letters and digits, cells with their signs', () => {
    expect(lettersOf('제1장 총칙 — (ﬁne)')).toBe('제1장총칙fine');
    expect(cellTextOf(' −5 %')).toBe('-5%');
  });

  test('formulas, notes, margins and hidden text are told apart; references are no text', () => {
    const { pieces } = facts(
      {
        type: 'paragraph',
        page,
        spans: [{ text: 'before' }, { text: 'x^2', math: true }, { text: 'after' }, { text: '1)', note: 'a' }],
      },
      { type: 'footnote', page, kind: 'footnote', id: 'a', blocks: [paragraph('a note')] },
      { type: 'header', page, blocks: [paragraph('the top')] },
      { ...paragraph('white'), hidden: true },
    );
    expect(pieces.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      'running before',
      'equation x2',
      'running after',
      'note anote',
      'margin thetop',
      'hidden white',
    ]);
  });

  test('a merged cell stands in each of its places; a frame of one cell is no table', () => {
    const { rows } = facts(
      table(2, 2, cell(0, 0, 'all', 1, 2), cell(1, 0, 'a'), cell(1, 1, '')),
      table(1, 1, cell(0, 0, 'frame')),
    );
    expect(rows.map((row) => [...row])).toEqual([
      [
        [0, 'all'],
        [1, 'all'],
      ],
      [[0, 'a']],
    ]);
  });

  test('columns and rows that no cell begins at are left out', () => {
    const { rows } = facts(table(4, 5, cell(0, 0, 'all', 1, 5), cell(1, 0, 'a', 3, 2), cell(1, 2, 'b', 3, 3)));
    expect(rows.map((row) => [...row.values()])).toEqual([
      ['all', 'all'],
      ['a', 'b'],
    ]);
  });
});

describe('recall', () => {
  test('is whole wherever the text stands, and however it is broken', () => {
    const truth = facts(paragraph('first things'), paragraph('second things'));
    expect(textRecall(truth, facts(paragraph('second thi ngs first'), paragraph('things')), kinds)).toBe(1);
  });

  test('counts what is missing, also of what stands several times', () => {
    const truth = facts(paragraph('abcde'), paragraph('abcde'));
    expect(textRecall(truth, facts(paragraph('abcde')), kinds)).toBe(0.5);
    expect(textRecall(truth, facts(), kinds)).toBe(0);
    expect(textRecall(facts(paragraph('가'), paragraph('나')), facts(paragraph('나')), kinds)).toBe(0.5);
    expect(textRecall(facts(), truth, kinds)).toBeNull();
  });

  test('a truth may repeat what is merged', () => {
    const truth = facts(table(1, 2, cell(0, 0, 'abcde'), cell(0, 1, 'abcde')));
    const found = facts(table(1, 2, cell(0, 0, 'abcde', 1, 2)));
    expect(textRecall(truth, found, kinds)).toBe(0.5);
    expect(textRecall(truth, found, kinds, { unmerged: true })).toBe(1);
  });
});

describe('order', () => {
  const words = ['alphabetical', 'dictionaries', 'honeysuckles', 'quarterbacks'];
  const text = (...order: number[]) => facts(...order.map((at) => paragraph(words[at] ?? '')));

  test('rises in both texts', () => {
    expect(longestRise([])).toBe(0);
    expect(longestRise([3, 1, 2, 5, 4])).toBe(3);
    expect(textOrder(text(0, 1, 2, 3), text(0, 1, 2, 3))).toBe(1);
    expect(textOrder(text(0, 1, 2, 3), text(0, 2, 3))).toBe(1);
  });

  test('falls where a part stands elsewhere', () => {
    const order = textOrder(text(0, 1, 2, 3), text(3, 0, 1, 2)) ?? 0;
    expect(order).toBeGreaterThan(0.7);
    expect(order).toBeLessThan(0.9);
    expect(textOrder(text(0), facts())).toBeNull();
  });
});

describe('cells and headings', () => {
  const truth = facts(table(3, 2, cell(0, 0, 'a'), cell(0, 1, 'b'), cell(1, 0, 'c'), cell(1, 1, 'd'), cell(2, 0, 'e')));

  test('a table that is split over pages with its heading repeated loses no cell', () => {
    const found = facts(
      table(2, 2, cell(0, 0, 'a'), cell(0, 1, 'b'), cell(1, 0, 'c'), cell(1, 1, 'd')),
      table(2, 2, cell(0, 0, 'a'), cell(0, 1, 'b'), cell(1, 0, 'e')),
    );
    expect(tableCells(truth, found)).toEqual({ right: 5, wanted: 5, found: 7 });
  });

  test('a cell in another column is wrong, and so is one in another row', () => {
    const found = facts(table(2, 3, cell(0, 0, 'a'), cell(0, 2, 'b'), cell(1, 0, 'c'), cell(1, 1, 'e')));
    expect(tableCells(truth, found)).toEqual({ right: 2, wanted: 5, found: 4 });
    expect(f1({ right: 2, wanted: 5, found: 4 })).toBeCloseTo(4 / 9);
    expect(f1({ right: 0, wanted: 0, found: 0 })).toBeNull();
  });

  test('headings count as often as they stand, titles among them', () => {
    const wanted = facts(heading('1. 목적'), heading('표'), heading('표'), paragraph('text'));
    const found = facts({ type: 'paragraph', role: 'title', page, spans: [{ text: '1.목적' }] }, heading('표'));
    expect(headings(wanted, found)).toEqual({ right: 2, wanted: 3, found: 2 });
  });

  test('a paragraph that was cut or joined is wrong; one that lies in a table is right', () => {
    const wanted = facts(paragraph('첫째 문단입니다'), paragraph('둘째 문단입니다'), paragraph('셋째 문단입니다'));
    const found = facts(paragraph('첫째 문단입니다'), paragraph('둘째 문단입니다 셋째 문단입니다'));
    expect(paragraphs(wanted, found)).toEqual({ right: 1, wanted: 3, found: 2 });
    const boxed = facts(table(1, 2, cell(0, 0, '첫째 문단입니다'), cell(0, 1, '둘째 문단입니다')));
    expect(paragraphs(wanted, boxed)).toEqual({ right: 2, wanted: 3, found: 0 });
  });
});

test('a word that blanks cut, and two that lost theirs, are wrong; where lines end is a matter of taste', () => {
  const wanted = facts(paragraph('시스템의 성능과 기능을'), paragraph('확인하기 위해서는'));
  expect(words(wanted, facts(paragraph('시스템의 성능과\n기능을 확인하기 위해서는.')))).toEqual({
    right: 5,
    wanted: 5,
    found: 5,
  });
  expect(words(wanted, facts(paragraph('시 스 템 의 성능과 기능을'), paragraph('확인하기위해서는')))).toEqual({
    right: 2,
    wanted: 5,
    found: 7,
  });
});

describe('sentences in order', () => {
  const text = ['First one ends here.', 'Second one ends here.', 'Third one ends here.', 'Fourth one ends here.'];
  const truth = facts(paragraph(text.join(' ')));
  const order = (...blocks: Block[]) => sentenceOrder(truth, facts(...blocks));

  test('count by pairs, wherever paragraphs are cut', () => {
    expect(order(paragraph(text.slice(0, 2).join(' ')), paragraph(text.slice(2).join(' ')))).toBe(1);
    expect(order(...[1, 0, 2, 3].map((at) => paragraph(text[at]!)))).toBeCloseTo(1 / 3);
  });

  test('one that is interrupted costs the pairs on both sides, what stands between two costs nothing', () => {
    expect(order(paragraph(text.join(' ').replace('Second one', 'Second 40 one')))).toBeCloseTo(1 / 3);
    expect(order(paragraph(text.slice(0, 2).join(' ')), paragraph('40 20 0'), paragraph(text.slice(2).join(' ')))).toBe(
      1,
    );
  });

  test('says nothing of one sentence, nor of those that stand twice', () => {
    expect(sentenceOrder(facts(paragraph(text[0]!)), facts(paragraph(text[0]!)))).toBeNull();
    expect(sentenceOrder(facts(paragraph(text[0]!), paragraph(text[0]!)), facts())).toBeNull();
  });
});
