import { expect, test } from 'vitest';
import type { Block } from '../document.ts';
import { blockHtml } from '../render/html.ts';
import { renderPrediction } from '../render/json.ts';
import { blockMarkdown } from '../render/markdown.ts';
import { chartWords } from './chart.ts';
import { namespaces } from './office-names.ts';
import { parseXml } from './xml.ts';

const values = (name: string, ...all: string[]) =>
  `<c:${name}>${all.map((value) => `<c:pt><c:v>${value}</c:v></c:pt>`).join('')}</c:${name}>`;
const series = (name: string, categories: string[], figures: string[]) =>
  `<c:ser><c:tx><c:v>${name}</c:v></c:tx>${values('cat', ...categories)}${values('val', ...figures)}</c:ser>`;
const chart = (inner: string) =>
  chartWords(
    parseXml(
      Buffer.from(
        `<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><c:chart><c:title><a:t>매출</a:t></c:title><c:plotArea><c:barChart>${inner}</c:barChart></c:plotArea></c:chart></c:chartSpace>`,
      ),
      { namespaces, depth: 32, part: 'chart' },
    ),
  );

test('the figures of a chart are a table in Markdown, HTML and JSON, with its text beside them', () => {
  const words = chart(
    series('국내', ['1분기', '2분기'], ['10', '4.4000000000000004']) + series('국외', ['1분기', '2분기'], ['3', '5']),
  );
  expect(words).toEqual({
    text: '매출\n국내 — 1분기: 10, 2분기: 4.4\n국외 — 1분기: 3, 2분기: 5',
    figures: [
      ['매출', '국내', '국외'],
      ['1분기', '10', '3'],
      ['2분기', '4.4', '5'],
    ],
  });
  const block: Block = { type: 'image', page: 1, alt: '막대', ...words };
  expect(blockMarkdown(block)).toBe(
    '막대\n\n| 매출 | 국내 | 국외 |\n| --- | --- | --- |\n| 1분기 | 10 | 3 |\n| 2분기 | 4.4 | 5 |',
  );
  expect(blockHtml(block)).toContain('<thead><tr><th>매출</th><th>국내</th><th>국외</th></tr></thead>');
  const { all_pages: pages } = renderPrediction({ format: 'docx', meta: {}, pages: [], blocks: [block], warnings: [] });
  expect(pages[0]?.classes[0]).toMatchObject({ class: 'Figure', table: { rows: 3, columns: 3, cells: { length: 9 } } });
});

test('series that have other categories each stay text', () => {
  const words = chart(series('가', ['1', '2'], ['10', '20']) + series('나', ['3'], ['30']));
  expect(words).toEqual({ text: '매출\n가 — 1: 10, 2: 20\n나 — 3: 30' });
});
