import { expect, test } from 'vitest';
import { writeDocument } from './write-document.ts';

const textOf = (name: string, value: unknown) => writeDocument(name, value).bytes.toString();

test('the end of a name says what is written', () => {
  const rows = [
    { a: 1, b: 'x, "y"' },
    { b: null, c: { d: [1] } },
  ];
  expect(textOf('t.csv', rows)).toBe('\uFEFFa,b,c\r\n1,"x, ""y""",\r\n,,"{""d"":[1]}"\r\n');
  expect(textOf('t.CSV', [['a', 1], 'b'])).toBe('\uFEFFa,1\r\nb\r\n');
  expect(textOf('t.csv', { a: 1 })).toBe('\uFEFFa\r\n1\r\n');
  // A spreadsheet would work it out.
  expect(textOf('t.csv', [{ a: '=1+1' }])).toBe("\uFEFFa\r\n'=1+1\r\n");
  expect(textOf('t.json', rows)).toBe(`${JSON.stringify(rows, null, 2)}\n`);
  expect(textOf('t.md', rows)).toBe(JSON.stringify(rows));
  for (const name of ['t.csv', 't.json', 't.html']) expect(textOf(name, 'as it is')).toBe('as it is');
});

test('a file has a name with an end', () => {
  expect(['', '보고서', 'v1.2.md', 'a.b c'].map((name) => writeDocument(name, 'x').name)).toEqual([
    'answer.md',
    '보고서.txt',
    'v1.2.md',
    'a.b c.txt',
  ]);
});

test('a table of rows without a name in common is refused before it is written', () => {
  const rows = Array.from({ length: 20_000 }, (_, index) => ({ [`k${index}`]: index }));
  expect(() => writeDocument('t.csv', rows)).toThrow(/1000000 cells/);
});
