import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unpackDocument } from '../../src/pack.ts';
import { standardLimits } from '../../src/reader.ts';
import { type ParsePool, createParsePool } from '../../src/sandbox/pool.ts';
import { failures, silent } from '../quiet.ts';
import { paragraph, writeDocx } from '../docx.ts';
import { rows, text, writeXlsx } from '../xlsx.ts';

// The same through the pool that the service has: one process, small, for one file after the other.

let folder: string;
let pool: ParsePool;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ai-studio-hostile-'));
  pool = createParsePool({
    folder,
    heapMb: 64,
    memoryBytes: 400 * 1024 * 1024,
    size: 1,
    maxQueue: 4,
    failures,
    log: silent,
  });
});
afterAll(async () => {
  await pool.close();
  rmSync(folder, { recursive: true, force: true });
});

const parse = async (content: string | Uint8Array, name: string) => {
  const path = join(folder, 'file');
  writeFileSync(path, content);
  const { bytes } = await pool.parse(
    'a',
    { path, name, pages: null, limits: standardLimits },
    { timeoutMs: 90_000, signal: new AbortController().signal, onPage: () => undefined },
  );
  return unpackDocument(bytes);
};

test.each([
  ['a bomb', 'a.docx', 'TOO_LARGE', () => writeDocx({ body: paragraph('가'.repeat(20_000_000)) })],
  ['elements without end', 'a.docx', 'TOO_LARGE', () => writeDocx({ body: '<w:sdt>'.repeat(100_000) })],
  ['more paragraphs than memory holds', 'a.md', 'TOO_LARGE', () => 'a\n\n'.repeat(750_000)],
  ['more cells than memory holds', 'a.csv', 'TOO_LARGE', () => '1,2,3,4,5,6,7,8,9\n'.repeat(110_000)],
  ['a directory of nothing', 'a.zip', 'UNSUPPORTED', () => Buffer.from('504b0506'.padEnd(44, '0'), 'hex')],
  [
    'half of a file',
    'a.xlsx',
    'CORRUPTED',
    () => writeXlsx([{ name: '가', data: rows(text('A1', 'a')) }]).subarray(0, 90),
  ],
] as const)(
  '%s is refused, and the next document is unharmed',
  async (_what, name, code, make) => {
    await expect(parse(make(), name)).rejects.toMatchObject({ name: 'ParseError', code });
    await expect(parse('# 제목\n\n다음 문서', 'a.md')).resolves.toMatchObject({
      format: 'markdown',
      blocks: [{ type: 'heading' }, { spans: [{ text: '다음 문서' }] }],
      warnings: [],
    });
  },
  60_000,
);
