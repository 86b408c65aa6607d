import { expect, test } from 'vitest';
import { replaceBoxes } from './boxes.ts';
import type { Block } from './document.ts';

test('all boxes of a page are put elsewhere: of blocks, cells, fields and what lies within them', () => {
  const box = { x: 1, y: 2, width: 3, height: 4 };
  const text: Block = {
    type: 'paragraph',
    page: 1,
    box,
    spans: [{ text: '☐', field: { kind: 'checkbox', checked: false, box } }, { text: '가' }],
  };
  const cell = { row: 0, column: 0, rowSpan: 1, columnSpan: 1, box };
  const cells = [
    { ...cell, blocks: [text] },
    { ...cell, row: 1, page: 2, blocks: [] },
  ];
  const blocks: Block[] = [
    { type: 'table', page: 1, box, rows: 2, columns: 1, headerRows: 0, cells },
    { type: 'list', page: 1, items: [{ level: 0, marker: '-', ordered: false, spans: text.spans }] },
    { type: 'header', page: 1, box, blocks: [text] },
    { type: 'image', page: null, box },
  ];
  const seen: number[] = [];
  const moved = replaceBoxes(blocks, (one, page) => {
    seen.push(page);
    return { ...one, x: 10 * page };
  });
  expect(seen).toEqual([1, 1, 1, 1, 2, 1, 1, 1, 1]);
  const at = (page: number) => ({ x: 10 * page, y: 2, width: 3, height: 4 });
  const movedText = { box: at(1), spans: [{ field: { box: at(1) } }, {}] };
  expect(moved).toMatchObject([
    { box: at(1), cells: [{ box: at(1), blocks: [movedText] }, { box: at(2) }] },
    { items: [{ spans: movedText.spans }] },
    { box: at(1), blocks: [movedText] },
    { box },
  ]);
});
