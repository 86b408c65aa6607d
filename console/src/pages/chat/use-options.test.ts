import { expect, test } from 'vitest';
import { triggerAt } from './use-options.ts';

test('a sign offers something at the beginning of a word, up to the caret', () => {
  expect(triggerAt('#예산', 3)).toEqual({ sign: '#', words: '예산', from: 0, to: 3 });
  expect(triggerAt('묻기 @민', 5)).toEqual({ sign: '@', words: '민', from: 3, to: 5 });
  expect(triggerAt('line\n#', 6)).toMatchObject({ sign: '#', words: '' });
  expect(triggerAt('/회의', 3)).toMatchObject({ sign: '/', words: '회의' });
  // Names are of several words, on one line.
  expect(triggerAt('묻기 #휴가 규정', 9)).toEqual({ sign: '#', words: '휴가 규정', from: 3, to: 9 });
  expect(triggerAt('#휴가 #규', 6)).toEqual({ sign: '#', words: '규', from: 4, to: 6 });
  expect(triggerAt('#휴가\n', 4)).toBeNull();
  for (const text of ['and/or', '/etc/hosts', 'https://example.org', '1 / 2', '2026/11/26'])
    expect(triggerAt(text, text.length), text).toBeNull();
  // Within a word, behind a space, before the caret of another place: an address, a heading, a number.
  for (const text of ['me@example.org', 'C#', '# heading', '']) expect(triggerAt(text, text.length)).toBeNull();
  expect(triggerAt('#예산', 0)).toBeNull();
});
