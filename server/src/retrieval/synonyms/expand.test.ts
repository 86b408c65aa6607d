import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { analyzeQuery } from '../analyzer/index.ts';
import { expandQuery } from './expand.ts';
import { lexicalText, weighSayings } from './weigh.ts';

const said = (query: string, sets: readonly (readonly string[])[] = [], starter = true) =>
  expandQuery(query, { sets, starter }).map(({ text }) => text);

describe('a query is said in other ways', () => {
  test.each([
    ['과기부의 예산은?', '과학기술정보통신부'],
    ['행정 사무 감사는 언제', '행감'],
    ['AI를 쓰는 방법', '인공지능'],
    ['인공지능 활용', 'ai'],
    ['wi-fi 연결', '와이파이'],
    ['R&D 예산', '연구개발'],
    ['문자메세지 발송', '문자메시지'],
    ['1억 5천만원 이하', '150000000'],
    ['2.5억원', '2억 5천만'],
    ['150,000,000원', '1억 5천만'],
    ['50,000원', '5만'],
    ['300만 원', '3000000'],
    ['5km 이내', '5킬로미터'],
    ['5 킬로미터', '5km'],
    ['30%', '30퍼센트'],
    ['제3조제2항', '제3조 제2항'],
    ['3조 2항', '제3조제2항'],
    ['大韓民國 憲法', '대한민국'],
    ['歷史', '역사'],
    ['勞動', '노동'],
  ])('%s: %s', (query, other) => {
    expect(said(query)).toContain(other);
  });

  test.each(['연차를 쓴 날', '12.1 조치 철회', '9.19 조항', '3번 문', '2026년 3월', '회의실', 'grep', '제작 지원'])(
    '%s gives no number or law',
    (query) => {
      expect(said(query, [], false)).toEqual([]);
    },
  );

  test('amounts of trillions are no articles of a law', () => {
    expect(said('12조원')).toContain('12000000000000');
    expect(said('12조원')).not.toContain('제12조');
  });

  test('sets of a tenant and of a collection count as well, and those of the service only where they are wanted', () => {
    const sets = [['공수처', '고위공직자범죄수사처']];
    expect(said('공수처에서', sets)).toEqual(['고위공직자범죄수사처']);
    expect(said('과기부', sets, false)).toEqual([]);
  });

  test('parts of a word are no word of a set', () => {
    expect(said('행감자료실')).not.toContain('행정사무감사');
  });
});

test('another way to say it counts as much as what it stands for', () => {
  const { terms } = analyzeQuery('인공지능', expandQuery('인공지능', { sets: [], starter: true }));
  // 인공, 공지, 지능 and half of the whole word.
  expect(terms.filter((term) => term === 'ai').length).toBe(4);
});

test('words count a quarter where a passage has what they stand for, and the lexical embedder is not given them', async () => {
  const query = '챗봇 서버';
  const known = new Set(['서버']);
  const sayings = await weighSayings(expandQuery(query, { sets: [], starter: true }), (terms) =>
    Promise.resolve(terms.every((term) => known.has(term))),
  );
  const { terms, weak } = analyzeQuery(query, sayings);
  expect(terms).toContain('chatbot');
  expect(terms).not.toContain('server');
  expect(weak).toEqual({ terms: ['server', 'server'], stems: [] });
  expect(lexicalText(query, sayings)).toBe('챗봇 서버 chatbot');
});

test('any text is expanded within bounds', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (text) => {
      const found = expandQuery(text, { sets: [['가', '나']], starter: true });
      expect(found.length).toBeLessThanOrEqual(32);
    }),
  );
  expect(() => expandQuery('9'.repeat(4_096), { sets: [], starter: true })).not.toThrow();
  expect(() => expandQuery('1억 '.repeat(1_000), { sets: [], starter: true })).not.toThrow();
});

test('many sets that share a word, asked for it again and again, cost no more than one look at each', () => {
  const words = Array.from({ length: 20 }, (_, at) => 'a'.repeat(at + 1));
  const sets = Array.from({ length: 200 }, () => words);
  const normalize = vi.spyOn(String.prototype, 'normalize');
  const includes = vi.spyOn(String.prototype, 'includes');
  try {
    expect(said('a '.repeat(50), sets, false)).toEqual(words.slice(0, 4));
    // Once for each word of the sets and each run of the query.
    expect(normalize.mock.calls.length).toBeLessThan(5_000);
    // Five runs, at most 32 sets of each, 20 words in each of them.
    expect(includes.mock.calls.length).toBeLessThanOrEqual(5 * 32 * 20);
  } finally {
    normalize.mockRestore();
    includes.mockRestore();
  }
});
