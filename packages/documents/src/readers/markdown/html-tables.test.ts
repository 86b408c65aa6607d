import { expect, test } from 'vitest';
import { standardLimits } from '../../reader.ts';
import { renderMarkdown } from '../../render/markdown.ts';
import { readMarkdown } from './index.ts';

const read = async (text: string) =>
  readMarkdown(Buffer.from(text), { limits: standardLimits, pages: null, onPage: () => undefined });

test('tables that Markdown cannot hold stand in it as HTML, and are tables again', async () => {
  const html =
    '<table><thead><tr><th>구분</th><th colspan="2">2025년</th></tr></thead><tbody><tr><td rowspan="2">국비</td><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></tbody></table>';
  const { blocks } = await read(`# 예산\n\n${html}\n\n끝`);
  expect(blocks.map(({ type }) => type)).toEqual(['heading', 'table', 'paragraph']);
  expect(blocks[1]).toMatchObject({ rows: 3, columns: 3, headerRows: 1 });
  expect(renderMarkdown(blocks.slice(1, 2))).toBe(html);
});
