import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSecretBox, secretKeyFrom } from './secret-box.ts';

describe('secrets at rest', () => {
  const key = randomBytes(32);
  const box = createSecretBox(key);

  it('come back as they were, and never the same way twice', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, place) => {
        const sealed = box.seal(text, place);
        expect(createSecretBox(key).open(sealed, place)).toBe(text);
        expect(box.seal(text, place)).not.toBe(sealed);
      }),
    );
  });

  it('do not show what they hold', () => {
    const sealed = box.seal('sk-very-secret', 'a');
    expect(sealed).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]+$/);
    expect(Buffer.from(sealed.split('.')[2] ?? '', 'base64url').includes('very')).toBe(false);
  });

  it('open only in their place, unchanged, and under their key', () => {
    const sealed = box.seal('text', 'here');
    const at = sealed.length - 3;
    const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1);
    expect(() => box.open(sealed, 'there')).toThrow('belongs elsewhere');
    expect(() => box.open(changed, 'here')).toThrow('changed');
    expect(() => createSecretBox(randomBytes(32)).open(sealed, 'here')).toThrow('secret_key');
    for (const broken of ['', 'text', 'v1.00000000.', 'v2.00000000.abcd', sealed.slice(0, 20)])
      expect(() => box.open(broken, 'here')).toThrow(expect.objectContaining({ code: 'unavailable' }));
  });
});

describe('marks of values', () => {
  it('are the same for the same text, purpose and key, and for nothing else', () => {
    const key = randomBytes(32);
    const box = createSecretBox(key);
    const mark = box.mac('text', 'here');
    expect(mark).toHaveLength(32);
    expect(createSecretBox(key).mac('text', 'here')).toEqual(mark);
    for (const other of [box.mac('texs', 'here'), box.mac('text', 'there'), box.mac('ttext', 'her')])
      expect(other).not.toEqual(mark);
    expect(createSecretBox(randomBytes(32)).mac('text', 'here')).not.toEqual(mark);
  });
});

describe('the key of the operator', () => {
  it('is hex, base64, or a passphrase', () => {
    const bytes = randomBytes(32);
    expect(secretKeyFrom(bytes.toString('hex'))).toEqual(bytes);
    expect(secretKeyFrom(`${bytes.toString('base64')}\n`)).toEqual(bytes);
    expect(secretKeyFrom(bytes.toString('base64url'))).toEqual(bytes);
    expect(secretKeyFrom('correct horse battery')).toEqual(secretKeyFrom('correct horse battery'));
    expect(secretKeyFrom('correct horse battery')).not.toEqual(secretKeyFrom('correct horse batterz'));
  });

  it('is refused where it is short', () => {
    expect(() => secretKeyFrom('short')).toThrow('openssl rand -base64 32');
  });
});
