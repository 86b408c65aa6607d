import { expect, test } from 'vitest';
import { LineJoiner } from './line-joiner.ts';

const learnt = (...texts: readonly string[]): LineJoiner => {
  const joiner = new LineJoiner();
  joiner.learn(texts.map((text, at) => ({ text, openEnd: false, base: 20 * at, x0: 0, size: 10 })));
  return joiner;
};
const full = { ragged: false, room: false };
const joined = (joiner: LineJoiner, above: string, below: string): string =>
  above + joiner.between({ text: above, openEnd: false }, { text: below }, full) + below;

test('a syllable that no word begins with ends the word of the line above', () => {
  const joiner = new LineJoiner();
  expect(joined(joiner, '매우 중요하거', '나 필요한 일')).toBe('매우 중요하거나 필요한 일');
  expect(joined(joiner, '일을 마치', '며 쉰다')).toBe('일을 마치며 쉰다');
  expect(joined(joiner, '오늘 저녁', '나 혼자')).toBe('오늘 저녁 나 혼자');
});

test('words that a document has elsewhere say where its lines break', () => {
  const anywhere = [
    '이번 조사연구 결과는 도시계획 방향과 주민참여 방안을 다룬다',
    '우리 조사',
    '연구 모임과 도시',
    '계획 위원은 주민',
    '참여 행사를 열어 방',
    '안을 정한다',
  ];
  const joiner = learnt(...anywhere);
  // Neither part is known: lines of this document break within words.
  expect(joined(joiner, '여러 청년', '층으로 나눈다')).toBe('여러 청년층으로 나눈다');
  expect(joined(joiner, '여러 청년을', '층으로 나눈다')).toBe('여러 청년을 층으로 나눈다');
  const between = learnt(
    '이번 조사 결과는 도시 방향과 주민 방안을 다룬다',
    '우리 조사',
    '방향과 도시',
    '결과는 주민',
    '조사 모임과 방안을',
    '도시 위원',
  );
  expect(joined(between, '여러 청년', '층으로 나눈다')).toBe('여러 청년 층으로 나눈다');
});
