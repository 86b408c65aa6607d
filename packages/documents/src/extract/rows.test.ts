import { expect, test } from 'vitest';
import { findIn, wantedValue } from '../../test/extract.ts';

const rows = [
  { path: ['목록'], columns: [wantedValue('품명'), wantedValue('수량', 'integer'), wantedValue('단가', 'number')] },
];
const listed = async (name: string, text: string) =>
  (await findIn(name, text, {}, rows)).found.map(({ path, value }) => [path.slice(1).join('.'), value]);

test('the head of a list may stand below titles and remarks', async () => {
  const found = [
    ['0.품명', '책상'],
    ['0.수량', 3],
    ['0.단가', 100],
  ];
  expect(await listed('a.csv', '물품 구매 내역 (단위: 원)\n작성일: 2024-01-02\n품명,수량,단가\n책상,3,100\n')).toEqual(
    found,
  );
  const merged =
    '<table><tr><td colspan=3>물품 구매 내역 (단위: 원)</tr><tr><td>품명<td>수량<td>단가</tr><tr><td>책상<td>3<td>100</tr></table>';
  expect(await listed('a.html', merged)).toEqual(found);
  // Rows of a form are no titles.
  expect(await listed('a.csv', '성명,홍길동,주소\n서울,02-1,남\n품명,수량,단가\n책상,3,100\n')).toEqual([]);
});

test('a unit in a head is no part of its name; one that counts thousands or millions multiplies numbers', async () => {
  expect(await listed('a.csv', '품명,수량(개),단가(천원)\n책상,3,1.5\n의자,4,"2,000원"\n')).toEqual([
    ['0.품명', '책상'],
    ['0.수량', 3],
    ['0.단가', 1_500],
    ['1.품명', '의자'],
    ['1.수량', 4],
    ['1.단가', 2_000],
  ]);
  // A head without a unit comes before one with it.
  expect(await listed('a.csv', '품명,단가(천원),단가\n책상,1,1000\n')).toEqual([
    ['0.품명', '책상'],
    ['0.단가', 1_000],
  ]);
});

test('a head that stands again is no row', async () => {
  expect(await listed('a.csv', '품명,수량,단가\n책상,3,100\n품명,수량,단가\n의자,4,50\n')).toHaveLength(6);
});

test('a list that is cut says so', async () => {
  const lines = (count: number) => `품명,수량,단가\n${'책상,3,100\n'.repeat(count)}`;
  const { found, warnings } = await findIn('a.csv', lines(5_001), {}, rows);
  expect(found).toHaveLength(15_000);
  expect(warnings).toEqual([{ code: 'rows_cut', message: 'Only the first 5000 of 5001 rows of 목록 are given.' }]);
  expect((await findIn('a.csv', lines(5_000), {}, rows)).warnings).toEqual([]);
});
