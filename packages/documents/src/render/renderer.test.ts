import { Worker } from 'node:worker_threads';
import { ParsedDocument } from '@ai-studio/contract/utilities/document.ts';
import { afterEach, expect, test, vi } from 'vitest';
import * as word from '../../test/docx.ts';
import { failures } from '../../test/quiet.ts';
import type { Document } from '../document.ts';
import { packDocument } from '../pack.ts';
import { type Renderer, type RendererOptions, createRenderer } from './renderer.ts';

const opened: Renderer[] = [];
afterEach(async () => void (await Promise.all(opened.splice(0).map((renderer) => renderer.close()))));

function open(options: Partial<RendererOptions> = {}): Renderer {
  const renderer = createRenderer({ size: 2, heapMb: 64, timeoutMs: 90_000, failures, ...options });
  opened.push(renderer);
  return renderer;
}

const wanted = { name: 'a.txt', elapsedMs: 1.4, format: 'text', more: { document_id: 'x' } } as const;

const bytesOf = (texts: readonly string[]): Uint8Array => {
  const blocks = texts.map((text) => ({ type: 'paragraph', page: null, spans: [{ text }] }) as const);
  const document: Document = { format: 'text', meta: {}, pages: [], blocks, warnings: [] };
  return packDocument(document).bytes;
};

const read = (json: Uint8Array) => ParsedDocument.loose().parse(JSON.parse(Buffer.from(json).toString('utf8')));

test('documents are rendered beside the requests, each its own', async () => {
  const renderer = open();
  const all = await Promise.all(Array.from({ length: 9 }, (_, at) => renderer.render(bytesOf([`글 ${at}`]), wanted)));
  for (const [at, json] of all.entries())
    expect(read(json)).toMatchObject({ contents: `글 ${at}`, processing_time_ms: 1, document_id: 'x' });
});

test('a thread gets documents unpacked: one that is ended within a call of zlib would take the process with it', async () => {
  const posted = vi.spyOn(Worker.prototype, 'postMessage');
  try {
    await open().render(bytesOf(['One']), wanted);
    const [task] = posted.mock.lastCall as [{ readonly json: Uint8Array }];
    expect(task).not.toHaveProperty('packed');
    expect(Buffer.from(task.json).toString('utf8')).toMatch(/^\{"/);
  } finally {
    posted.mockRestore();
  }
});

test('one that takes too much is refused, and the next one is rendered', async () => {
  const renderer = open({ size: 1, heapMb: 32 });
  const large = bytesOf(Array.from({ length: 200_000 }, (_, at) => `글 ${at}`));
  const [first, second] = await Promise.allSettled([
    renderer.render(large, wanted),
    renderer.render(bytesOf(['글']), wanted),
  ]);
  expect(first).toMatchObject({ reason: { code: 'too_large' } });
  expect(second.status).toBe('fulfilled');
});

test('one that takes too long is refused', async () => {
  const large = bytesOf(Array.from({ length: 100_000 }, (_, at) => `글 ${at}`));
  await expect(open({ timeoutMs: 1, heapMb: 512 }).render(large, wanted)).rejects.toMatchObject({
    code: 'too_large',
  });
});

test('a file that takes too much to make is refused as that, and the next one is made', async () => {
  const renderer = open({ size: 1 });
  const options = { pageNumbers: true, numbering: 'official' } as const;
  const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`) as unknown;
  const body = word.paragraph(word.run('{{a}}'));
  await expect(renderer.make({ template: word.writeDocx({ body }), data: { a: deep } })).rejects.toMatchObject({
    code: 'TOO_LARGE',
    message: expect.stringContaining('to make') as string,
  });
  const made = await renderer.make({ markdown: '글', format: 'docx', options, pictures: {} });
  expect(made.format).toBe('docx');
});

test('what is no document hurts itself alone', async () => {
  const renderer = open({ size: 1 });
  await expect(renderer.render(Buffer.from('x'), wanted)).rejects.toMatchObject({ code: 'too_large' });
  expect(read(await renderer.render(bytesOf(['글']), wanted))).toMatchObject({ contents: '글' });
});

test('a file is the text alone, or JSON', async () => {
  const renderer = open();
  const text = await renderer.write(bytesOf(['글']), wanted);
  expect(Buffer.from(text).toString('utf8')).toBe('글');
  expect(read(await renderer.write(bytesOf(['글']), { ...wanted, format: 'json' }))).toHaveProperty('prediction');
});

test('questions about a document are answered from what is there; the document is brought again only when it is not', async () => {
  const renderer = open({ size: 1 });
  const loaded: string[] = [];
  const ask = async (id: string, at = 0) => {
    const load = () => {
      loaded.push(id);
      return Promise.resolve(bytesOf([`${id} 0`, `${id} 1`]));
    };
    const part = await renderer.view<'blocks'>({ id, load }, { kind: 'blocks', page: 1, from: at });
    return JSON.stringify(part?.items[0]?.content);
  };
  expect(await ask('a')).toContain('a 0');
  expect(await ask('a', 1)).toContain('a 1');
  expect(await ask('b')).toContain('b 0');
  expect(await ask('a')).toContain('a 0');
  // What is rendered between makes room for itself.
  await renderer.render(bytesOf(['글']), wanted);
  expect(await ask('a', 1)).toContain('a 1');
  expect(loaded).toEqual(['a', 'b', 'a', 'a']);
  const gone = { id: 'c', load: () => Promise.reject(new Error('gone')) };
  await expect(renderer.view<'outline'>(gone, { kind: 'outline' })).rejects.toThrow('gone');
});

test('an end refuses what is under way', async () => {
  const renderer = open({ size: 1 });
  const all = [renderer.render(bytesOf(['글']), wanted), renderer.render(bytesOf(['글']), wanted)];
  const outcomes = Promise.allSettled(all);
  await renderer.close();
  for (const outcome of await outcomes) expect(outcome).toMatchObject({ reason: { code: 'unavailable' } });
  await expect(renderer.render(bytesOf(['글']), wanted)).rejects.toMatchObject({ code: 'unavailable' });
});
