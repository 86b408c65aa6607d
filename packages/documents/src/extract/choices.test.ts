import { expect, test } from 'vitest';
import { findIn, valuesIn } from '../../test/extract.ts';

const answer = ['예', '아니오'] as const;
const consent = ['동의함', '동의하지 않음'] as const;

test('what is ticked belongs to the label in its line', async () => {
  const text = '보훈대상: ☑ 예 ☐ 아니오\n\n장애여부: ☐ 예 ☑ 아니오\n\n국적: ☐ 예 ☐ 아니오\n';
  expect(await valuesIn('a.md', text, { 보훈대상: answer, 장애여부: answer, 국적: answer })).toEqual({
    보훈대상: '예',
    장애여부: '아니오',
  });
  expect(await valuesIn('a.md', text, { 보훈대상: 'boolean', 장애여부: 'boolean', 국적: 'boolean' })).toEqual({
    보훈대상: true,
    장애여부: false,
  });
  const sideBySide = '성별: ☑ 남 ☐ 여    병역: ☐ 필 ☑ 미필\n\n학력: ☐ 고졸 ☑ 대졸 혼인: ☑ 기혼 ☐ 미혼';
  const options = { 성별: ['남', '여'], 병역: ['필', '미필'], 학력: ['고졸', '대졸'], 혼인: ['기혼', '미혼'] };
  expect(await valuesIn('a.md', sideBySide, options)).toEqual({ 성별: '남', 병역: '미필', 학력: '대졸', 혼인: '기혼' });
});

test('to the label in the line before it, over lines that each have a box', async () => {
  const text = '보훈대상\n☑ 예 ☐ 아니오\n장애여부\n☐ 예\n☑ 아니오\n\n주소: 서울\n';
  expect(await valuesIn('a.txt', text, { 보훈대상: answer, 장애여부: 'boolean' })).toEqual({
    보훈대상: '예',
    장애여부: false,
  });
});

test('in tables to the label in the cell at its left, or above it', async () => {
  const left = `| 개인정보 동의 | ☐ 동의함 ☑ 동의하지 않음 |
|---|---|
| 마케팅 동의 | ☑ 동의함 ☐ 동의하지 않음 |
| 제3자 제공 | ☐ 동의함 ☐ 동의하지 않음 |`;
  expect(
    await valuesIn('a.md', left, { '개인정보 동의': consent, '마케팅 동의': consent, '제3자 제공': consent }),
  ).toEqual({ '개인정보 동의': '동의하지 않음', '마케팅 동의': '동의함' });
  const above = '| 보훈대상 | 장애여부 |\n|---|---|\n| ☐ 예 ☑ 아니오 | ☑ 예 ☐ 아니오 |';
  expect(await valuesIn('a.md', above, { 보훈대상: answer, 장애여부: answer })).toEqual({
    보훈대상: '아니오',
    장애여부: '예',
  });
  const apart = '| 보훈대상 | ☐ 예 | ☑ 아니오 |\n|---|---|---|\n| 장애여부 | ☐ 예 | ☐ 아니오 |';
  expect(await valuesIn('a.md', apart, { 보훈대상: 'boolean', 장애여부: 'boolean' })).toEqual({ 보훈대상: false });
  const crossed = '| 항목 | 예 | 아니오 |\n|---|---|---|\n| 보훈대상 | ☐ | ☑ |\n| 장애여부 | ☑ | ☐ |';
  expect(await valuesIn('a.md', crossed, { 보훈대상: answer, 장애여부: 'boolean' })).toEqual({
    보훈대상: '아니오',
    장애여부: true,
  });
});

test.each([
  ['☑ 해당 ☐ 비해당', true],
  ['☐ 해당 ☑ 비해당', false],
  ['☐ 있음 ☑ 없음', false],
  ['☑ Yes ☐ No', true],
  ['예 ☐ 아니오 ☑', false],
  ['☑', true],
  ['☐', false],
  ['☑ 예 ☑ 아니오', undefined],
  ['☐ 동의함 ☐ 미동의', undefined],
])('a boolean is what is ticked behind its label: %s', async (boxes, value) => {
  expect(await valuesIn('a.md', `보훈대상: ${boxes}`, { 보훈대상: 'boolean' })).toEqual(
    value === undefined ? {} : { 보훈대상: value },
  );
});

test('without its label a caption answers where nothing else offers it, and never yes or no', async () => {
  const kinds = ['대기업', '중소기업'];
  const text = '회사: ☐ 대기업 ☑ 중소기업';
  expect(await valuesIn('a.md', text, { 규모: kinds })).toEqual({ 규모: '중소기업' });
  expect(await valuesIn('a.md', text, { 규모: kinds, 유형: kinds })).toEqual({});
  expect(await valuesIn('a.md', `${text}\n\n상대: ☑ 대기업 ☐ 중소기업`, { 규모: kinds })).toEqual({});
  expect(await valuesIn('a.md', '배우자: ☐ 예 ☑ 아니오', { 보훈대상: answer })).toEqual({});
});

test('texts are the captions that are ticked, and no boxes', async () => {
  const { found } = await findIn('a.md', '취미: ☑ 독서 ☐ 수영 ☑ 등산\n\n특기: ☐ 노래 ☐ 춤', {
    취미: 'string',
    특기: 'string',
  });
  expect(found).toMatchObject([{ path: ['취미'], value: '독서, 등산', source: 'form', confidence: 0.95 }]);
});
