import { expect, test } from 'vitest';
import { piecesOf } from './pieces.ts';

const of = (kind: string) => `var(--code-token-${kind})`;

test('tokens that look the same are one piece, with the blanks between them', () => {
  const line = [
    { content: 'const', color: of('keyword') },
    { content: ' ', color: 'var(--code-foreground)' },
    { content: 'let', color: of('keyword') },
    { content: ' name', color: 'var(--code-foreground)' },
    { content: ' ', color: of('punctuation'), fontStyle: 1 },
    { content: '=', color: of('punctuation'), fontStyle: 1 },
    { content: '1', color: of('unknown'), fontStyle: -1 },
  ];
  expect(piecesOf(line)).toEqual([
    { text: 'const let', kind: 'keyword', italic: false },
    { text: ' name ', kind: null, italic: false },
    { text: '=', kind: 'punctuation', italic: true },
    { text: '1', kind: null, italic: false },
  ]);
  expect(piecesOf([])).toEqual([]);
  expect(piecesOf([{ content: '  ' }]).map(({ text }) => text)).toEqual(['  ']);
});
