import { expect, test } from 'vitest';
import { createOverlapMatcher } from './overlap.ts';

test.each([
  ['연차휴가를 신청하려면', '휴가 신청서', true],
  ['Pasword', 'PASSWORDS are changed', true],
  ['resume', 'Résumé', true],
  ['cafés', 'A CAFE', true],
  ['東京都', '京都', true],
  ['AI', 'the AI act', true],
  ['결혼하면 며칠 쉬나요?', 'Passwords are changed', false],
  ['zzqqxx', 'Passwords are changed', false],
  ['🏖️ !!', 'Passwords 🏖️ !!', false],
  ['', '', false],
])('%j and %j share letters: %j', (query, text, shared) => {
  expect(createOverlapMatcher(query)(text)).toBe(shared);
});
