import { expect, test } from 'vitest';
import { valuesIn } from '../../test/extract.ts';

test('below a row of heads stand the values, also of those that the schema does not name', async () => {
  const table = '| 계약번호 | 계약명 | 계약금액 |\n|---|---|---|\n| C-1 | 청소 용역 | 5,000원 |';
  expect(await valuesIn('a.md', table, { 계약번호: 'string' })).toEqual({ 계약번호: 'C-1' });
  expect(await valuesIn('a.md', table, { 계약번호: 'string', 계약금액: 'number' })).toEqual({
    계약번호: 'C-1',
    계약금액: 5_000,
  });
  expect(await valuesIn('a.csv', '성명,부서,직급\n홍길동,총무과,6급', { 성명: 'string' })).toEqual({ 성명: '홍길동' });
  expect(await valuesIn('a.csv', 'id,name,city\nA,Kim,Seoul', { id: 'string' })).toEqual({ id: 'A' });
});

test.each([
  ['| 성명 | 홍길동 |\n|---|---|\n| 주소 | 서울 |', { 성명: '홍길동', 주소: '서울' }],
  [
    '| 성명 | 홍길동 | 생년월일 | 1990-01-02 |\n|---|---|---|---|\n| 주소 | 서울 | 전화 | 02-1 |',
    { 성명: '홍길동', 주소: '서울' },
  ],
  ['| 성명 | 홍길동 | 팀 | 총무과 |\n|---|---|---|---|\n| 취미 | 독서 | 특기 | 수영 |', { 성명: '홍길동' }],
  ['| 성명 | | \n|---|---|\n| 취미 | 독서 |', {}],
])('pairs of labels and values stay pairs, also where their first row is marked as a head', async (text, found) => {
  expect(await valuesIn('a.md', text, { 성명: 'string', 주소: 'string' })).toEqual(found);
});

test('heads at the left are those of their rows', async () => {
  const page = '<table><tr><th>성명<td>부서장<td>비고</tr><tr><th>팀<td>총무과<td></tr></table>';
  expect(await valuesIn('a.html', page, { 성명: 'string' })).toEqual({ 성명: '부서장' });
});
