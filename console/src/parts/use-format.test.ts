import { describe, expect, test } from 'vitest';
import { formatsOf } from './use-format.ts';

const [ko, en] = [formatsOf('ko'), formatsOf('en')];
const now = Date.parse('2026-11-21T12:00:00Z');
const ago = (ms: number) => new Date(now - ms).toISOString();

describe('how figures are written', () => {
  test('sizes are powers of 1,024, as limits are set', () => {
    expect([0, 1_023, 1_024, 100 * 1_024 ** 2, 4_690_000_000, 2e15].map((size) => en.bytes(size))).toEqual([
      '0 B',
      '1,023 B',
      '1 kB',
      '100 MB',
      '4.4 GB',
      '1,819 TB',
    ]);
    expect(ko.bytes(4_690_000_000)).toBe('4.4GB');
  });

  test('durations have the units that fit them', () => {
    expect([12, 1_500, 61_000, 7_260_000].map((ms) => en.duration(ms))).toEqual([
      '12 ms',
      '1.5 sec',
      '1 min 1 sec',
      '2 hr 1 min',
    ]);
    expect(ko.duration(61_000)).toBe('1분 1초');
  });

  test('large numbers are short where that is wanted', () => {
    expect([en.compact(12_300), ko.compact(12_300)]).toEqual(['12.3K', '1.2만']);
    expect(en.percent(0.1234)).toBe('12.3%');
  });

  test('moments are told by their distance, those long ago by their date', () => {
    expect(en.relative(ago(0), now)).toBe('now');
    expect(en.relative(ago(3 * 60_000), now)).toBe('3 minutes ago');
    expect(en.relative(ago(-2 * 3_600_000), now)).toBe('in 2 hours');
    expect(en.relative(ago(86_400_000), now)).toBe('yesterday');
    expect(ko.relative(ago(3 * 60_000), now)).toBe('3분 전');
    expect(en.relative('2025-01-31T12:00:00Z', now)).toBe('Jan 31, 2025');
  });
});
