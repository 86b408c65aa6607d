import { expect, test } from 'vitest';
import { MAX_LABEL_LENGTH, isTickLine, labelText } from './form-fields.ts';

test('a label is without what stands between it and its field', () => {
  expect(labelText(' / 이름  (한글)\n 성 : ')).toBe('이름 (한글) 성');
  expect(labelText('시각: 오전：')).toBe('시각: 오전');
  expect(labelText(' : ,')).toBeUndefined();
  expect(labelText('')).toBeUndefined();
  expect(labelText('가'.repeat(2_000))).toBe('가'.repeat(MAX_LABEL_LENGTH));
});

test('long rows of colons end', () => {
  const colons = ':'.repeat(500_000);
  expect(labelText(`a${colons}b`)).toBe('a');
  expect(isTickLine(`☐ a${colons}b ☐ c`)).toBe(true);
});
