import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { times } from '../../../server/test/support/long.ts';
import { writeRandomModel } from '../test/gguf/index.ts';
import { type Meta, type Tensor, ggufBytes } from '../test/gguf/writer.ts';
import { headerOf, pair, text, u32, u64 } from '../test/gguf-header.ts';
import { GgufError, readGgufFileSize, readGgufHeader } from './gguf-header.ts';

const folder = mkdtempSync(join(tmpdir(), 'ai-studio-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

const path = join(folder, 'model.gguf');
const put = (bytes: Buffer) => writeFileSync(path, bytes);

const word = fc.stringMatching(/^[a-z_]{1,12}$/);
/** Two parts, the first of them its own: no key is the beginning of another. */
const keys = fc.uniqueArray(fc.tuple(word, word), { maxLength: 8, selector: ([first]) => first });
const float = fc.float({ noNaN: true, noDefaultInfinity: true });
const meta: fc.Arbitrary<Meta> = fc.oneof(
  fc.nat(2 ** 31).map((value): Meta => ({ type: 'u32', value })),
  fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }).map((value): Meta => ({ type: 'i32', value })),
  float.map((value): Meta => ({ type: 'f32', value })),
  fc.boolean().map((value): Meta => ({ type: 'bool', value })),
  fc.string({ unit: 'grapheme', maxLength: 40 }).map((value): Meta => ({ type: 'string', value })),
  fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 6 }).map((value): Meta => ({ type: 'strings', value })),
  fc.array(fc.integer({ min: -9, max: 9 }), { maxLength: 6 }).map((value): Meta => ({ type: 'i32s', value })),
);
const shape = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 });
const tensor = shape.map((sizes): Tensor => ({
  shape: sizes,
  data: new Float32Array(sizes.reduce((product, size) => product * size, 1)),
}));
const model = fc.record({
  values: keys.chain((names) => fc.tuple(...names.map((name) => fc.tuple(fc.constant(name), meta)))),
  tensors: fc.dictionary(word, tensor, { maxKeys: 5 }),
});

const bytesOf = ({
  values,
  tensors,
}: {
  values: readonly (readonly [readonly string[], Meta])[];
  tensors: Record<string, Tensor>;
}) => ggufBytes(Object.fromEntries(values.map(([name, value]) => [name.join('.'), value])), tensors);

/** Whatever is wrong is told in one way. */
async function expectClear(read: (path: string) => Promise<unknown>): Promise<void> {
  try {
    await read(path);
  } catch (error) {
    expect(error).toBeInstanceOf(GgufError);
    expect((error as GgufError).message).toMatch(/^The (file|header) /);
  }
}

describe('the reader of GGUF headers', () => {
  it('reads what was written, and where the last tensor ends', async () => {
    await fc.assert(
      fc.asyncProperty(model, async (written) => {
        const bytes = bytesOf(written);
        put(bytes);
        const header = await readGgufHeader(path);
        for (const [[first = '', second = ''], { value }] of written.values)
          expect((header[first] as Record<string, unknown>)[second]).toEqual(value);
        const end = await readGgufFileSize(path);
        expect(end).toBeLessThanOrEqual(bytes.length);
        expect(bytes.length - end).toBeLessThan(64);
      }),
      { numRuns: times(75, 150) },
    );
  });

  it('knows of each file that is cut that it is, wherever that was', async () => {
    const bytes = ggufBytes(
      { 'a.b': { type: 'string', value: '한국어' }, 'a.c': { type: 'strings', value: ['x', 'y'] } },
      { one: { shape: [8], data: new Float32Array(8) }, two: { shape: [2, 4], data: new Float32Array(8) } },
    );
    for (let length = 0; length < bytes.length; length++) {
      put(bytes.subarray(0, length));
      const needed = await readGgufFileSize(path).catch((error: unknown) => {
        expect(error).toMatchObject({ name: 'GgufError', truncated: true });
        return null;
      });
      if (needed !== null) expect(needed).toBeGreaterThan(length);
    }
  });

  it('answers every damaged file with a header, or with what is wrong', async () => {
    const real = ggufBytes({ 'general.alignment': { type: 'u32', value: 32 } }, {});
    const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(model.map(bytesOf), fc.constant(real)),
        changes,
        fc.nat(),
        async (bytes, edits, cut) => {
          const damaged = Buffer.from(bytes);
          for (const [at, value] of edits) damaged[at % damaged.length] = value;
          put(damaged.subarray(0, damaged.length - (cut % 3 === 0 ? cut % damaged.length : 0)));
          await expectClear(readGgufHeader);
          await expectClear(readGgufFileSize);
        },
      ),
      { numRuns: times(150, 400) },
    );
  });

  const huge = u64(2 ** 62);
  it.each<[string, Buffer]>([
    ['a text of 2^62 bytes', Buffer.concat([text('a'), u32(8), huge])],
    ['a key of 2^62 bytes', huge],
    ['a key of a megabyte', pair('k'.repeat(1_000_000), 7, Buffer.of(1))],
    ['an array of 2^62 numbers', pair('a', 9, Buffer.concat([u32(12), huge]))],
    ['an array of 2^62 texts', pair('a', 9, Buffer.concat([u32(8), huge]))],
    ['a long array of texts, one of them of 2^62 bytes', pair('a', 9, Buffer.concat([u32(8), u64(5_000), huge]))],
    ['an array of an unknown type', pair('a', 9, Buffer.concat([u32(77), u64(1), u64(0)]))],
    ['a long array of an unknown type', pair('a', 9, Buffer.concat([u32(77), u64(9_999), u64(0)]))],
    [
      'arrays in arrays in arrays',
      pair('a', 9, Buffer.concat(Array.from({ length: 100_000 }, () => Buffer.concat([u32(9), u64(1)])))),
    ],
  ])('refuses %s', async (_name, one) => {
    put(headerOf([one]));
    await expect(readGgufHeader(path)).rejects.toBeInstanceOf(GgufError);
    await expect(readGgufFileSize(path)).rejects.toBeInstanceOf(GgufError);
  });

  it.each<[string, bigint, bigint]>([
    ['2^63 pairs', 0n, 2n ** 63n],
    ['2^63 tensors', 2n ** 63n, 0n],
  ])('refuses %s', async (_name, tensors, pairs) => {
    const counts = Buffer.from(BigUint64Array.of(tensors, pairs).buffer);
    put(Buffer.concat([Buffer.from('GGUF'), u32(3), counts, Buffer.alloc(4096)]));
    await expect(readGgufFileSize(path)).rejects.toThrow('damaged');
  });

  it('refuses tensors larger than any file', async () => {
    const info = Buffer.concat([text('t'), u32(4), ...Array.from({ length: 4 }, () => u64(2 ** 40)), u32(0), u64(0)]);
    put(Buffer.concat([Buffer.from('GGUF'), u32(3), u64(1), u64(0), info]));
    await expect(readGgufFileSize(path)).rejects.toThrow('too large');
  });

  it('keeps no more than it may, however large the file is', async () => {
    const long = text('x'.repeat(15 * 1024 * 1024));
    put(headerOf(Array.from({ length: 6 }, (_, i) => pair(`k${i}`, 8, long))));
    await expect(readGgufHeader(path)).rejects.toThrow('larger than that of any model');
  });

  it('is not held up by a key of dots, nor by many', async () => {
    put(headerOf(Array.from({ length: 300 }, (_, i) => pair(`${'.'.repeat(60_000)}${i}`, 7, Buffer.of(1)))));
    expect(Object.keys(await readGgufHeader(path))).toEqual(['']);
  });

  it('asks of a model no more than it has, and of a copy under way what is missing', async () => {
    const whole = writeRandomModel(join(folder, 'whole.gguf'));
    const end = await readGgufFileSize(whole);
    expect(end).toBeLessThanOrEqual(statSync(whole).size);
    put(readFileSync(whole).subarray(0, 60_000));
    expect(await readGgufFileSize(path)).toBe(end);
  });
});
