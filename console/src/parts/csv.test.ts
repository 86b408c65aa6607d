import { expect, test } from 'vitest';
import { csvRecords, decodeText, toCsv } from './csv.ts';

test('records are read whatever separates their cells', () => {
  expect(csvRecords('a;"b;""c"\n\nd;e')).toEqual([
    { row: 1, cells: ['a', 'b;"c'] },
    { row: 3, cells: ['d', 'e'] },
  ]);
  expect(csvRecords('a,"b')).toBeNull();
});

test('what Korean spreadsheets write is read', () => {
  const bytes = Uint8Array.from([0xc1, 0xfa, 0xb9, 0xae]);
  expect(decodeText(bytes.buffer)).toBe('질문');
  expect(decodeText(new TextEncoder().encode('질문').buffer)).toBe('질문');
  // "Unicode text" of Excel, in both orders of bytes.
  expect(decodeText(Uint8Array.from([0xff, 0xfe, 0xc8, 0xc9, 0x38, 0xbb]).buffer)).toBe('질문');
  expect(decodeText(Uint8Array.from([0xfe, 0xff, 0xc9, 0xc8, 0xbb, 0x38]).buffer)).toBe('질문');
});

test('cells that are written are no formulas', () => {
  expect(toCsv([['=1+1', 'a "b"', 0.5]])).toBe('\uFEFF\'=1+1,"a ""b""",0.5\r\n');
});
