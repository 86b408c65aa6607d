import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '../../test/support/eventually.ts';
import { StudioError } from '../kernel/errors.ts';
import { readUpload, type Upload } from './upload.ts';

let folder: string;
let server: Server;
let cut: AbortController;
/** What is waited for before the form is read. */
let ready: (req: IncomingMessage) => Promise<unknown>;
/** What became of the upload. */
let read: Promise<Upload>;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ai-studio-upload-'));
  cut = new AbortController();
  ready = () => Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<Upload>();
  read = promise;
  read.catch(() => undefined);
  server = createServer((req, res) => {
    const take = () => readUpload(req, { folder, maxBytes: 10_000_000, signal: cut.signal });
    resolve(
      ready(req)
        .then(take)
        .finally(() => res.end()),
    );
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true, force: true });
});

/** Begins to send a file, and goes no further. */
function begin(bytes = 100_000) {
  const sent = request({
    port: (server.address() as AddressInfo).port,
    host: '127.0.0.1',
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
  });
  sent.on('error', () => undefined);
  sent.write('--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n');
  sent.write('x'.repeat(bytes));
  return sent;
}
const begun = () => eventually(async () => expect(await readdir(folder, { recursive: true })).toHaveLength(2));

/** Files of the folder that this process has open. */
async function openFiles(): Promise<readonly string[]> {
  const all = await readdir('/proc/self/fd');
  const targets = await Promise.all(all.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
  return targets.filter((target) => target.startsWith(folder));
}

test.runIf(process.platform === 'linux')('an upload that breaks off leaves no file, and none open', async () => {
  const sent = begin();
  await begun();
  await eventually(async () => expect(await openFiles()).toHaveLength(1));
  sent.destroy();
  await expect(read).rejects.toMatchObject({ code: 'client_closed' });
  expect(await readdir(folder)).toEqual([]);
  await eventually(async () => expect(await openFiles()).toEqual([]));
});

test('one that is ended says why', async () => {
  begin();
  await begun();
  cut.abort(new StudioError('unauthenticated', 'The API key was deleted'));
  await expect(read).rejects.toMatchObject({ code: 'unauthenticated' });
  expect(await readdir(folder)).toEqual([]);
});

test('one whose sender left before it was read breaks off too', async () => {
  const come = Promise.withResolvers<void>();
  ready = (req) => {
    come.resolve();
    return new Promise((resolve) => req.once('error', () => undefined).once('close', resolve));
  };
  // No more than is taken in without a reader.
  const sent = begin(10);
  await come.promise;
  sent.destroy();
  await expect(read).rejects.toMatchObject({ code: 'client_closed' });
  expect(await readdir(folder)).toEqual([]);
});

test.each([
  ['of more characters than any form has', `boundary=${'b'.repeat(300)}`],
  ['of characters that take more bytes', `boundary=${'\u00e4'.repeat(200)}`],
  ['that is not there', 'charset=utf-8'],
])('a boundary %s is the fault of the caller, and leaves no file', async (_what, parameter) => {
  const sent = request({
    port: (server.address() as AddressInfo).port,
    host: '127.0.0.1',
    method: 'POST',
    headers: { 'content-type': `multipart/form-data; ${parameter}` },
  });
  sent.on('error', () => undefined);
  sent.end('--b--\r\n');
  await expect(read).rejects.toMatchObject({ code: 'invalid_request', param: null });
  await expect(read).rejects.toThrow('boundary of at most 70 characters');
  expect(await readdir(folder)).toEqual([]);
});
