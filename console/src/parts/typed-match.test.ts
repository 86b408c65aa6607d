import { expect, test } from 'vitest';
import { isTyped } from './typed-match.ts';

test('a name is found by its words, whatever their order, their case and its blanks', () => {
  for (const words of ['휴가', '휴가 규정', '규정 휴가', '휴가규정', '규', ' 휴가  규 ', '', '2026', 'hr'])
    expect(isTyped('2026 휴가 규정 (HR)', words), words).toBe(true);
  for (const words of ['휴일', '휴가 지침', '휴가 규정 2025', 'it'])
    expect(isTyped('2026 휴가 규정 (HR)', words), words).toBe(false);
  // As files of macOS are named.
  expect(isTyped('휴가 규정'.normalize('NFD'), '휴가 규정')).toBe(true);
});

test('a name is found at each key on the way to its words', () => {
  for (const words of ['ㅎ', '휴', '휵', '휴가', '휴가 ㄱ', '휴가 규', '휴가 귲', '휴가 규저', '휴가 규정'])
    expect(isTyped('휴가 규정', words), words).toBe(true);
  // 의 is typed by two keys, 닭 by four.
  for (const words of ['으', '의', '읟', '의다', '의달', '의닭']) expect(isTyped('의닭', words), words).toBe(true);
  expect(isTyped('의닭', '읟ㅂ')).toBe(false);
});
