import { expect, test } from 'vitest';
import { kindOf, typesOf } from './question-types.ts';

/** How well a text holds what a question asks for. */
const fits = (question: string, text: string) => Math.max(0, ...typesOf(question).map((type) => kindOf(type, text)));

test.each([
  ['정원은 몇 명인가요?', '정원은 30명이다.', '정원은 30권이다.'],
  ['반납은 며칠 안에 하나요?', '반납은 14일 안에 한다.', '반납은 1층에서 한다.'],
  ['얼마나 자주 청소하나요?', '필터는 두 달마다 청소한다.', '필터는 물로 청소한다.'],
  ['교육은 얼마 동안 합니까?', '교육은 3시간 동안 한다.', '교육은 강당에서 한다.'],
  ['무게는?', '무게: 1.2kg', '무게를 다는 저울'],
  ['담당자는 누구입니까?', '담당: 이서준 팀장', '담당 부서에 묻는다.'],
  ['위치는?', '대전광역시 서구 둔산로 100', '장작은 매점이 판다.'],
  ['How often is it inspected?', 'It is inspected twice a year.', 'It is inspected by hand.'],
  ['How tall is the tower?', 'The tower is 31 metres high.', 'The tower has 31 rooms.'],
  ['Who signed the contract?', 'It was signed by Ada Lindqvist.', 'It was signed in Quay Street.'],
  ['Why was it late?', 'It was late because of snow.', 'It was late by an hour.'],
  ['When does it open?', 'It opens on 3 May.', 'It opens to members.'],
  ['When does the office open?', 'The office opens at nine.', 'The office opens at the back.'],
  ['언제 문을 여나요?', '아침 아홉 시에 연다.', '열 시민이 연다.'],
  ['What is the phone number of the desk?', 'Call 0400 221 870.', 'Call the desk on 12 May.'],
])('%s asks for what stands in "%s", not in "%s"', (question, right, wrong) => {
  expect(fits(question, right)).toBe(1);
  expect(fits(question, wrong)).toBeLessThan(1);
});

test('money is a better answer to "얼마" than another number', () => {
  expect(fits('수수료는 얼마입니까?', '수수료는 3,000원이다.')).toBeGreaterThan(
    fits('수수료는 얼마입니까?', '수수료는 2026년에 정한다.'),
  );
});

test('a date is always needed, a person may be told in other words, and other questions need nothing', () => {
  expect(typesOf('언제 시작하나요?').map(({ needed }) => needed)).toEqual([true]);
  expect(typesOf('누가 결재합니까?').map(({ needed }) => needed)).toEqual([false]);
  expect(typesOf('무엇을 준비해야 하나요?')).toEqual([]);
});
