import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endlessPdf } from '../../test/costly.ts';
import { pngOf, scanned } from '../../test/scan/index.ts';
import { failures, silent } from '../../test/quiet.ts';
import { unpackDocument } from '../pack.ts';
import { standardLimits } from '../reader.ts';
import { blockText } from '../render/text.ts';
import { unlimitedWork } from '../work.ts';
import type { ChildMessage, ParseTask } from './messages.ts';
import { type ParsePool, createParsePool } from './pool.ts';

let folder: string;
let pool: ParsePool;
let files = 0;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ai-studio-parse-'));
  pool = createParsePool({
    folder,
    heapMb: 128,
    memoryBytes: 400 * 1024 * 1024,
    size: 2,
    maxQueue: 5,
    failures,
    log: silent,
  });
});
afterAll(async () => {
  await pool.close();
  rmSync(folder, { recursive: true, force: true });
});

const parse = async (
  content: string | Uint8Array,
  name: string,
  { tenant = 'a', signal = new AbortController().signal, timeoutMs = 90_000, limits = {} } = {},
) => {
  const path = join(folder, `${files++}`);
  writeFileSync(path, content);
  const { bytes } = await pool.parse(
    tenant,
    { path, name, pages: null, limits: { ...standardLimits, ...limits } },
    { timeoutMs, signal, onPage: () => undefined },
  );
  return unpackDocument(bytes);
};

test('documents are read by a process of their own', async () => {
  const document = await parse('# 제목\n\n글', 'a.md');
  expect(document).toMatchObject({ format: 'markdown', blocks: [{ type: 'heading' }, { type: 'paragraph' }] });
});

test('a process runs from its sources too, as where nobody has bundled them', async () => {
  const path = join(folder, 'of-sources');
  writeFileSync(path, '# 제목');
  const child = fork(join(import.meta.dirname, 'child.ts'), [], {
    execArgv: ['--no-warnings'],
    serialization: 'advanced',
    env: {},
  });
  const message = async () => ((await once(child, 'message')) as [ChildMessage])[0];
  try {
    expect(await message()).toEqual({ type: 'ready' });
    const ocr = { mode: 'off', languages: [], timeMs: 0 } as const;
    const earlier = { spentMs: 0, parts: new Map(), ended: new Map() };
    const job = { path, name: 'a.md', pages: null, limits: standardLimits };
    child.send({ ...job, ocr, work: unlimitedWork, earlier } satisfies ParseTask);
    let told = await message();
    while (told.type !== 'document' && told.type !== 'refused') told = await message();
    expect(told).toMatchObject({ type: 'document' });
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

test('refusals keep their reason', async () => {
  await expect(parse('', 'a.txt')).rejects.toMatchObject({ code: 'CORRUPTED' });
  await expect(parse('a,b\n1,2\n', 'a.csv', { limits: { cells: 1 } })).rejects.toMatchObject({ code: 'TOO_LARGE' });
});

test('text in pictures is recognised without further rights, and not where that is off', async () => {
  const note = await scanned({ width: 300, height: 60, lines: [{ x: 20, y: 30, text: 'A note of today' }] });
  const path = join(folder, 'note.png');
  writeFileSync(path, pngOf(note));
  const job = { path, name: 'note.png', pages: null, limits: standardLimits };
  const how = { timeoutMs: 60_000, signal: new AbortController().signal, onPage: () => undefined };
  const recognising = createParsePool({
    folder,
    heapMb: 128,
    memoryBytes: 600 * 1024 * 1024,
    size: 1,
    maxQueue: 5,
    failures,
    log: silent,
    ocrLanguages: ['eng'],
  });
  try {
    const { bytes } = await recognising.parse('a', job, how);
    expect(unpackDocument(bytes).blocks).toMatchObject([{ spans: [{ text: 'A note of today' }] }]);
    await expect(recognising.parse('a', { ...job, parser: 'file' }, how)).rejects.toMatchObject({ code: 'NEEDS_OCR' });
    await expect(pool.parse('a', job, how)).rejects.toMatchObject({ code: 'NEEDS_OCR' });
  } finally {
    await recognising.close();
  }
});

test('a page that the library does not come back from is left out; the others are read once, and the process is free again', async () => {
  const path = join(folder, 'endless.pdf');
  const told: number[] = [];
  const how = {
    timeoutMs: 90_000,
    signal: new AbortController().signal,
    onPage: (done: number) => void told.push(done),
  };
  const job = { path, name: 'endless.pdf', pages: null, limits: standardLimits };
  const recognising = createParsePool({
    folder,
    heapMb: 128,
    memoryBytes: 600 * 1024 * 1024,
    size: 1,
    maxQueue: 5,
    failures,
    log: silent,
    ocrLanguages: ['eng'],
  });
  try {
    writeFileSync(path, endlessPdf(['The first', 'The third']));
    const { bytes } = await recognising.parse('a', job, { ...how, work: { pageMs: 400, documentMs: 60_000 } });
    const { pages, blocks, warnings } = unpackDocument(bytes);
    expect(pages.map(({ number }) => number)).toEqual([1, 2, 3]);
    expect(blocks.map(blockText)).toEqual(['The first', 'The third']);
    expect(warnings).toMatchObject([{ code: 'recognition_ended', page: 2 }]);
    const picture = { path, picture: { page: 2, width: 600 } };
    const drawn = recognising.draw('a', picture, { ...how, work: { pageMs: 400, documentMs: 400 } });
    await expect(drawn).rejects.toMatchObject({ code: 'TIMEOUT' });
    writeFileSync(path, 'free');
    await expect(recognising.parse('a', job, how)).resolves.toMatchObject({ format: 'text' });
  } finally {
    await recognising.close();
  }
}, 120_000);

test('a process reads no file but those of its folder', async () => {
  const elsewhere = mkdtempSync(join(tmpdir(), 'ai-studio-elsewhere-'));
  const path = join(elsewhere, 'secret.txt');
  writeFileSync(path, '다른 테넌트의 글');
  const job = { path, name: 'secret.txt', pages: null, limits: standardLimits, ocr: null };
  const how = { timeoutMs: 90_000, signal: new AbortController().signal, onPage: () => undefined };
  try {
    await expect(pool.parse('a', job, how)).rejects.toMatchObject({ code: 'CORRUPTED' });
  } finally {
    rmSync(elsewhere, { recursive: true, force: true });
  }
});

test('a document that takes too long is ended, and the next one is read', async () => {
  // Millions of cells take longer than a moment.
  const slow = 'a,b,c,d\n'.repeat(200_000);
  await expect(parse(slow, 'slow.csv', { timeoutMs: 20 })).rejects.toMatchObject({ code: 'TIMEOUT' });
  await expect(parse('글', 'a.txt')).resolves.toMatchObject({ format: 'text' });
});

test('a document that takes too much memory is ended, and the next one is read', async () => {
  const large = 'a,b,c,d\n1,2,3,4\n'.repeat(900_000);
  await expect(parse(large, 'large.csv')).rejects.toMatchObject({ code: 'TOO_LARGE' });
  await expect(parse('글', 'a.txt')).resolves.toMatchObject({ format: 'text' });
});

test('whoever goes away is not waited for', async () => {
  const gone = new AbortController();
  const reading = parse('a,b,c,d\n'.repeat(200_000), 'slow.csv', { signal: gone.signal });
  gone.abort(new Error('gone'));
  await expect(reading).rejects.toThrow('gone');
});

test('tenants take turns', async () => {
  const order: string[] = [];
  const one = createParsePool({
    folder,
    heapMb: 128,
    memoryBytes: 400 * 1024 * 1024,
    size: 1,
    maxQueue: 10,
    failures,
    log: silent,
  });
  try {
    const path = join(folder, 'turn');
    writeFileSync(path, '글');
    const job = { path, name: 'a.txt', pages: null, limits: standardLimits };
    const how = { timeoutMs: 90_000, signal: new AbortController().signal, onPage: () => undefined };
    const ask = (tenant: string) => one.parse(tenant, job, how).then(() => order.push(tenant));
    await Promise.all([ask('a'), ask('a'), ask('a'), ask('b')]);
    expect(order.indexOf('b')).toBeLessThan(3);
  } finally {
    await one.close();
  }
});

test('more than may wait are turned away', async () => {
  const all = await Promise.allSettled(Array.from({ length: 20 }, () => parse('글', 'a.txt')));
  const refused = all.filter(({ status }) => status === 'rejected');
  expect(refused.length).toBeGreaterThan(0);
  for (const one of refused) expect(one).toMatchObject({ reason: { code: 'unavailable' } });
});
