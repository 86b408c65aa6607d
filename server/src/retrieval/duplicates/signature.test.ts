import { describe, expect, test } from 'vitest';
import { bandsOf, isNearlySame, likeness, packBins, type Signature, signatureOf, unpackBins } from './signature.ts';

const of = (text: string): Signature => {
  const signature = signatureOf(text);
  if (signature === null) throw new Error('no letters');
  return signature;
};
const rules = Array.from(
  { length: 60 },
  (_, at) => `제${at + 1}조 담당자는 ${at * 7 + 3}일 안에 ${['신청', '결재', '점검', '보고'][at % 4]} 서류를 낸다.`,
);
const text = rules.join('\n');

describe('texts that say the same', () => {
  test('are known however they are set', () => {
    expect(likeness(of('연차 휴가는 15일이다.'), of('연차휴가는\n１５일 이다'))).toBe(1);
  });
  test('are known with a word changed, and not where a third is another', () => {
    expect(isNearlySame(of(text), of(text.replace('담당자는', '담당관은')))).toBe(true);
    const other = rules.map((rule, at) =>
      at % 3 === 0 ? `이 조는 ${at}년에 새로 정한 것으로 앞의 것을 대신한다.` : rule,
    );
    expect(isNearlySame(of(text), of(other.join('\n')))).toBe(false);
  });
  test('short ones are told apart by a letter', () => {
    expect(isNearlySame(of('연차는 15일이다'), of('연차는 16일이다'))).toBe(false);
    expect(isNearlySame(of('가'), of('가'))).toBe(true);
    expect(isNearlySame(of('가'), of('나'))).toBe(false);
  });
});

test('likeness is near the share of runs of letters that both have', () => {
  const half = `${rules.slice(0, 30).join('\n')}\n${rules
    .slice(0, 30)
    .map((rule) => [...rule].toReversed().join(''))
    .join('\n')}`;
  expect(likeness(of(text), of(half))).toBeLessThan(0.6);
  expect(likeness(of(text), of(text))).toBe(1);
});

test('what has no letters has no signature', () => {
  expect(signatureOf(' —\n…')).toBeNull();
});

test('texts that are nearly the same share a band of their collection, others none', () => {
  const shared = (a: readonly bigint[], b: readonly bigint[]) => a.filter((band) => b.includes(band)).length;
  const own = bandsOf(of(text), 'c');
  expect(shared(own, bandsOf(of(text.replace('담당자는', '담당관은')), 'c'))).toBeGreaterThan(0);
  expect(shared(own, bandsOf(of(rules.map((rule) => [...rule].toReversed().join('')).join('\n')), 'c'))).toBe(0);
  expect(shared(own, bandsOf(of(text), 'd'))).toBe(0);
  expect(shared(bandsOf(of('연차는 15일'), 'c'), bandsOf(of('연차는 15 일'), 'c'))).toBe(16);
});

test('bins are kept as they are', () => {
  const { bins } = of('연차는 15일');
  expect(unpackBins(packBins(bins))).toEqual(bins);
});
