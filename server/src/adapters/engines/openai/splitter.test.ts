import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { EventSplitter } from './splitter.ts';
import { times } from '../../../../test/support/long.ts';

function split(pieces: readonly string[], most = Infinity): string[] {
  const events: string[] = [];
  const splitter = new EventSplitter({
    onEvent(text, start, end) {
      events.push(text.slice(start, end));
      return events.length < most;
    },
  });
  for (const piece of pieces) splitter.push(piece);
  splitter.end();
  return events;
}

const cutAt = (text: string, cuts: readonly number[]): string[] => {
  const at = [0, ...cuts.map((cut) => Math.min(cut, text.length)).toSorted((a, b) => a - b), text.length];
  return at.slice(1).map((end, i) => text.slice(at[i], end));
};

it.each([
  ['data: a\n\ndata: b\n\n', ['a', 'b']],
  ['data:a\n\ndata:  b\n\n', ['a', ' b']],
  ['data: a\ndata: b\n\n', ['a\nb']],
  ['data\n\n', ['']],
  [': comment\nevent: x\nid: 1\nretry: 5\ndata: a\nunknown: b\n\n', ['a']],
  ['\n\n\ndata: a\n\n\n\n', ['a']],
  ['datax: a\n\ndata: b\n\n', ['b']],
  ['data: a', ['a']],
  ['error: {"code":1}\n\n', ['{"error": {"code":1}}']],
  ['{"error":1}\n', ['{"error":1}']],
  ['\u00ef\u00bb\u00bfdata: a\n\n', ['a']],
])('%j is split by the rules of the format', (text, expected) => {
  expect(split([text])).toEqual(expected);
});

it('splits the same with any line end and any cuts, also within a line end', () => {
  const line = fc.constantFrom('data: a', 'data: b', 'data:', ': c', 'id: 1', '', '');
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 20 }),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.array(fc.nat(200), { maxLength: 20 }),
      (lines, newline, cuts) => {
        const expected = split([lines.map((text) => `${text}\n`).join('')]);
        expect(split(cutAt(lines.map((text) => text + newline).join(''), cuts))).toEqual(expected);
      },
    ),
    { numRuns: times(200, 1_000) },
  );
});

it('hands on nothing more once the listener has had enough', () => {
  expect(split(['data: a\n\ndata: b\n\n', 'data: c\n\n'], 1)).toEqual(['a']);
});

it('gives up on an event without an end', () => {
  const splitter = new EventSplitter({ onEvent: () => true });
  const mebibyte = 'x'.repeat(1024 * 1024);
  expect(() => {
    for (let i = 0; i < 100; i++) splitter.push(mebibyte);
  }).toThrow(RangeError);
});
