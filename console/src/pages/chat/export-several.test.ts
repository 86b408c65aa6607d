import { expect, test } from 'vitest';
import { fileNames } from './export-several.ts';

test('files of conversations are named by their titles, each otherwise, by signs that every system takes', () => {
  expect(fileNames(['휴가 규정', '휴가 규정', 'a/b: "c"?', 'Leave', 'leave'], 'md')).toEqual([
    '휴가 규정.md',
    '휴가 규정 (2).md',
    'a b c.md',
    'Leave.md',
    'leave (2).md',
  ]);
  const [long = '', other = ''] = fileNames(['가'.repeat(200), '가'.repeat(200)], 'docx');
  expect(new TextEncoder().encode(long).length).toBeLessThan(255);
  expect(other).not.toBe(long);
  // Half of a sign, as a title that was cut in the middle has it.
  expect(fileNames(['\ud83d'], 'md')[0]?.isWellFormed()).toBe(true);
});
