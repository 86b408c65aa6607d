import { expect, test } from 'vitest';
import { answerTo } from '../../../../../test/support/ask-builtin-engine.ts';
import { questionParts } from './question-parts.ts';

test.each([
  ['구내식당 위치는 어디이고 점심 가격은 얼마인가요?', ['구내식당 위치는 어디이고', '점심 가격은 얼마인가요?']],
  [
    '새봄장학금은 몇 명을 뽑고, 신청은 언제까지인가요?',
    ['새봄장학금은 몇 명을 뽑고,', '새봄장학금 신청은 언제까지인가요?'],
  ],
  ['When is the rent due and how much is the deposit?', ['When is the rent due', 'how much is the deposit?']],
  ['누가 결재합니까? 며칠 걸리나요?', ['누가 결재합니까?', '며칠 걸리나요?']],
  ['연차와 병가의 차이는 무엇인가요?', ['연차와 병가의 차이는 무엇인가요?']],
  ['Bread and butter cost how much?', ['Bread and butter cost how much?']],
])('%s', (request, parts) => {
  expect(questionParts(request).map((part) => part.replace(/,$/, ''))).toEqual(
    parts.map((part) => part.replace(/,$/, '')),
  );
});

test('notes of earlier steps are told as they are, without what was not found', async () => {
  const notes = JSON.stringify([
    '구내식당은 어디?\n본관 지하 1층에 있다. [1]',
    '주차장은?\n주어진 문서에서 이 질문에 대한 답을 찾을 수 없습니다.',
    '정원은?\n정원은 30명이다. [2]',
  ]);
  expect(await answerTo(`구내식당과 정원을 알려 주세요.\n\n<notes>\n${notes}\n</notes>`)).toBe(
    '본관 지하 1층에 있다. [1]\n\n정원은 30명이다. [2]',
  );
  const nothing = JSON.stringify(['A?\nThe given documents do not contain an answer to this question.']);
  expect(await answerTo(`When is it?\n\n<notes>\n${nothing}\n</notes>`)).toMatch(/do not contain/);
});
