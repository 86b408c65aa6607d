import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TenantId } from '../kernel/context.ts';
import { ParseError, standardLimits, unlimitedWork } from '@ai-studio/documents';
import type { BlobStore } from '../ports/blob-store.ts';
import { createReadDocument, type ReadDocumentDeps } from './read-document.ts';

const tenantId = 'a'.repeat(32) as TenantId;
const file = { id: 'b'.repeat(32), name: 'plan.pdf', media_type: 'application/pdf', size: 1 };
const signal = new AbortController().signal;

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'ai-studio-test-'))));
afterEach(() => rmSync(folder, { recursive: true }));

function readWith(parse: ReadDocumentDeps['pool']['parse'], here = true) {
  const toFile = (_key: string, path: string) => {
    if (here) writeFileSync(path, 'x');
    return Promise.resolve(here);
  };
  const read = createReadDocument({
    blobs: { toFile } as Partial<BlobStore> as BlobStore,
    folder,
    pool: { parse },
    renderer: { render: () => Promise.resolve(Buffer.from(JSON.stringify({ contents: '# Plan' }))) },
    limits: standardLimits,
    timeoutMs: 1_000,
    work: unlimitedWork,
    backgroundTimeoutMs: 1_000,
  });
  return read(tenantId, file, signal);
}

test('a file of a run is read as Markdown, and lies on this machine only while it is read', async () => {
  const read = await readWith((_tenant, { path, name }) => {
    expect([existsSync(path), name]).toEqual([true, 'plan.pdf']);
    return Promise.resolve({ bytes: new Uint8Array(), format: 'pdf', pages: 3, isEmpty: false, warnings: [] });
  });
  expect(read).toEqual({ text: '# Plan', pages: 3 });
  expect(readdirSync(folder)).toEqual([]);
});

test('whoever sent a file that cannot be read is told which, why, and what to do', async () => {
  const torn = readWith(() => Promise.reject(new ParseError('CORRUPTED', 'It ends too early.')));
  await expect(torn).rejects.toMatchObject({
    code: 'unprocessable',
    reason: 'corrupted',
    message:
      'The file "plan.pdf" cannot be read: It ends too early. Open it in its program, save it anew and send that.',
  });
  const sealed = readWith(() => Promise.reject(new ParseError('ENCRYPTED', 'It has a password.')));
  await expect(sealed).rejects.toMatchObject({ message: 'The file "plan.pdf" cannot be read: It has a password.' });
  expect(readdirSync(folder)).toEqual([]);
});

test('other failures stay as they are', async () => {
  await expect(readWith(() => Promise.reject(new TypeError('bug')))).rejects.toThrow(TypeError);
  await expect(readWith(() => expect.fail('nothing to read'), false)).rejects.toMatchObject({ code: 'not_found' });
});
