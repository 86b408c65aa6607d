import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writeZip, type Parts } from '../../test/zip.ts';
import { ParseError } from '../parse-error.ts';
import { standardLimits, type ParseLimits } from '../reader.ts';
import { openPackage } from './zip.ts';

const open = async (parts: Parts, limits: Partial<ParseLimits> = {}) =>
  await openPackage(Uint8Array.from(writeZip(parts)), { ...standardLimits, ...limits });
const textOf = (bytes: Uint8Array | null) => (bytes === null ? null : Buffer.from(bytes).toString());
const codes = (pack: { readonly warnings: readonly { readonly code: string }[] }) =>
  pack.warnings.map(({ code }) => code);

test('parts are listed and read, packed or not, whatever the case of their names', async () => {
  const pack = await open([
    ['a/문서.xml', '가나다'],
    ['b.xml', 'plain', { stored: true }],
    ['folder/', ''],
  ]);
  expect(pack.names).toEqual(['a/문서.xml', 'b.xml']);
  expect(textOf(await pack.read('a/문서.xml'))).toBe('가나다');
  expect(textOf(await pack.read('/B.XML'))).toBe('plain');
  expect(await pack.read('c.xml')).toBeNull();
  expect(pack.warnings).toEqual([]);
});

test('names that lead out of the file and second parts of a name are left out', async () => {
  const pack = await open([
    ['../x', '1'],
    ['C:\\x', '1'],
    ['x', 'first'],
    ['x', 'second'],
  ]);
  expect(pack.names).toEqual(['x']);
  expect(textOf(await pack.read('x'))).toBe('first');
  expect(codes(pack)).toEqual(['part_name_unsafe', 'part_name_unsafe', 'part_repeated']);
});

test('a part with a password is refused as that', async () => {
  const pack = await open([['x', 'secret', { encrypted: true }]]);
  await expect(pack.read('x')).rejects.toMatchObject({ code: 'ENCRYPTED' });
});

test('a bomb ends at the ratio, all parts together at the size, and a file of many parts at their count', async () => {
  const bomb = Buffer.alloc(8 * 1024 * 1024);
  const tight = await open([['x', bomb]], { ratio: 100 });
  await expect(tight.read('x')).rejects.toMatchObject({ code: 'TOO_LARGE' });
  for (const stored of [false, true]) {
    const small = await open(
      [
        ['x', 'a'.repeat(600), { stored }],
        ['y', 'b'.repeat(600), { stored }],
      ],
      { inflatedBytes: 1000 },
    );
    expect((await small.read('x'))?.length).toBe(600);
    await expect(small.read('y')).rejects.toMatchObject({ code: 'TOO_LARGE' });
  }
  await expect(
    open(
      [
        ['a', ''],
        ['b', ''],
      ],
      { entries: 1 },
    ),
  ).rejects.toMatchObject({ code: 'TOO_LARGE' });
});

test('a size that lies is not believed', async () => {
  const pack = await open([['x', 'abcdef', { size: 2 }]]);
  expect(textOf(await pack.read('x'))).toBe('abcdef');
  expect(codes(pack)).toEqual(['part_size_differs']);
});

test.each([false, true])('a file that is cut is read as far as it goes (descriptors: %s)', async (descriptor) => {
  const long = Array.from({ length: 5000 }, (_, at) => `${at * 7919}`).join(' ');
  const whole = writeZip([
    ['first.xml', 'whole', { descriptor }],
    ['second.xml', long, { descriptor }],
  ]);
  const pack = await openPackage(whole.subarray(0, whole.length / 2), standardLimits);
  expect(textOf(await pack.read('first.xml'))).toBe('whole');
  const part = textOf(await pack.read('second.xml')) ?? '';
  expect(part.length).toBeGreaterThan(1000);
  expect(long.startsWith(part)).toBe(true);
  expect(codes(pack)).toContain('package_damaged');
  if (!descriptor) expect(codes(pack)).toContain('part_damaged');
});

test('of a part whose middle means nothing what stands before it is read', async () => {
  const long = Array.from({ length: 50_000 }, (_, at) => `${at * 7919}`).join(' ');
  const bytes = writeZip([['x', long]]);
  bytes.fill(0xff, bytes.length / 2, bytes.length / 2 + 200);
  const pack = await openPackage(bytes, standardLimits);
  const part = textOf(await pack.read('x')) ?? '';
  expect(part.length).toBeGreaterThan(1000);
  expect(part.slice(0, 1000)).toBe(long.slice(0, 1000));
  expect(codes(pack)).toEqual(['part_damaged']);
});

test('what is no package is refused', async () => {
  await expect(openPackage(Buffer.from('hello'), standardLimits)).rejects.toMatchObject({ code: 'CORRUPTED' });
  await expect(openPackage(new Uint8Array(), standardLimits)).rejects.toMatchObject({ code: 'CORRUPTED' });
});

test('any damage is a ParseError or is read around', async () => {
  const whole = writeZip([
    ['a.xml', 'some text of a part that is packed, packed, packed'],
    ['b.xml', 'other', { stored: true }],
  ]);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 }),
      async (changes) => {
        const bytes = Buffer.from(whole);
        for (const [at, value] of changes) bytes[at] = value;
        try {
          const pack = await openPackage(Uint8Array.from(bytes), standardLimits);
          for (const name of pack.names) await pack.read(name);
        } catch (error) {
          expect(error).toBeInstanceOf(ParseError);
        }
      },
    ),
    { numRuns: 400 },
  );
});
