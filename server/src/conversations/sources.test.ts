import type { Citation } from '@ai-studio/contract/agents/run.ts';
import { describe, expect, test } from 'vitest';
import { citedOf, queryOf } from './sources.ts';

const source = (number: number) => ({ number, content: `passage ${number}` }) as Citation;
const sources = Array.from({ length: 12 }, (_, at) => source(at + 1));
const numbers = (cited: readonly Citation[]) => cited.map(({ number }) => number);

describe('what is searched for', () => {
  test('is the question, with the one before where it says little alone', () => {
    expect(queryOf(['연차휴가는 입사 후 몇 년이 지나면 늘어나나요, 그리고 며칠인가요?'])).toContain('연차휴가는');
    expect(queryOf(['연차는 며칠인가요?', '3년차는?'])).toBe('연차는 며칠인가요? 3년차는?');
    const long = 'What does the travel policy say about meals abroad?';
    expect(queryOf(['Something else', long])).toBe(long);
    expect(queryOf([])).toBe('');
  });

  test('is never longer than a search takes', () => {
    expect(queryOf(['가'.repeat(9_000), '나?'])).toHaveLength(4_096);
    expect(queryOf(['가'.repeat(9_000)])).toHaveLength(4_096);
  });
});

describe('sources of an answer', () => {
  test('are those that it cites, once each, and none that there is not', () => {
    expect(numbers(citedOf('열다섯 날입니다 [2]. 그리고 [10][2], [99] 및 [a].', sources))).toEqual([2, 10]);
  });

  test('are the best ones where it cites none', () => {
    expect(numbers(citedOf('I do not cite.', sources))).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(citedOf('[1]', [])).toEqual([]);
  });
});
