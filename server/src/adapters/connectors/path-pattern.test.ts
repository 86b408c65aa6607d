import { expect, test } from 'vitest';
import { fitsPattern } from './path-pattern.ts';

test.each([
  ['a.md', '*.md', true],
  ['docs/a.md', '*.md', false],
  ['docs/a.md', '**/*.md', true],
  ['a.md', '**/*.md', true],
  ['docs/ko/a.md', 'docs/**/*.md', true],
  ['docs/a.md', 'docs/**/*.md', true],
  ['docs/a.md', 'docs/**', true],
  ['docsx/a.md', 'docs/**', false],
  ['보고서 1.hwp', '보고서 ?.hwp', true],
  ['보고서 12.hwp', '보고서 ?.hwp', false],
  ['a/b', 'a?b', false],
  ['a+b(c)', 'a+b(c)', true],
  ['a/b/c/d.txt', 'a/*/c/*.txt', true],
  ['', '**', true],
  ['a', '', false],
])('%s with %s: %s', (path, pattern, fits) => {
  expect(fitsPattern(path, pattern)).toBe(fits);
});

test('a pattern that others would take for ever with is looked at once', () => {
  expect(fitsPattern('a'.repeat(460), `${'*a'.repeat(95)}b`)).toBe(false);
  expect(fitsPattern('a/'.repeat(230), `${'**/'.repeat(66)}b`)).toBe(false);
});
