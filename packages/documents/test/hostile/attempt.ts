import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLong } from '../../../../server/test/support/long.ts';
import { type ReadingProcess, createReadingProcess } from '../fuzz/process.ts';

// Files that are made to hurt whoever reads them. Each is read by a process that is watched: it must come to a document or a
// clear refusal, in bounded time and memory, and the same process must read the next file.

/** Reads a file, or its first bytes: `read`, or the code of the refusal; what broke is told in words. */
export type Attempt = (bytes: string | Uint8Array, name: string, length?: number) => Promise<string>;

/** Within a `describe`: a process for its tests. */
export function useAttempts({ ocr = false } = {}): Attempt {
  let folder: string;
  let reading: ReadingProcess;
  let written: string | Uint8Array | null = null;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'ai-studio-hostile-'));
    reading = createReadingProcess({ timeoutMs: 40_000, memoryBytes: 1536 * 1024 * 1024 });
  });
  afterAll(() => {
    reading.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return async (bytes, name, length) => {
    const path = join(folder, 'file');
    if (written !== bytes) writeFileSync(path, bytes);
    written = bytes;
    const { outcome } = await reading.read({ path, name, ocr, ...(length === undefined ? {} : { length }) });
    if (outcome.kind === 'broken') return `broken: ${outcome.why}`;
    return outcome.kind === 'refused' ? outcome.code : 'read';
  };
}

/** A file, and what may come of it: that it is read, unless told otherwise. */
export type Case = readonly [what: string, make: () => string | Uint8Array, outcomes?: readonly string[]];

/** Tests that read these files, and a plain one after each. */
export const tryAll = (name: string, cases: readonly Case[], options: { readonly ocr?: boolean } = {}): void => {
  describe(name, () => {
    const attempt = useAttempts(options);
    test.each(cases.map(([what, make, expected = ['read']]) => ({ what, make, expected })))(
      '$what',
      async ({ make, expected }) => {
        expect(await attempt(make(), name)).toBeOneOf([...expected]);
        expect(await attempt('다음 문서', 'a.txt')).toBe('read');
      },
      90_000,
    );
  });
};

/** So many in the long run; elsewhere a quarter, which is far more than a file has, too. */
export const large = (count: number): number => (isLong ? count : count / 4);
export const many = <T>(count: number, make: (nth: number) => T): T[] =>
  Array.from({ length: count }, (_, nth) => make(nth));
export const times = (count: number, make: (nth: number) => string): string => many(count, make).join('');

/** Entities of which each is ten of the one before. */
export const laughs = times(9, (nth) => `<!ENTITY l${nth + 1} "${`&l${nth};`.repeat(10)}">`);
