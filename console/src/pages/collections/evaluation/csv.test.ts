import { expect, test } from 'vitest';
import { parseQuestions } from './csv.ts';

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
