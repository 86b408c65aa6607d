import { assert, constantFrom, nat, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isWellFormedKey, keyHints, generateKeyValue } from './key-format.ts';

describe('key values', () => {
  it('are aist_, 43 base62 characters and a checksum of 6', () => {
    const values = Array.from({ length: 200 }, generateKeyValue);
    for (const value of values) {
      expect(value).toMatch(/^aist_[0-9A-Za-z]{49}$/);
      expect(isWellFormedKey(value)).toBe(true);
    }
    expect(new Set(values).size).toBe(values.length);
  });

  it('are refused with any one character changed', () => {
    assert(
      property(nat({ max: 48 }), constantFrom(...'0aZ9kQ'), (place, character) => {
        const value = generateKeyValue();
        const at = 5 + place;
        const changed = value.slice(0, at) + character + value.slice(at + 1);
        return changed === value || !isWellFormedKey(changed);
      }),
    );
  });

  it('have the checksum of a fixed example', () => {
    // CRC-32 of "aist_" and 43 zeros, in base62. Worked out apart from this code.
    const start = `aist_${'0'.repeat(43)}`;
    let crc = 0xffffffff;
    for (const byte of Buffer.from(start)) {
      crc ^= byte;
      for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    }
    let rest = BigInt((crc ^ 0xffffffff) >>> 0);
    let digits = '';
    while (digits.length < 6) {
      digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'.charAt(Number(rest % 62n)) + digits;
      rest /= 62n;
    }
    expect(isWellFormedKey(start + digits)).toBe(true);
  });

  it('given by an operator may be any 16 to 200 visible ASCII characters', () => {
    expect(isWellFormedKey('x'.repeat(16))).toBe(true);
    expect(isWellFormedKey('x'.repeat(200))).toBe(true);
    for (const wrong of [
      '',
      'x'.repeat(15),
      'x'.repeat(201),
      `${'x'.repeat(16)} `,
      `키${'x'.repeat(16)}`,
      `aist_${'x'.repeat(20)}`,
    ]) {
      expect(isWellFormedKey(wrong)).toBe(false);
    }
  });

  it('show nothing that helps to guess the rest', () => {
    const value = generateKeyValue();
    expect(keyHints(value)).toEqual({ start: value.slice(0, 9), last4: value.slice(-4) });
  });
});
