import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Parts, writeZip } from '../../test/zip.ts';
import { type ArchiveLimits, unpackArchive } from './archive.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ai-studio-archive-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const limits: ArchiveLimits = { entries: 10, entryBytes: 3_000_000, totalBytes: 5_000_000 };

/** What comes out of an archive: path, and content or the code of the failure. */
async function unpack(archive: Uint8Array, bounds: Partial<ArchiveLimits> = {}) {
  const [path, target] = [join(folder, 'a.zip'), join(folder, 'entry')];
  writeFileSync(path, archive);
  const found: [path: string, what: string][] = [];
  for await (const entry of unpackArchive(path, target, { ...limits, ...bounds }))
    found.push([entry.path, entry.failure?.code ?? readFileSync(target, 'utf8').slice(0, 20)]);
  return found;
}
const zipped = (...parts: Parts) => unpack(writeZip(parts));

test('the files of an archive come in their order, with their folders; what systems leave in it does not', async () => {
  expect(
    await zipped(
      ['규정/', ''],
      ['규정/휴가.md', '# 휴가'],
      ['__MACOSX/규정/._휴가.md', 'x'],
      ['규정/.DS_Store', 'x'],
      ['a.txt', '가', { stored: true }],
    ),
  ).toEqual([
    ['규정/휴가.md', '# 휴가'],
    ['a.txt', '가'],
  ]);
});

test('names of Korean Windows are read in its encoding', async () => {
  // "가.txt" in EUC-KR in the place of a name of as many bytes, without the sign of UTF-8.
  const archive = writeZip([['xx.txt', '가나']]);
  for (let at = archive.indexOf('xx.txt'); at >= 0; at = archive.indexOf('xx.txt', at + 1))
    archive.set([0xb0, 0xa1], at);
  for (const [sign, flags] of [
    ['PK\u0003\u0004', 6],
    ['PK\u0001\u0002', 8],
  ] as const)
    archive.writeUInt16LE(0, archive.indexOf(sign, 0, 'latin1') + flags);
  expect(await unpack(archive)).toEqual([['가.txt', '가나']]);
});

test('a file that cannot be had says why, and the others are there', async () => {
  const archive = writeZip([
    ['../out.txt', 'x'],
    ['a.txt', '가'],
    ['locked.txt', 'x', { encrypted: true }],
    ['bomb.txt', Buffer.alloc(2_900_000)],
    ['long.txt', Buffer.alloc(3_100_000, 'ab')],
    ['z.txt', '나'],
  ]);
  const found = await unpack(archive);
  expect(found.map(([, what]) => what)).toEqual(['CORRUPTED', '가', 'ENCRYPTED', 'TOO_LARGE', 'TOO_LARGE', '나']);
  expect(found[0]?.[0]).not.toContain('..');
});

test('an archive of too many files or bytes is left where it is too much, whatever it says of its sizes', async () => {
  const parts: Parts = Array.from({ length: 12 }, (_, at) => [`${at}.txt`, 'x']);
  await expect(unpack(writeZip(parts))).rejects.toMatchObject({ code: 'TOO_LARGE' });
  const large: Parts = Array.from({ length: 6 }, (_, at) => [`${at}.txt`, Buffer.alloc(1_000_000, 'ab'), { size: 10 }]);
  await expect(unpack(writeZip(large))).rejects.toMatchObject({ code: 'TOO_LARGE' });
});

test.each([
  ['no archive', Buffer.from('PK and no more')],
  ['one that was cut off', writeZip([['a.txt', 'abc'.repeat(1_000)]]).subarray(0, 60)],
])('%s is told as such', async (_what, bytes) => {
  await expect(unpack(bytes)).rejects.toMatchObject({ code: 'CORRUPTED' });
});
