import { gzipSync } from 'node:zlib';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { writeCompound } from '@ai-studio/documents/test/hwp-writer/compound.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { LEXICAL_DIMENSION } from '../lexical-embedder/index.ts';
import { createTextWorkers, type TextWorkers, TextsTooLarge } from './index.ts';

const how = { chunking_strategy: 'by_title', chunk_size: 128, chunk_overlap: 0, pii_mask: false } as const;

/** A document of paragraphs as the parser packs it. */
const packed = (...texts: readonly string[]) =>
  gzipSync(
    JSON.stringify({
      format: 'text',
      meta: {},
      pages: [],
      warnings: [],
      blocks: texts.map((text) => ({ type: 'paragraph', page: 2, spans: [{ text }] })),
    }),
  );

let folder: string;
let texts: TextWorkers;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ai-studio-texts-'));
  texts = createTextWorkers({ size: 1, heapMb: 256, timeoutMs: 60_000, encoding: 'o200k_base' });
});
afterAll(async () => {
  await texts.close();
  rmSync(folder, { recursive: true, force: true });
});

test('tokens are counted by the encoding that is set', async () => {
  const other = createTextWorkers({ size: 1, heapMb: 256, timeoutMs: 60_000, encoding: 'cl100k_base' });
  const count = { type: 'count', texts: ['연차휴가는 십오 일입니다.'], mask: false } as const;
  try {
    const [[own], [older]] = await Promise.all([texts.do(count), other.do(count)]);
    // Hangul takes more tokens of the older encoding.
    expect(older?.tokens).toBeGreaterThan(own?.tokens ?? Infinity);
  } finally {
    await other.close();
  }
});

// Elsewhere threads have no priority of their own.
test.runIf(process.platform === 'linux')('what answers requests goes before the threads for texts', async () => {
  await texts.do({ type: 'count', texts: ['x'], mask: false });
  // The 19th field. Source: proc(5), /proc/PID/stat.
  const nicenessOf = (thread: string) =>
    Number(
      readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ')[16],
    );
  const all = readdirSync('/proc/self/task').map(nicenessOf);
  expect(all).toContain(Math.max(10, getPriority()));
});

test('documents are cut to texts that a database takes', async () => {
  const { chunks, format } = await texts.do({ type: 'cut', packed: packed('사과\0 농장', '\ud800 끝'), how });
  expect(format).toBe('text');
  expect(chunks).toMatchObject([
    { content: '사과 농장\n\n\uFFFD 끝', title: '', headings: [], startPage: 2, endPage: 2 },
  ]);
  expect(chunks[0]?.tokens).toBeGreaterThan(0);
  const masked = await texts.do({
    type: 'cut',
    packed: packed('번호 900101-1234568'),
    how: { ...how, pii_mask: true },
  });
  expect(masked.chunks[0]?.content).toBe('번호 ******-*******');
});

test('a thread gets documents unpacked: one that is ended within a call of zlib would take the service with it', async () => {
  const posted = vi.spyOn(Worker.prototype, 'postMessage');
  try {
    await texts.do({ type: 'cut', packed: packed('One'), how });
    const [task] = posted.mock.lastCall as [{ readonly json: Uint8Array }];
    expect(task).not.toHaveProperty('packed');
    expect(Buffer.from(task.json).toString('utf8')).toMatch(/^\{"/);
  } finally {
    posted.mockRestore();
  }
});

test('a document that cannot be unpacked is refused, and the next one is cut', async () => {
  await expect(texts.do({ type: 'cut', packed: Buffer.from('no gzip'), how })).rejects.toThrow();
  await expect(texts.do({ type: 'cut', packed: packed('One'), how })).resolves.toMatchObject({ format: 'text' });
});

test('texts are analysed, with vectors where they are wanted, and counted', async () => {
  const [one] = await texts.do({ type: 'analyse', texts: ['연차 휴가는'], vectors: true });
  expect(one?.terms.length).toBeGreaterThan(0);
  expect(one?.vector).toHaveLength(LEXICAL_DIMENSION);
  const [plain] = await texts.do({ type: 'analyse', texts: ['연차'], vectors: false });
  expect(plain?.vector).toBeNull();
  const counted = await texts.do({ type: 'count', texts: ['hello', ''], mask: false });
  expect(counted).toEqual([
    { text: 'hello', tokens: 1 },
    { text: '', tokens: 0 },
  ]);
});

test('files are known by their content', async () => {
  const path = join(folder, 'a');
  writeFileSync(path, '%PDF-1.7');
  expect(await texts.do({ type: 'sniff', path, name: 'a.txt' })).toEqual({ format: 'pdf', refused: null });
  writeFileSync(path, 'HWP Document File V2.00');
  expect(await texts.do({ type: 'sniff', path, name: 'a.pdf' })).toMatchObject({
    format: null,
    refused: { code: 'UNSUPPORTED' },
  });
  writeFileSync(path, writeCompound({ 'PowerPoint Document': Buffer.from('old') }));
  expect(await texts.do({ type: 'sniff', path, name: 'a.pptx' })).toEqual({ format: 'ppt', refused: null });
});

test('a task that nobody waits for ends, and the next one is done', async () => {
  const long = packed(...Array.from({ length: 6_000 }, (_, at) => `문장 ${at} 은 여러 낱말을 담는다. `.repeat(8)));
  const gone = new AbortController();
  const cutting = texts.do({ type: 'cut', packed: long, how }, { signal: gone.signal });
  const waiting = texts.do({ type: 'count', texts: ['x'], mask: false }, { signal: gone.signal });
  const next = texts.do({ type: 'count', texts: ['hello'], mask: false });
  gone.abort(new Error('stopping'));
  await expect(cutting).rejects.toThrow('stopping');
  await expect(waiting).rejects.toThrow('stopping');
  expect(await next).toEqual([{ text: 'hello', tokens: 1 }]);
});

test('a task that takes too long is ended', async () => {
  const hasty = createTextWorkers({ size: 1, heapMb: 256, timeoutMs: 1, encoding: 'o200k_base' });
  await expect(hasty.do({ type: 'count', texts: ['x'], mask: false })).rejects.toThrow(TextsTooLarge);
  await hasty.close();
  await expect(hasty.do({ type: 'count', texts: ['x'], mask: false })).rejects.toMatchObject({ code: 'unavailable' });
});

test('a short text is shown as it was read; what is none is not', async () => {
  const show = (name: string, content: string | Uint8Array) =>
    texts.do({ type: 'show', file: { name, bytes: Buffer.from(content) } });
  expect(JSON.parse((await show('a.md', '# 제목\n\n글')) ?? '')).toMatchObject({
    format: 'markdown',
    blocks: [{ type: 'heading' }, { type: 'paragraph' }],
  });
  expect(await show('a.bin', Uint8Array.of(0, 1, 2, 3))).toBeNull();
});
