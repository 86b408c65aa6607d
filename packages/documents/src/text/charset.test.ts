import fc from 'fast-check';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { decodeText } from './charset.ts';

const korean = '제1장 총칙\n가. 이 규정은 똠방각하와 펲시콜라를 정한다. 그밖의 사항은 관계 법령에 따른다.';
const encoded = (text: string, charset: string, mark = false) => iconv.encode(text, charset, { addBOM: mark });

test.each([
  ['utf-8', false],
  ['utf-8', true],
  ['utf-16le', true],
  ['utf-16be', true],
  ['cp949', false],
])('Korean in %s (mark: %s) is read', (charset, mark) => {
  const decoded = decodeText(encoded(korean, charset, mark));
  expect(decoded).toMatchObject({ text: korean, charset, damaged: false });
});

test('UTF-16 without a mark is known by its zeros', () => {
  const english = 'A plain English sentence, long enough to be told by.';
  for (const charset of ['utf-16le', 'utf-16be']) {
    expect(decodeText(encoded(english, charset)).text).toBe(english);
  }
});

test('what a web page calls euc-kr is CP949', () => {
  expect(decodeText(encoded(korean, 'cp949'), 'euc-kr').text).toBe(korean);
});

test('line ends are one, and NUL is none', () => {
  expect(decodeText(Buffer.from('a\r\nb\rc\0d')).text).toBe('a\nb\ncd');
});

test('UTF-8 that is cut in a letter is still UTF-8, and says so', () => {
  const cut = encoded(korean, 'utf-8').subarray(0, -2);
  expect(decodeText(cut)).toMatchObject({ charset: 'utf-8', damaged: true });
});

test('bytes of any kind are read as something', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(typeof decodeText(bytes).text).toBe('string');
    }),
  );
});

test('UTF-8 always comes back as it was', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const clean = text.toWellFormed().replaceAll('\0', '').replaceAll(/\r\n?/g, '\n');
      if (/^[\uFEFF\u0000]/.test(clean)) return;
      expect(decodeText(Buffer.from(clean)).text).toBe(clean);
    }),
  );
});
