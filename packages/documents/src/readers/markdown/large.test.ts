import { expect, test } from 'vitest';
import { type Block, type Document, type ListItem, textOf } from '../../document.ts';
import { standardLimits } from '../../reader.ts';
import { renderText } from '../../render/text.ts';
import { readMarkdown } from './index.ts';

const read = (text: string): Document =>
  readMarkdown(Uint8Array.from(Buffer.from(text)), {
    limits: standardLimits,
    pages: null,
    onPage: () => undefined,
  }) as Document;

const prose = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => `문단 ${at} **굵게** [고리][x] 끝.`);

test('a long text is read as a short one is, whatever stands where it is cut', () => {
  const { blocks, warnings } = read(`# 제목\n\n${prose(20_000).join('\n\n')}\n\n[x]: https://a.kr`);
  expect(warnings).toEqual([]);
  expect(blocks).toHaveLength(20_001);
  for (const at of [1, 7_000, 20_000])
    expect(blocks[at]).toMatchObject({
      type: 'paragraph',
      spans: [
        { text: `문단 ${at - 1} ` },
        { text: '굵게', bold: true },
        {},
        { text: '고리', link: 'https://a.kr' },
        {},
      ],
    });
});

test('a long table stays one table, long code one code', () => {
  const rows = Array.from({ length: 60_000 }, (_, at) => `| ${at} | 값 |`);
  const code = Array.from({ length: 60_000 }, (_, at) => `# line ${at}\n`).join('\n');
  const { blocks } = read(`| 번호 | 값 |\n|---|---|\n${rows.join('\n')}\n\n\`\`\`py\n${code}\n\`\`\`\n\n끝`);
  expect(blocks.map(({ type }) => type)).toEqual(['table', 'code', 'paragraph']);
  expect(blocks[0]).toMatchObject({ rows: 60_001, columns: 2, headerRows: 1 });
  expect(blocks[1]).toMatchObject({ text: code, language: 'py' });
});

test('definitions of notes within code are code', () => {
  const { blocks } = read('글[^1]\n\n```\n[^1]: kein\n```\n\n[^1]: 각주\n    이어짐\n\n    둘째 문단\n\n끝');
  expect(blocks.map(({ type }) => type)).toEqual(['paragraph', 'code', 'paragraph', 'footnote']);
  expect(blocks[1]).toMatchObject({ text: '[^1]: kein' });
  expect(blocks[3]).toMatchObject({ id: '1', blocks: [{}, { spans: [{ text: '둘째 문단' }] }] });
});

test('pictures that stand in the text letter by letter are no text', () => {
  const { blocks } = read(`![그림](data:image/png;base64,${'A'.repeat(500_000)})\n\n글`);
  expect(blocks).toMatchObject([{ type: 'image', alt: '그림' }, { type: 'paragraph' }]);
});

const marks = [
  '>',
  '> ',
  '- ',
  '1. ',
  '*',
  '**a',
  '_a_ ',
  '[',
  '![',
  '[[',
  '<!--',
  '<a',
  '`',
  '|',
  '!',
  '\\',
  '~',
  '&',
  '#',
];
const lines = [
  'a\n',
  '\n',
  '    a\n',
  '.3\n',
  '| a\n',
  '<b>\n',
  '[^1]',
  '[a]: b\n',
  '* a\n',
  'a*\n',
  '- - a\n',
  '> a\n',
  '`\n',
  '1. 2025. 1.\n',
  '**(가)**나 ',
  '$a ',
  '<table>\n\n',
];
/** Several pieces of a text that is cut, and more than one piece may be. */
const CUT_TEXT_LENGTH = 640 * 1024;
test.each([...marks, ...lines])('more than half a megabyte of %j is read', (part) => {
  const { blocks } = read(`[^1]: 각주\n\n${part.repeat(CUT_TEXT_LENGTH / part.length)}\n\n마지막 문단이다.`);
  expect(renderText(blocks)).toContain('마지막 문단이다.');
});

const deepest = (blocks: readonly Block[]): ListItem[] =>
  blocks.flatMap((block) => (block.type === 'list' ? block.items : []));

test('no word is lost within many lists and quotes', () => {
  const lists = Array.from({ length: 500 }, (_, at) => `${'  '.repeat(at)}- 항목${at}`);
  const { blocks } = read(`${lists.join('\n')}\n\n${'> '.repeat(500)}인용`);
  expect(deepest(blocks).map(({ spans }) => textOf(spans).trim())).toEqual(
    Array.from({ length: 500 }, (_, at) => `항목${at}`),
  );
  expect(renderText(blocks)).toContain('인용');
});

test('a line within more lists than anybody writes is plain text, also where it is indented', () => {
  for (const indent of ['', '     ', '\t\t']) {
    const { blocks, warnings } = read(`1. 첫째\n   - 둘째\n${indent}${'-  '.repeat(1_700)}끝`);
    expect(renderText(blocks)).toMatch(/첫째[^]*둘째[^]*끝/);
    expect(warnings).toMatchObject([{ code: 'markup_ignored' }]);
    // Nothing lies deeper than what was written as lists.
    expect(Math.max(...deepest(blocks).map(({ level }) => level))).toBeLessThan(3);
  }
});
