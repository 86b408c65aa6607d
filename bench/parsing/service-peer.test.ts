import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { peerFilesOf } from './peers.ts';
import { isDrawn, readByService, type ServicePeer } from './service-peer.ts';

// The service is a fake: what it answers is what docs/reference/documents.md says.

let folder = '';
let server: Server;
let peer: ServicePeer;
const forms: string[] = [];
const ID = '0123456789abcdef0123456789abcdef';
const running = { document_id: ID, status: 'RUNNING_INFERENCE', progress: { done: 1, total: 2 } };
/** What `content` says, one after the other. */
let contents: readonly object[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'studio-parsing-service-'));
  writeFileSync(join(folder, 'scan.png'), 'a picture');
  server = createServer((request, response) => {
    let body = '';
    request.setEncoding('latin1');
    request.on('data', (part: string) => (body += part));
    request.on('end', () => {
      const isKnown = request.headers.authorization === 'Bearer right';
      const [next = running, ...rest] = contents;
      if (request.method === 'POST') forms.push(body);
      else contents = rest;
      response.statusCode = isKnown ? 200 : 401;
      response.end(
        JSON.stringify({
          status: { code: '20000', message: isKnown ? 'OK' : 'The key is not known.' },
          result: request.method === 'POST' ? running : next,
        }),
      );
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  peer = { url, key: 'right', name: 'layout', fields: { parser_type: 'layout', layout_model: 'seer' }, pollMs: 1 };
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

const read = (given: Partial<ServicePeer> = {}) =>
  readByService({ ...peer, ...given }, join(folder, 'peers'), { path: join(folder, 'scan.png'), name: 'a/scan.png' });

test('what a service makes of a document is kept as that of a peer, once', async () => {
  contents = [running, { status: 'SUCCESS', contents: '# 제목', warnings: [{ code: 'layout_not_read', page: 2 }] }];
  expect(await read()).toMatchObject({ state: 'read', told: ['layout_not_read'] });
  expect(forms[0]).toMatch(/name="parser_type"\r\n\r\nlayout\r\n/);
  expect(forms[0]).toMatch(/name="layout_model"\r\n\r\nseer\r\n/);
  expect(forms[0]).toMatch(/filename="scan.png"/);
  const [kept] = peerFilesOf(join(folder, 'peers'), { name: 'a/scan.png' });
  expect([kept?.[0], readFileSync(kept?.[1] ?? '', 'utf8')]).toEqual(['layout', '# 제목']);
  expect(await read()).toMatchObject({ state: 'kept' });
  expect(forms).toHaveLength(1);
});

test('what it refuses is told, and nothing is kept of it', async () => {
  contents = [{ status: 'FAILED', reason: { code: 'NEEDS_OCR', message: '' } }];
  expect(await read({ name: 'other' })).toMatchObject({ state: 'refused', told: ['NEEDS_OCR'] });
  expect(await read({ name: 'other', key: 'wrong' })).toMatchObject({
    state: 'refused',
    told: ['401 The key is not known.'],
  });
  expect([...peerFilesOf(join(folder, 'peers'), { name: 'a/scan.png' }).keys()]).toEqual(['layout']);
});

test('only what has pages to be seen is read', () => {
  expect(['pdf', 'image', 'hwp', 'unknown'].filter((format) => isDrawn({ format }))).toEqual(['pdf', 'image']);
});
