import { expect, test } from 'vitest';
import { decode, parseQuestions, toCsv } from './csv.ts';

test('questions are read with the line they stand on, whatever separates cells', () => {
  const text = '\uFEFFquestion,documents\r\n"How, and\nwhen?",a.pdf; b.pdf\r\n\r\n연차는?,휴가.md\r\n';
  expect(parseQuestions(text)).toEqual([
    { row: 2, question: 'How, and\nwhen?', documents: ['a.pdf', 'b.pdf'] },
    { row: 5, question: '연차는?', documents: ['휴가.md'] },
  ]);
  expect(parseQuestions('번호\t정답 문서\t질문\n1\ta.pdf\t"그 ""말""은?"')).toEqual([
    { row: 2, question: '그 "말"은?', documents: ['a.pdf'] },
  ]);
  expect(parseQuestions('question,documents\n,\nx,')).toEqual([{ row: 3, question: 'x', documents: [] }]);
});

test('files that are no lists of questions are told apart', () => {
  expect(parseQuestions('a,b\n1,2')).toBe('columns');
  expect(parseQuestions('')).toBe('columns');
  expect(parseQuestions('question,documents\n')).toBe('empty');
  expect(parseQuestions('question,documents\n"x,y')).toBe('quotes');
});

test('what Korean spreadsheets write is read', () => {
  const bytes = Uint8Array.from([0xc1, 0xfa, 0xb9, 0xae]);
  expect(decode(bytes.buffer)).toBe('질문');
  expect(decode(new TextEncoder().encode('질문').buffer)).toBe('질문');
  // "Unicode text" of Excel, in both orders of bytes.
  expect(decode(Uint8Array.from([0xff, 0xfe, 0xc8, 0xc9, 0x38, 0xbb]).buffer)).toBe('질문');
  expect(decode(Uint8Array.from([0xfe, 0xff, 0xc9, 0xc8, 0xbb, 0x38]).buffer)).toBe('질문');
});

test('cells that are written are no formulas', () => {
  expect(toCsv([['=1+1', 'a "b"', 0.5]])).toBe('\uFEFF\'=1+1,"a ""b""",0.5\r\n');
});
