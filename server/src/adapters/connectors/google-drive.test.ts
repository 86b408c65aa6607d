import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FakeDrive, startFakeDrive } from '../../../test/fakes/drive-server.ts';
import { createGuardedRequest } from '../../net-guard/index.ts';
import type { SourceChange } from '../../ports/connector.ts';
import { createGoogleDriveConnector, type GoogleDriveSource } from './google-drive.ts';

const signal = new AbortController().signal;
const FOLDER = 'application/vnd.google-apps.folder';
let server: FakeDrive;
let waits: number[];
const file = (id: string, name: string, parent: string, content = 'x', mimeType = 'text/plain') =>
  server.put({ id, name, parent, content, mimeType });
beforeEach(async () => {
  server = await startFakeDrive();
  waits = [];
  file('A', 'a.txt', 'F2');
  file('F1', '규정', 'root', '', FOLDER);
  file('F2', '2026', 'F1', '', FOLDER);
  file('B', '계획', 'F1', 'b', 'application/vnd.google-apps.document');
  file('C', 'c.pdf', 'root', 'c', 'application/pdf');
  file('D', '설문', 'F1', '', 'application/vnd.google-apps.form');
});
afterEach(() => server.close());
const open = (more: Partial<GoogleDriveSource> = {}) =>
  createGoogleDriveConnector({
    credentials: { service_account: server.keyFile },
    subject: null,
    drive: null,
    folder: null,
    endings: null,
    request: createGuardedRequest({ allow: ['127.0.0.1'] }),
    origins: { api: server.url, token: server.url },
    wait: (ms) => Promise.resolve(void waits.push(ms)),
    ...more,
  });
async function list(connector = open(), cursor: string | null = null) {
  const changes: SourceChange[] = [];
  for await (const change of connector.list({ cursor, maxItems: 100, signal })) changes.push(change);
  const end = changes.at(-1) as Extract<SourceChange, { type: 'end' }>;
  const told = changes
    .slice(0, -1)
    .map((change) =>
      change.type === 'present'
        ? `${change.item.id} ${change.item.metadata['folder'] ?? ''}/${change.item.name}`
        : change.type === 'removed'
          ? `${change.id} gone`
          : change.type,
    );
  return { changes, end, told };
}

test('files are listed whole, with their folders; documents of Google are given as those of Office', async () => {
  expect((await list()).told).toEqual(['A 규정/2026/a.txt', 'B 규정/계획.docx', 'C /c.pdf']);
  expect((await list()).end).toMatchObject({ isWhole: true });
  expect((await list(open({ folder: 'F1' }))).told).toEqual(['A 2026/a.txt', 'B /계획.docx']);
  expect((await list(open({ endings: new Set(['docx']) }))).told).toEqual(['B 규정/계획.docx']);
  const scratch = mkdtempSync(join(tmpdir(), 'ai-studio-drive-'));
  try {
    const path = join(scratch, 'b');
    await open().fetch('B', { path, maxBytes: 1_000, signal });
    expect(readFileSync(path, 'utf8')).toMatch(/wordprocessingml\.document: b$/);
  } finally {
    rmSync(scratch, { recursive: true });
  }
});

test('what changed, was renamed, moved away or went is told of alone', async () => {
  const connector = open({ folder: 'F1' });
  const first = await list(connector);
  expect((await list(connector, first.end.cursor)).told).toEqual([]);
  file('A', 'a2.txt', 'F2');
  file('B', '계획', 'root', 'b', 'application/vnd.google-apps.document');
  file('E', 'e.txt', 'F2');
  server.remove('C');
  const second = await list(connector, first.end.cursor);
  expect(second.told).toEqual(['C gone', 'A 2026/a2.txt', 'B gone', 'E 2026/e.txt']);
  expect(second.end).toMatchObject({ isWhole: false });
  expect((await list(connector, second.end.cursor)).told).toEqual([]);
});

test.each([
  ['a token that is known no more', () => void (server.forgetBefore = 1_000)],
  ['a folder that moved', () => file('F2', '2026', 'root', '', FOLDER)],
  ['a folder that went', () => server.remove('F2')],
  ['a folder that came', () => file('F3', 'new', 'F1', '', FOLDER)],
])('%s has all listed anew', async (_, change) => {
  const connector = open({ folder: 'F1' });
  const first = await list(connector);
  change();
  expect((await list(connector, first.end.cursor)).end).toMatchObject({ isWhole: true });
});

test('a listing that the service says is not complete is not whole', async () => {
  const connector = open();
  await list(connector);
  server.refusals.push(
    { status: 200, body: JSON.stringify({ startPageToken: '1' }) },
    { status: 200, body: JSON.stringify({ files: [], incompleteSearch: true }) },
  );
  expect((await list(connector)).end).toMatchObject({ isWhole: false });
});

test('a key that ran out is asked for anew; limits are waited for, also where they are told of as a refusal', async () => {
  const connector = open({ credentials: { client_id: 'c', client_secret: 's', refresh_token: 'r' } });
  await list(connector);
  server.tokens.clear();
  server.refusals.push(
    { status: 403, body: '{"error":{"errors":[{"reason":"userRateLimitExceeded"}]}}' },
    { status: 429, headers: { 'retry-after': '2' } },
  );
  expect((await list(connector)).told).toHaveLength(3);
  expect(waits).toEqual([1_000, 2_000]);
  server.refusals.push({ status: 403, body: '{"error":{"errors":[{"reason":"insufficientPermissions"}]}}' });
  await expect(list(connector)).rejects.toMatchObject({ code: 'forbidden' });
});

test('wrong secrets are refused, and what is no key file before anybody is asked', async () => {
  const credentials = { client_id: 'c', client_secret: 's', refresh_token: 'x' };
  await expect(list(open({ credentials }))).rejects.toMatchObject({ code: 'forbidden' });
  for (const text of ['', '{}', '{"client_email":"a","private_key":"b"}'])
    expect(() => open({ credentials: { service_account: text } })).toThrow(
      expect.objectContaining({ code: 'invalid_request' }),
    );
});

test('who may read each file is told, also of files of shared drives; nobody where that cannot be read', async () => {
  const put = (id: string, permissions: readonly object[] | undefined, isShared = false) =>
    server.put({
      id,
      name: `${id}.txt`,
      parent: 'F1',
      content: id,
      mimeType: 'text/plain',
      isShared,
      ...(permissions === undefined ? {} : { permissions }),
    });
  server.files.clear();
  const named = [
    { type: 'user', emailAddress: 'Ada@example.kr' },
    { type: 'group', emailAddress: 'HR@example.kr', displayName: '인사팀' },
    { type: 'domain', domain: 'example.kr' },
    { type: 'user', emailAddress: 'gone@example.kr', deleted: true },
    { type: 'user', emailAddress: 'late@example.kr', expirationTime: '2020-01-01T00:00:00Z' },
    { type: 'user', emailAddress: 'view@example.kr', view: 'published' },
  ];
  put('A', named);
  put('B', named, true);
  put('C', [{ type: 'user', emailAddress: 'a@example.kr' }, { type: 'anyone' }]);
  put('D', undefined);
  put('E', [], false);
  const told = [
    { kind: 'person', email: 'Ada@example.kr' },
    { kind: 'group', id: 'hr@example.kr', name: '인사팀 (HR@example.kr)' },
    { kind: 'domain', domain: 'example.kr' },
  ];
  const readers = async (connector: ReturnType<typeof open>) =>
    Object.fromEntries(
      (await list(connector)).changes.flatMap((one) =>
        one.type === 'present' ? [[one.item.id, one.item.readers]] : [],
      ),
    );
  expect(await readers(open({ tellsReaders: true }))).toEqual({ A: told, B: told, C: 'everybody', D: null, E: [] });
  expect(Object.values(await readers(open()))).toEqual(Array.from({ length: 5 }, () => undefined));
});
