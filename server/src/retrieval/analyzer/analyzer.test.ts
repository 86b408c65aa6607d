import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyText } from '../../../test/support/any-text.ts';
import { analyze, analyzeQuery, highlight } from './index.ts';
import { stripKorean } from '../../kernel/korean.ts';
import { times } from '../../../test/support/long.ts';

describe('Korean words', () => {
  test.each([
    ['신청서를', '신청서'],
    ['신청서가', '신청서'],
    ['신청하려면', '신청'],
    ['신청합니다', '신청'],
    ['신청하였습니다', '신청'],
    ['신청했는데', '신청'],
    ['신청해야', '신청'],
    ['승인되었는지', '승인'],
    ['회의실에서는', '회의실'],
    ['팀장님들께', '팀장님'],
    ['서울로', '서울'],
    ['부산으로', '부산'],
    ['직원입니다', '직원'],
    ['받으려면', '받'],
    ['먹었습니다', '먹'],
    ['받습니다', '받'],
    ['걸린다', '걸리'],
    ['알립니다', '알리'],
    ['알려야', '알리'],
    ['바꿔야', '바꾸'],
    ['나와서', '나오'],
    ['갇혔을', '갇히'],
    ['지급한다', '지급'],
    ['있을까', '있'],
  ])('%s is found by %s', (word, stem) => {
    expect(stripKorean(word)).toBe(stem);
  });

  test.each([
    '연차휴가',
    '회의',
    '신청결과',
    '제도',
    '성과',
    '물가',
    '경로',
    '기한',
    '보고',
    '산업재해',
    '나',
    '가',
    '참여',
    '보고서',
    '바다',
    '건전지',
    '메시지',
  ])('%s stays whole: what looks like an ending is none', (word) => {
    expect(stripKorean(word)).toBe(word);
  });

  test('give pairs of syllables, and whole stems beside them', () => {
    expect(analyze('연차휴가를 신청하려면 어떻게 해야 하나요?')).toEqual({
      terms: ['연차', '차휴', '휴가', '신청'],
      stems: ['연차휴가', '신청'],
    });
  });

  test('are the same in every form of writing', () => {
    const composed = '각하를 승인합니다';
    expect(analyze(composed.normalize('NFD'))).toEqual(analyze(composed));
  });
});

describe('other words', () => {
  test('of English lose endings, case and what says nothing', () => {
    expect(analyze('The Relational databases ARE flying')).toEqual({ terms: ['relat', 'databas', 'fly'], stems: [] });
  });

  test('marks and widths do not matter', () => {
    expect(analyze('Ｃａｆｅ́ naïve').terms).toEqual(analyze('cafe naive').terms);
  });

  test('numbers keep their points and lose their commas', () => {
    expect(analyze('1,000원 3.5GHz 10.0.0.1 ２０２６').terms).toEqual(['1000', '원', '3.5', 'ghz', '10.0.0.1', '2026']);
  });

  test('particles on foreign words and numbers are no words', () => {
    expect(analyze('API를 3월에는 VPN으로').terms).toEqual(['api', '3', '월', 'vpn']);
  });

  test('names of languages keep their signs', () => {
    expect(analyze('C++ c# C F#').terms).toEqual(['c++', 'c#', 'c', 'f#']);
  });

  test('with digits in them are found by their parts too', () => {
    expect(analyze('RTX4090').terms).toEqual(['rtx4090', 'rtx', '4090']);
  });

  test('of scripts without spaces are pairs', () => {
    expect(analyze('東京都 データ').terms).toEqual(['東京', '京都', 'デー', 'ータ']);
  });
});

describe('a question', () => {
  test('of function words alone is looked for by them', () => {
    expect(analyze('the who').terms).toEqual([]);
    expect(analyzeQuery('the who').terms.length).toBeGreaterThan(0);
    expect(analyzeQuery('무엇').terms).toEqual(['무엇']);
  });

  test('without words gives nothing', () => {
    expect(analyzeQuery('?! …')).toEqual({ terms: [], stems: [] });
  });
});

describe('highlights', () => {
  const marked = (text: string, query: string) =>
    highlight(text, query).map(({ start, end }) => text.slice(start, end));

  test('are the parts of words that are alike', () => {
    expect(marked('연차휴가를 신청합니다. ＡＰＩ를 쓰는 API 신청서', '휴가 신청 api')).toEqual([
      '휴가',
      '신청',
      'ＡＰＩ',
      'API',
      '신청',
    ]);
    expect(marked('Databases relate to each other', 'relational database')).toEqual(['Databases', 'relate']);
    expect(marked('nothing here', '없음')).toEqual([]);
  });

  test('lie within the text, in order and apart, whatever it is', () => {
    const text = fc.string({
      unit: fc.constantFrom('가', '나', '다', 'a', 'B', ' ', '1', '.', 'é', 'ᄒ', 'ᅡ', 'ﬁ', '😀', '東'),
    });
    fc.assert(
      fc.property(text, text, (one, query) => {
        let last = -1;
        for (const { start, end } of highlight(one, query)) {
          expect(start).toBeGreaterThan(last);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(one.length);
          last = end;
        }
      }),
    );
  });
});

describe('any text', () => {
  const anything = fc.oneof(anyText({ maxLength: 200 }), fc.string({ unit: 'grapheme', maxLength: 200 }));

  test('gives terms without white space and without halves of pairs, none of them empty', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const { terms, stems } = analyze(text);
        for (const term of [...terms, ...stems]) {
          expect(term).toMatch(/^\S+$/u);
          expect(term.isWellFormed()).toBe(true);
        }
      }),
      { numRuns: times(100, 500) },
    );
  });

  test('joined of two gives the terms of both', () => {
    fc.assert(
      fc.property(anything, anything, (a, b) => {
        expect(analyze(`${a}\n\n${b}`).terms).toEqual([...analyze(a).terms, ...analyze(b).terms]);
      }),
    );
  });

  test.each([
    '가'.repeat(300_000),
    'a'.repeat(300_000),
    '1.'.repeat(150_000),
    '신청하고'.repeat(80_000),
    'é'.repeat(200_000),
    '니다'.repeat(150_000),
    ' '.repeat(300_000),
  ])('of great length is done in time that grows with it', (text) => {
    // A second power of the length would take hours.
    expect(analyze(text).terms.length).toBeLessThanOrEqual(text.length);
  });
});
