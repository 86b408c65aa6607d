import fc from 'fast-check';
import { expect, test } from 'vitest';
import { knowHead, readKnownHead, readRequestHead } from './request-head.ts';

const paths = new Set(['/v1/chat/completions']);
const headWith = (length: string, lines: readonly string[] = []) =>
  Buffer.from(
    [
      'POST /v1/chat/completions HTTP/1.1',
      'Host: studio',
      ...lines,
      `Content-Length: ${length}`,
      'X-Last: 1',
      '',
      '{}',
    ].join('\r\n'),
  );

/** The head as it is read, and as it is read by another that came before. */
function readBoth(bytes: Buffer, before: Buffer) {
  const head = readRequestHead(before, paths);
  if (!head) throw new Error('The head before is none');
  const known = knowHead(before, head);
  if (!known) throw new Error('The head before is not remembered');
  // Nothing is read of memory that was freed.
  before.fill(0);
  return { read: readRequestHead(bytes, paths), known: readKnownHead(bytes, known) };
}

test.each(['1', '9', '10', '43000', '123456789012345'])('the same head with a body of %s is known', (length) => {
  const { read, known } = readBoth(
    headWith(length, ['Authorization: Bearer x']),
    headWith('17', ['Authorization: Bearer x']),
  );
  expect(read).not.toBeNull();
  expect(known).toEqual(read);
});

test.each([
  ['no length', ''],
  ['a length of zero', '0'],
  ['zeros before it', '017'],
  ['more digits than a number holds', '1234567890123456'],
  ['a space before it', ' 17'],
  ['a space behind it', '17 '],
  ['a sign', '+17'],
  ['a list', '17, 17'],
  ['another line within it', '17\r\nX-More: 1'],
])('what has %s is not', (_name, length) => {
  expect(readBoth(headWith(length), headWith('17')).known).toBeNull();
});

test('a head that is cut is not', () => {
  const whole = headWith('17');
  const { length } = readRequestHead(whole, paths) ?? { length: 0 };
  for (let end = 0; end < length; end++) expect(readBoth(whole.subarray(0, end), headWith('17')).known).toBeNull();
  expect(readBoth(whole.subarray(0, length), headWith('17')).known).not.toBeNull();
});

test('a head that was changed by chance is not read otherwise by the one before', () => {
  const pieces = ['\r\n', '\n', '\r', ' ', ':', '0', '9', 'Content-Length: 3\r\n', '\x80', 'content-length: '];
  const change = fc.record({
    at: fc.nat(110),
    cut: fc.integer({ min: 0, max: 3 }),
    put: fc.oneof(fc.constantFrom('', ...pieces), fc.string({ maxLength: 2 })),
  });
  let same = 0;
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), fc.nat(99_999), (changes, size) => {
      let text = headWith(String(size)).toString('latin1');
      for (const { at, cut, put } of changes) text = text.slice(0, at) + put + text.slice(at + cut);
      const { read, known } = readBoth(Buffer.from(text, 'latin1'), headWith('17'));
      if (known === null) return;
      same++;
      expect(known).toEqual(read);
    }),
    { numRuns: 5_000 },
  );
  expect(same).toBeGreaterThan(50);
});
