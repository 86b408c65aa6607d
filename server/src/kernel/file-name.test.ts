import { expect, test } from 'vitest';
import { plainFileName } from './file-name.ts';

test.each([
  ['규정.hwp'.normalize('NFD'), '규정.hwp'],
  [' a\u0007b\u202Etxt.exe ', 'abtxt.exe'],
  ['휴가 규정 🏖️.md', '휴가 규정 🏖️.md'],
  ['half \uD83C.txt', 'half \uFFFD.txt'],
  ['\u202E\n', ''],
])('%j is read as %j', (given, name) => {
  expect(plainFileName(given)).toBe(name);
});

test('a long name keeps its suffix, and no half of a sign', () => {
  expect(plainFileName(`${'가'.repeat(300)}.hwpx`)).toBe(`${'가'.repeat(250)}.hwpx`);
  expect(plainFileName('가'.repeat(300))).toBe('가'.repeat(255));
  expect(plainFileName(`가${'🏖'.repeat(200)}.md`)).toBe(`가${'🏖'.repeat(125)}.md`);
  expect(plainFileName(`${'🏖'.repeat(200)}.md`)).toBe(`${'🏖'.repeat(126)}.md`);
});
