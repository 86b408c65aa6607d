import { expect, test } from 'vitest';
import { valuesIn } from '../../test/extract.ts';

const parties = { '발주자.상호': 'string', '수급인.상호': 'string' } as const;

test.each([
  ['headings', 'a.md', '# 발주자\n\n상호: 서울시\n\n# 수급인\n\n상호: 한빛건설'],
  ['titles of articles', 'a.md', '# 제1조 (발주자)\n\n상호: 서울시\n\n# 제2조 (수급인 정보)\n\n상호: 한빛건설'],
  ['lines', 'a.txt', '발주자:\n상호: 서울시\n\n수급인:\n상호: 한빛건설'],
  ['lines with values of their own', 'a.txt', '발주자: 서울특별시\n상호: 서울시\n수급인: 한빛\n상호: 한빛건설'],
  ['labels', 'a.txt', '발주자 상호: 서울시\n상호(수급인): 한빛건설'],
  ['heads of columns', 'a.md', '| 구분 | 발주자 | 수급인 |\n|---|---|---|\n| 상호 | 서울시 | 한빛건설 |'],
  ['heads of rows', 'a.md', '| 구분 | 상호 |\n|---|---|\n| 발주자 | 서울시 |\n| 수급인 | 한빛건설 |'],
  [
    'blank cells',
    'a.md',
    '| 발주자 | 대표 | 김 |\n|---|---|---|\n| | 상호 | 서울시 |\n| 수급인 | 대표 | 이 |\n| | 상호 | 한빛건설 |',
  ],
  [
    'merged cells at the left',
    'a.html',
    '<table><tr><td rowspan=2>발주자<td>대표<td>김</tr><tr><td>상호<td>서울시</tr><tr><td rowspan=2>수급인<td>대표<td>이</tr><tr><td>상호<td>한빛건설</tr></table>',
  ],
  [
    'merged cells above',
    'a.html',
    '<table><tr><td colspan=4>발주자</tr><tr><td>상호<td>서울시<td>대표<td>김</tr><tr><td colspan=4>수급인</tr><tr><td>상호<td>한빛건설<td>대표<td>이</tr></table>',
  ],
  [
    'merged cells side by side',
    'a.html',
    '<table><tr><td colspan=2>발주자<td colspan=2>수급인</tr><tr><td>상호<td>서울시<td>상호<td>한빛건설</tr></table>',
  ],
])('values of an object come from the part that its name heads: %s', async (_, name, text) => {
  expect(await valuesIn(name, text, parties)).toEqual({ '발주자.상호': '서울시', '수급인.상호': '한빛건설' });
});

test('what does not stand in the part of an object is missing, where the label may be that of another', async () => {
  expect(await valuesIn('a.md', '# 발주자\n\n상호: 서울시\n\n# 기타\n\n상호: 한빛건설', parties)).toEqual({
    '발주자.상호': '서울시',
  });
  expect(await valuesIn('a.md', '상호: 서울시', parties)).toEqual({});
  expect(await valuesIn('a.md', '상호: 서울시\n\n상호: 한빛건설', { '수급인.상호': 'string' })).toEqual({});
  const blank =
    '<table><tr><td rowspan=2>신청인<td>성명<td>홍길동</tr><tr><td>주소<td>서울</tr><tr><td rowspan=2>대리인<td>성명<td></tr><tr><td>주소<td></tr></table>';
  expect(await valuesIn('a.html', blank, { '대리인.성명': 'string' })).toEqual({});
});

test('a label that stands once, or always with the same value, needs no part of its own', async () => {
  expect(await valuesIn('a.md', '성명: 홍길동\n\n# 서명\n\n성명: 홍길동', { 'applicant.성명': 'string' })).toEqual({
    'applicant.성명': '홍길동',
  });
  // The address stands among what is the other party's.
  const shared = { ...parties, '발주자.주소': 'string' } as const;
  expect(await valuesIn('a.md', '# 수급인\n\n상호: 한빛건설\n\n주소: 대전', shared)).toEqual({
    '수급인.상호': '한빛건설',
  });
});

test('a value of the schema itself is none of its objects', async () => {
  const values = { 상호: 'string', '수급인.상호': 'string' } as const;
  expect(await valuesIn('a.md', '# 수급인\n\n상호: 한빛건설\n\n# 발주\n\n상호: 서울시', values)).toEqual({
    상호: '서울시',
    '수급인.상호': '한빛건설',
  });
});

test('objects within objects are told by all of their names that the document has', async () => {
  const text = '# 발주자\n\n## 대표\n\n성명: 김\n\n## 담당\n\n성명: 이\n\n# 수급인\n\n## 대표\n\n성명: 박';
  const values = { '계약.발주자.담당.성명': 'string', '계약.수급인.대표.성명': 'string' } as const;
  expect(await valuesIn('a.md', text, values)).toEqual({
    '계약.발주자.담당.성명': '이',
    '계약.수급인.대표.성명': '박',
  });
});
