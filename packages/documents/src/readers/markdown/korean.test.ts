import { expect, test } from 'vitest';
import { brief } from '../../../test/brief.ts';
import { type Block, type Span, textOf } from '../../document.ts';
import { standardLimits } from '../../reader.ts';
import { renderMarkdown } from '../../render/markdown.ts';
import { readDocument } from '../index.ts';

const read = async (text: string): Promise<readonly Block[]> =>
  (
    await readDocument(Buffer.from(text), 'a.md', {
      limits: standardLimits,
      pages: null,
      onPage: () => undefined,
    })
  ).blocks;
const spansOf = async (text: string): Promise<readonly Span[]> => {
  const [block] = await read(text);
  return block !== undefined && 'spans' in block ? block.spans : [];
};

test.each([
  '2025. 11. 28.',
  '2025. 3. 15.(토) 14:00',
  '3. 15. 회의',
  '12. 25.(금) 휴무',
  '2025. 시행',
  '10. 1. ~ 10. 31.',
])('a line with a date is text: %s', async (line) => {
  expect(brief(await read(`# 제목\n\n${line}\n\n홍길동`))).toEqual(['h1 제목', `p ${line}`, 'p 홍길동']);
  expect(brief(await read(`- ${line}\n- 둘`))).toEqual([`l0 - ${line}`, 'l0 - 둘']);
});

test('a date ends the list before it, and stands in items as text', async () => {
  expect(brief(await read('1. 서류\n2. 기한\n\n2025. 11. 28.\n\n끝'))).toEqual([
    'l0 1. 서류',
    'l0 2. 기한',
    'p 2025. 11. 28.',
    'p 끝',
  ]);
  expect(brief(await read('1. 2025. 11. 28. 공포\n2. 2026. 1. 1. 시행'))).toEqual([
    'l0 1. 2025. 11. 28. 공포',
    'l0 2. 2026. 1. 1. 시행',
  ]);
  expect(brief(await read('1. 예\n\n   ```\n   2025. 11. 28.\n   ```\n2. 둘'))).toEqual([
    'l0 1. 예',
    'c 2025. 11. 28.',
    'l0 2. 둘',
  ]);
});

test('a wave is a range, two strike out', async () => {
  expect(await spansOf('모집 인원은 10~20명, 기간은 2~3일이다. ~~지움~~')).toEqual([
    { text: '모집 인원은 10~20명, 기간은 2~3일이다. ' },
    { text: '지움', strike: true },
  ]);
});

test.each([
  ['**"굵게"**는 중요하다', '"굵게"'],
  ['**이것은(괄호)**을 본다', '이것은(괄호)'],
  ['값은**"인용"**이다', '"인용"'],
  ['**50%**까지', '50%'],
  ['앞 "**굵게**" 뒤', '굵게'],
])('emphasis ends before a particle: %s', async (text, bold) => {
  const spans = await spansOf(text);
  expect(spans.filter((span) => span.bold).map((span) => span.text)).toEqual([bold]);
  expect(textOf(spans)).toBe(text.replaceAll('**', ''));
});

test('emphasis within emphasis is read as it is written, and written as it was read', async () => {
  const text = '*가 "**나**" 다* **가**(나)**다**';
  const spans = await spansOf(text);
  expect(spans.filter((span) => span.bold).map((span) => span.text)).toEqual(['나', '가', '다']);
  expect(await spansOf(renderMarkdown(await read(text)))).toEqual(spans);
});

test('what stands within items of a list stays between them', async () => {
  const text =
    '1. 작성\n\n   | 항목 | 값 |\n   |---|---|\n   | 가 | 나 |\n\n2. 제출\n   - 방법\n\n     ```\n     curl x\n     ```\n\n   - 확인\n\n3. 끝';
  expect(brief(await read(text))).toEqual([
    'l0 1. 작성',
    't p 항목 | p 값 | p 가 | p 나',
    'l0 2. 제출',
    'l1 - 방법',
    'c curl x',
    'l1 - 확인',
    'l0 3. 끝',
  ]);
  // A list that goes on within an item is no code.
  expect((await read(renderMarkdown(await read(text)))).map(({ type }) => type)).not.toContain('paragraph');
});

test('tags of HTML in a line break it, raise and lower letters, and name looks and links', async () => {
  expect(
    await spansOf(
      '앞<br>뒤 10<sup>3</sup> CO<sub>2</sub> <b>굵게 <i>둘</i></b> <u>밑줄</u> <a href="https://a.kr">곳</a>',
    ),
  ).toEqual(
    expect.arrayContaining([
      { text: '\n' },
      { text: '3', script: 'super' },
      { text: '2', script: 'sub' },
      { text: '굵게 ', bold: true },
      { text: '둘', bold: true, italic: true },
      { text: '밑줄' },
      { text: '곳', link: 'https://a.kr' },
    ]),
  );
  expect(brief(await read('| 구분 | 내용 |\n|---|---|\n| 준비물 | 신분증<br>도장 |'))).toEqual([
    't p 구분 | p 내용 | p 준비물 | p 신분증\n도장',
  ]);
});

test('blocks of HTML are read as such', async () => {
  expect(brief(await read('<ul><li>하나</li><li>둘</li></ul>'))).toEqual(['l0 - 하나', 'l0 - 둘']);
  expect(brief(await read('<h2>제목</h2>\n<p>글<br>둘</p>\n<script>x()</script>'))).toEqual(['h2 제목', 'p 글\n둘']);
  const table = '<table>\n<tr>\n<td rowspan=2>가</td>\n<td>나</td>\n\n</tr>\n\n<tr><td>다</td></tr>\n</table>';
  expect(brief(await read(`${table}\n\n뒤`))).toEqual(['t p 가 | p 나 | p 다', 'p 뒤']);
  expect(brief(await read('<table> 없는 표\n\n둘째 문단\n\n셋째 문단'))).toContain('p 셋째 문단');
});

test('formulas stay as they are written', async () => {
  const text = String.raw`집합 $\{a,b\}$, $$x_1 *c* \\ y_2$$, $a<b>c$, 값 $5와 $10*2*`;
  expect(textOf((await spansOf(text)).slice(0, 6))).toBe(String.raw`집합 $\{a,b\}$, $$x_1 *c* \\ y_2$$, $a<b>c$`);
});

test('letters by any name that HTML has', async () => {
  expect(textOf(await spansOf('가&middot;나 &rarr; &hellip; &nosuch; &lt;'))).toBe('가·나 → … &nosuch; <');
});

test('pictures within words, items and cells follow them, and those that are links are pictures', async () => {
  const pictures = (blocks: readonly Block[]): (string | undefined)[] =>
    blocks.flatMap((block) =>
      block.type === 'image'
        ? [block.address]
        : block.type === 'table'
          ? block.cells.flatMap((cell) => pictures(cell.blocks))
          : [],
    );
  const text =
    '글 ![그림](a.png) 뒤\n\n- ![x](b.png) 항목\n\n| a |\n|---|\n| ![y](c.png) |\n\n[![z](d.png)](http://a.kr)\n\n아이콘 ![i](https://a.kr/i.png) 하나';
  const blocks = await read(text);
  expect(pictures(blocks)).toEqual(['a.png', 'b.png', 'c.png', 'd.png']);
  expect(brief(blocks)).toEqual(expect.arrayContaining(['p 글 그림 뒤', 'l0 - x 항목', 'p 아이콘 i 하나']));
});
