import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { StudioError } from '../kernel/errors.ts';
import { type FileCall, cleanName, receiveUpload } from './upload.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'studio-uploads-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const MAX_BYTES = 1_000;
const callOf = (body: unknown, size: number) =>
  ({ request: { body }, query: { size }, signal: new AbortController().signal }) as unknown as FileCall;
const take = (body: unknown, size: number, admit = () => Promise.resolve('admitted')) =>
  receiveUpload(callOf(body, size), { folder, maxBytes: MAX_BYTES }, admit);
const bodyOf = (parts: readonly Uint8Array[]) => Readable.from(parts.map((part) => Buffer.from(part)));

describe('an upload', () => {
  test('is the file as it was sent, however it was cut, and leaves nothing once it is removed', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ minLength: 1, maxLength: 90 }), { maxLength: 10 }), async (parts) => {
        const sent = Buffer.concat(parts);
        const { path, bytes, admitted, remove } = await take(bodyOf(parts), sent.length);
        expect(await readFile(path)).toEqual(sent);
        expect({ bytes, admitted }).toEqual({ bytes: sent.length, admitted: 'admitted' });
        await remove();
        expect(await readdir(folder)).toEqual([]);
      }),
      { numRuns: 30 },
    ));

  test('that is larger than it said is refused, with nothing left', async () => {
    await expect(take(bodyOf([new Uint8Array(600), new Uint8Array(600)]), 600)).rejects.toMatchObject({
      code: 'too_large',
      values: { max_bytes: MAX_BYTES },
    });
    expect(await readdir(folder)).toEqual([]);
  });

  test('that says it is too large is refused before anybody is asked, and read to its end', async () => {
    const body = bodyOf([new Uint8Array(10)]);
    const refused = new Error('was asked');
    await expect(take(body, MAX_BYTES + 1, () => Promise.reject(refused))).rejects.toMatchObject({ code: 'too_large' });
    await expect.poll(() => body.readableEnded).toBe(true);
  });

  test('that is not admitted is not written', async () => {
    const body = bodyOf([new Uint8Array(10)]);
    const refused = new StudioError('forbidden', 'Not yours');
    await expect(take(body, 10, () => Promise.reject(refused))).rejects.toBe(refused);
    expect(await readdir(folder)).toEqual([]);
    await expect.poll(() => body.readableEnded).toBe(true);
  });

  test('that breaks off is the end of its caller, with nothing left', async () => {
    // As of a request: without whoever listens its end is no error.
    const body = new Readable({ read: () => undefined }).on('error', () => undefined);
    body.push(Buffer.from('half'));
    const taken = take(body, 10);
    body.destroy(new Error('gone'));
    await expect(taken).rejects.toMatchObject({ code: 'client_closed' });
    expect(await readdir(folder)).toEqual([]);
  });

  test('of something else than a file is refused', async () => {
    await expect(take({ a: 1 }, 10)).rejects.toMatchObject({ code: 'unsupported_media_type' });
  });
});

test('a name of a file has no control characters', () => {
  expect(cleanName(' a\r\nb\u001F.pdf ')).toBe('a  b .pdf');
  expect(cleanName('\0')).toBeNull();
});
