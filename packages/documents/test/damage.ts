import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DocumentFormat } from '../src/document.ts';
import { ParseError } from '../src/parse-error.ts';
import { type Reader, standardLimits } from '../src/reader.ts';
import { type Parts, writeZip } from './zip.ts';

const options = { limits: standardLimits, pages: null, onPage: () => undefined };

/** Reads what may be damaged: a document of this format, or the error for it. Anything else fails the test. */
export async function attempt(read: Reader, format: DocumentFormat, bytes: Uint8Array): Promise<'read' | 'refused'> {
  try {
    // A copy that owns its memory: whoever reads past the end of it is found out.
    const document = await read(Uint8Array.from(bytes), options);
    expect(JSON.parse(JSON.stringify(document))).toMatchObject({ format });
    return 'read';
  } catch (error) {
    expect(error).toBeInstanceOf(ParseError);
    return 'refused';
  }
}

const numbers = fc.constantFrom('-1', '0', '4294967295', '1e9', 'x', '');

/** A part with a range left out or doubled, and one of its numbers replaced. */
function changed(content: string, seed: number, length: number, put: string, twice: boolean): string {
  const at = seed % content.length;
  const range = content.slice(at, at + length);
  const text = content.slice(0, at) + (twice ? range + range : '') + content.slice(at + length);
  let left = seed % 7;
  return text.replaceAll(/="\d+"/g, (all) => (left-- === 0 ? `="${put}"` : all));
}

/** Tests that damage a package of XML parts in all ways: it is read as far as it goes, or refused. */
export function testDamage(format: DocumentFormat, read: Reader, parts: Parts): void {
  const whole = writeZip(parts);

  test('a file that is cut anywhere is read as far as it goes, or refused', async () => {
    const results = [];
    for (let length = 0; length < whole.length; length += 10)
      results.push(await attempt(read, format, whole.subarray(0, length)));
    expect(results[0]).toBe('refused');
    expect(results.at(-1)).toBe('read');
  });

  test('any damaged bytes are read around, or refused', async () => {
    const change = fc.tuple(fc.nat(whole.length - 1), fc.nat(255));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (changes) => {
        const bytes = Buffer.from(whole);
        for (const [at, value] of changes) bytes[at] = value;
        await attempt(read, format, bytes);
      }),
      { numRuns: 200 },
    );
  });

  test('any damaged XML is read around, or refused', async () => {
    const which = fc.constantFrom(...parts.map(([name]) => name));
    await fc.assert(
      fc.asyncProperty(which, fc.nat(), fc.nat(200), numbers, fc.boolean(), async (name, seed, length, put, twice) => {
        const damaged = parts.map(([part, content]) => {
          const text = content.toString();
          return [part, part === name ? changed(text, seed, length, put, twice) : text] as const;
        });
        await attempt(read, format, writeZip(damaged));
      }),
      { numRuns: 200 },
    );
  });
}
