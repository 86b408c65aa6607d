import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
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

function readWith(
  parse: ReadDocumentDeps['pool']['parse'],
  here = true,
  given: object = file,
  bytes: Buffer = Buffer.from('%PDF-1.7'),
) {
  const toFile = (_key: string, path: string) => {
    if (here) writeFileSync(path, bytes);
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
  return read(tenantId, { ...file, ...given }, signal);
}

test('a file of a run is read as Markdown, and lies on this machine only while it is read', async () => {
  const read = await readWith((_tenant, { path, name }) => {
    expect([existsSync(path), name]).toEqual([true, 'plan.pdf']);
    return Promise.resolve({ bytes: new Uint8Array(), format: 'pdf', pages: 3, isEmpty: false, warnings: [] });
  });
  expect(read).toEqual({ text: '# Plan', pages: 3 });
  expect(readdirSync(folder)).toEqual([]);
});

describe('texts', () => {
  const asIs = (name: string, bytes: Buffer) => readWith(() => expect.fail('it is a text'), true, { name }, bytes);

  test.each([
    ['a.json', '{"목록": [1, 2], "식":"a*b"}'],
    ['a.txt', '[긴급] a*b*c\n1. 하나\n\n\n  둘 '],
    ['a.md', '* 가\n* 나\n\n1*2'],
    ['a.csv', '이름,식\r\n가,a*b|c\r\n'],
    ['a.yaml', 'a: [1]\n# b'],
    ['없음', '_a_'],
  ])('are given as they are: %s', async (name, text) => {
    expect(await asIs(name, Buffer.from(text))).toEqual({ text, pages: 1 });
  });

  test('are given without their mark, from UTF-16 and from EUC-KR too', async () => {
    const text = '[긴급] a*b';
    for (const bytes of [
      Buffer.from(`\uFEFF${text}`),
      Buffer.from(`\uFEFF${text}`, 'utf16le'),
      Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
      Buffer.from('5bb1e4b1de5d20612a62', 'hex'),
    ])
      expect(await asIs('a.txt', bytes)).toEqual({ text, pages: 1 });
  });

  test.each([
    ['a page', 'a.txt', Buffer.from('<!doctype html><p>x')],
    ['a charset that has to be guessed', 'a.txt', Buffer.from('caf\u00e9 au lait', 'latin1')],
    ['UTF-16 without a mark', 'a.txt', Buffer.from('plain text', 'utf16le')],
    ['one that is too long', 'a.txt', Buffer.alloc(8 * 1024 * 1024 + 1, 'a')],
  ])('of %s are read', async (_what, name, bytes) => {
    const parsed = { bytes: new Uint8Array(), format: 'text' as const, pages: 1, isEmpty: false, warnings: [] };
    expect(await readWith(() => Promise.resolve(parsed), true, { name }, bytes)).toEqual({ text: '# Plan', pages: 1 });
  });
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
