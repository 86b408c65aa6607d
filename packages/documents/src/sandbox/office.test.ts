import { utils, write } from '@e965/xlsx';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { paragraph, run, writeDocx } from '../../test/docx.ts';
import { text, writeXlsx } from '../../test/xlsx.ts';
import { writeCompound } from '../../test/hwp-writer/compound.ts';
import { failures, silent } from '../../test/quiet.ts';
import { unpackDocument } from '../pack.ts';
import { standardLimits } from '../reader.ts';
import { type ParsePool, createParsePool } from './pool.ts';

// LibreOffice itself is too large for a test: a small fake of its program notes how it is called and copies a file that is at hand.

let folder: string;
let program: string;
const pools: ParsePool[] = [];
const doc = writeCompound({ WordDocument: Buffer.from('an old document') });
/** Of Word 95, which no reader here reads. */
const older = writeCompound({ WordDocument: Buffer.from([0xdc, 0xa5, ...Buffer.alloc(60)]) });

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ai-studio-office-'));
  program = join(folder, 'soffice');
  writeFileSync(join(folder, 'new.docx'), writeDocx({ body: paragraph(run('옛 문서의 글')) }));
  writeFileSync(join(folder, 'old.doc'), doc);
  writeFileSync(join(folder, 'older.doc'), older);
});
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.close()));
  rmSync(folder, { recursive: true, force: true });
});

/** A pool whose program runs these lines of the shell; `$out` is the folder for what it saves. */
function poolWith(lines: string | null, path = program): ParsePool {
  if (lines !== null) {
    const find = 'for word in "$@"; do [ "$last" = --outdir ] && out=$word; last=$word; done; mkdir -p "$out"';
    writeFileSync(
      program,
      `#!/bin/sh\necho "$@" > ${folder}/arguments\nenv > ${folder}/environment\n${find}\n${lines}\n`,
    );
    chmodSync(program, 0o755);
  }
  const pool = createParsePool({
    folder,
    heapMb: 128,
    memoryBytes: 400 * 1024 * 1024,
    size: 1,
    maxQueue: 5,
    failures,
    log: silent,
    ...(path === '' ? {} : { officeProgram: path }),
  });
  pools.push(pool);
  return pool;
}

const parse = async (
  pool: ParsePool,
  { signal = new AbortController().signal, timeoutMs = 60_000, file = 'old.doc', tenant = 'a' } = {},
) => {
  const job = { path: join(folder, file), name: '옛 문서.doc', pages: null, limits: standardLimits };
  const { bytes } = await pool.parse(tenant, job, { timeoutMs, signal, onPage: () => undefined });
  return unpackDocument(bytes);
};
const left = () => readdirSync(folder).filter((name) => name.startsWith('office-'));

test('an older workbook goes to the program where there is one, and is read without', async () => {
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet([['옛 표', 1]]), '예산');
  writeFileSync(join(folder, 'old.xls'), write(book, { type: 'buffer', bookType: 'biff8' }) as Uint8Array);
  const saved = writeXlsx([{ name: '새 표', data: `<row r="1">${text('A1', '저장한 표')}</row>` }]);
  writeFileSync(join(folder, 'new.xlsx'), saved);
  const converted = await parse(poolWith(`cp ${folder}/new.xlsx "$out/document.xlsx"`), { file: 'old.xls' });
  expect(converted).toMatchObject({ format: 'xlsx', pages: [{ name: '새 표' }], warnings: [{ code: 'converted' }] });
  const own = await parse(poolWith(null, ''), { file: 'old.xls' });
  expect(own).toMatchObject({ format: 'xls', pages: [{ name: '예산' }], warnings: [] });
});

test('an older document is read as the office program saves it, and nothing is left of that', async () => {
  const document = await parse(poolWith(`cp ${folder}/new.docx "$out/document.docx"`));
  expect(document).toMatchObject({
    format: 'docx',
    blocks: [{ type: 'paragraph', spans: [{ text: '옛 문서의 글' }] }],
    warnings: [{ code: 'converted' }],
  });
  const told = readFileSync(join(folder, 'arguments'), 'utf8');
  expect(told).toMatch(
    /-env:UserInstallation=file:\/\/\S+ --headless .*--convert-to docx --outdir \S+ \S+document\.doc\n$/,
  );
  const environment = readFileSync(join(folder, 'environment'), 'utf8');
  expect(environment).toContain('http_proxy=http://127.0.0.1:9');
  expect(environment).not.toContain('VITEST');
  expect(left()).toEqual([]);
});

test('the profile of each document is new and forbids macros and links to elsewhere', async () => {
  await parse(
    poolWith(
      `cp "$out/../profile/user/registrymodifications.xcu" ${folder}/profile\ncp ${folder}/new.docx "$out/document.docx"`,
    ),
  );
  const profile = readFileSync(join(folder, 'profile'), 'utf8');
  expect(profile).toMatch(/DisableMacrosExecution.*true.*BlockUntrustedRefererLinks.*true/s);
});

test.each([
  ['has none', null, '', 'UNSUPPORTED', 'older.doc'],
  ['names one that is not there', null, '/nowhere/soffice', 'UNSUPPORTED', 'older.doc'],
  ['fails', 'exit 3', undefined, 'CORRUPTED', 'old.doc'],
  ['saves nothing', 'exit 0', undefined, 'CORRUPTED', 'old.doc'],
  ['saves another old document', `cp FOLDER/older.doc "$out/document.docx"`, undefined, 'UNSUPPORTED', 'old.doc'],
])('a document is refused where the operator %s, or its program does', async (_, lines, path, code, file) => {
  const pool = poolWith(lines === null ? null : lines.replace('FOLDER', folder), path);
  await expect(parse(pool, { file })).rejects.toMatchObject({ code });
  expect(left()).toEqual([]);
});

test('a program that hangs is ended with all that it started, by its time or by whoever gave up', async () => {
  const pool = poolWith(`sleep 600 & echo $! > ${folder}/pid; wait`);
  // The reading process is there by then: the time is the program's.
  await parse(pool, { file: 'new.docx' });
  await expect(parse(pool, { timeoutMs: 4_000 })).rejects.toMatchObject({ code: 'TIMEOUT' });
  const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
  await expect.poll(() => existsSync(`/proc/${pid}/exe`)).toBe(false);
  const gone = new AbortController();
  const waiting = parse(pool, { signal: gone.signal });
  await expect.poll(() => left().length).toBe(1);
  const bored = new AbortController();
  const behind = parse(pool, { signal: bored.signal });
  // Read after it, so that it waits for the program by now.
  await parse(pool, { file: 'new.docx' });
  bored.abort(new Error('bored'));
  await expect(behind).rejects.toThrow('bored');
  expect(left()).toHaveLength(1);
  gone.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  expect(left()).toEqual([]);
});
