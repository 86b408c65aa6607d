import { expect, test } from 'vitest';
import * as word from '../../../test/docx.ts';
import * as hancom from '../../../test/hwpx.ts';
import { standardLimits } from '../../reader.ts';
import { readDocument } from '../../readers/index.ts';
import { renderText } from '../../render/text.ts';
import { fillTemplate } from './index.ts';
import { answerOf } from './ticks.ts';

const yes = [
  'true',
  ' Yes ',
  'Y',
  'ON',
  '1',
  'o',
  'Ｏ',
  'V',
  '예',
  '네.',
  '동의',
  '동의 함',
  '해당',
  '있음',
  '☑',
  '✓',
  '✔️',
  '■',
];
test.each([true, 1, ...yes].map((value: unknown) => ({ value })))('$value says yes', ({ value }) => {
  expect(answerOf(value)).toBe(true);
});

const no =
  'false,F,No,NO.,n,off,0,X,x,✗,×,☐,null,아니오,아니요,아님,미동의,동의하지 않음,동의 안 함,해당 없음,없음,거부, ,'.split(
    ',',
  );
test.each([false, 0, null, undefined, [], ...no].map((value: unknown) => ({ value })))(
  '$value says no',
  ({ value }) => {
    expect(answerOf(value)).toBe(false);
  },
);

const others = [
  -1,
  2,
  0.5,
  {},
  { a: 1 },
  [false],
  [true],
  ['동의'],
  '홍길동',
  '동의?',
  '보류',
  '아마',
  '2',
  'yes and no',
];
test.each([...others, '예'.repeat(100)].map((value: unknown) => ({ value })))('$value says neither', ({ value }) => {
  expect(answerOf(value)).toBeNull();
});

const shown = async (file: Uint8Array, format: string): Promise<string> =>
  renderText(
    (await readDocument(file, `a.${format}`, { limits: standardLimits, pages: null, onPage: () => undefined })).blocks,
  );

test('boxes whose value says neither yes nor no are not ticked, and named', async () => {
  const box = '<w:sdt><w:sdtPr><w:tag w:val="c"/><w14:checkbox><w14:checked w14:val="1"/></w14:checkbox></w:sdtPr>';
  const body = word.paragraph(
    `${word.run('{{?a}}가 {{?b}}나 {{?kind=x}}다 ')}${box}<w:sdtContent>${word.run('☒')}</w:sdtContent></w:sdt>${word.run('라')}`,
  );
  const docx = await fillTemplate(
    word.writeDocx({ body }),
    { a: '미정', b: '동의함', c: '모름', kind: 'y' },
    standardLimits,
  );
  expect(docx.unfilled).toEqual(['a', 'c']);
  expect(await shown(docx.bytes, 'docx')).toBe('☐가 ☑나 ☐다 ☐라');
  const button = '<hp:checkBtn name="agree" caption="동의" value="CHECKED"/>';
  const hwpx = await fillTemplate(
    hancom.writeHwpx({ sections: [hancom.paragraph(button)] }),
    { agree: { given: true } },
    standardLimits,
  );
  expect(hwpx.unfilled).toEqual(['agree']);
  expect(await shown(hwpx.bytes, 'hwpx')).toBe('☐동의');
});
