import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type FreshDatabase, freshDatabase } from '../../../test/support/postgres.ts';
import { type PostgresDoor, openPostgresDoor } from '../../../test/support/postgres-door.ts';
import { createGuardedResolve } from '../../net-guard/index.ts';
import type { Connector, SourceChange } from '../../ports/connector.ts';
import { postgresql } from './sql-postgresql.ts';
import { createSqlConnector, type SqlDialect, type SqlPage, type SqlSource } from './sql.ts';

let fresh: FreshDatabase;
let door: PostgresDoor;
let folder: string;
let opened: Connector[] = [];
beforeAll(async () => {
  fresh = await freshDatabase();
  door = await openPostgresDoor(fresh);
  await door.query('CREATE TABLE notices (number int PRIMARY KEY, subject text, body text, changed timestamptz)');
});
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ai-studio-sql-'));
  await door.query('TRUNCATE notices');
});
afterEach(async () => {
  await Promise.all(opened.map((one) => one.close()));
  opened = [];
  rmSync(folder, { recursive: true, force: true });
});
afterAll(async () => {
  await door.close();
  await fresh.close();
});

const signal = new AbortController().signal;
function open(
  more: Partial<SqlSource> = {},
  { allow = ['127.0.0.1'], dialect = postgresql }: { allow?: readonly string[]; dialect?: SqlDialect } = {},
): Connector {
  const connector = createSqlConnector(dialect, {
    ...door.source,
    query: 'SELECT number AS id, subject AS title, body AS content FROM notices;',
    resolve: createGuardedResolve({ allow }),
    pageSize: 3,
    ...more,
  });
  opened.push(connector);
  return connector;
}
async function list(connector = open()) {
  const changes: SourceChange[] = [];
  for await (const change of connector.list({ cursor: null, maxItems: 100, signal })) changes.push(change);
  return changes;
}

test('rows are documents, whatever types their columns have, page by page; a version column says when they changed', async () => {
  await door.query(
    "INSERT INTO notices SELECT n, '공지 ' || n || '/가', '본문 ' || n, now() FROM generate_series(1, 10) AS n",
  );
  await door.query('INSERT INTO notices VALUES (11, NULL, NULL, NULL)');
  const changes = await list();
  expect(changes).toHaveLength(12);
  expect(changes[0]).toMatchObject({ item: { id: '1', name: '공지 1 가.txt', metadata: {} } });
  expect(changes.at(-1)).toMatchObject({ type: 'end', isWhole: true });
  const query =
    "SELECT number AS id, body AS content, changed AS version, 'https://x.kr/' || number AS url FROM notices -- all";
  const versioned = open({ query });
  const [first] = await list(versioned);
  expect(first).toMatchObject({ item: { name: '1.txt', metadata: { url: 'https://x.kr/1' } } });
  await door.query("UPDATE notices SET body = 'other'");
  expect((await list(versioned))[0]).toEqual(first);
});

test('pages grow while contents are short, and shrink where one is too long to come along', async () => {
  await door.query(
    "INSERT INTO notices SELECT n, '', repeat('x', CASE n WHEN 12 THEN 600000 ELSE 9 END), now() FROM generate_series(1, 40) AS n",
  );
  const pages: SqlPage[] = [];
  const dialect: SqlDialect = {
    ...postgresql,
    pageAfter(asked, last, page) {
      pages.push(page);
      return postgresql.pageAfter(asked, last, page);
    },
  };
  const connector = open(
    { query: "SELECT lpad(number::text, 2, '0') AS id, body AS content FROM notices" },
    { dialect },
  );
  const ids = (await list(connector)).flatMap((change) => (change.type === 'present' ? [change.item.id] : []));
  expect(ids).toEqual(Array.from({ length: 40 }, (_, at) => String(at + 1).padStart(2, '0')));
  expect(pages.map(({ rows }) => rows)).toEqual([3, 6, 12, 6, 12, 24]);
  expect(new Set(pages.map(({ letters }) => letters))).toEqual(new Set([500_000]));
});

test('a long content is asked for by itself, and one that changes beyond what comes along is another version', async () => {
  await door.query("INSERT INTO notices VALUES (1, 'long', repeat('가', 600000), now())");
  const connector = open();
  const [before] = await list(connector);
  const path = join(folder, 'long');
  expect(await connector.fetch('1', { path, maxBytes: 2_000_000, signal })).toEqual({ bytes: 1_800_000 });
  expect(readFileSync(path, 'utf8').length).toBe(600_000);
  const fetched = connector.fetch('1', { path: `${path}2`, maxBytes: 1_000, signal });
  await expect(fetched).rejects.toMatchObject({ code: 'too_large' });
  await door.query("UPDATE notices SET body = body || 'x'");
  const [after] = await list(connector);
  expect(after).toMatchObject({ type: 'present', item: { id: '1' } });
  expect(after).not.toEqual(before);
});

test('rows without an id, and several with the same one, are told of; of these one is taken, also over the end of a page', async () => {
  await door.query("INSERT INTO notices SELECT n, 'a', 'b', now() FROM generate_series(1, 9) AS n");
  const query =
    'SELECT CASE WHEN number <= 2 THEN NULL ELSE number / 3 END AS id, subject AS title, body AS content FROM notices';
  for (const pageSize of [2, 50]) {
    const connector = open({ query, pageSize });
    const changes = await list(connector);
    expect(changes).toMatchObject([
      { type: 'unreadable', id: null, name: '', problem: { reason: 'id_missing', values: { rows: 2 } } },
      { type: 'unreadable', id: '1', name: '1', problem: { reason: 'id_twice' } },
      { type: 'unreadable', id: '2', problem: { reason: 'id_twice' } },
      { type: 'present', item: { id: '1' } },
      { type: 'present', item: { id: '2' } },
      { type: 'present', item: { id: '3' } },
      // They were never documents: nothing of what was is left for them.
      { type: 'end', isWhole: true },
    ]);
  }
});

test('contents that are bytes are files, named by their titles; another byte is another version', async () => {
  await door.query('DROP TABLE IF EXISTS files');
  await door.query('CREATE TABLE files (name text, data bytea)');
  const long = Buffer.alloc(700_000, 7);
  await door.query("INSERT INTO files VALUES ('a.pdf', $1), ('b', $2), ('empty.bin', '')", [
    Buffer.from([0, 0xff, 0x25, 0x50]),
    long,
  ]);
  const connector = open({ query: 'SELECT name AS id, name AS title, data AS content FROM files' });
  const path = join(folder, 'bytes');
  const before = new Map<string, string>();
  for await (const change of connector.list({ cursor: null, maxItems: 9, signal })) {
    if (change.type !== 'present') continue;
    const { id, name, version } = change.item;
    before.set(name, version);
    const { bytes } = await connector.fetch(id, { path, maxBytes: 1_000_000, signal });
    const wanted = { 'a.pdf': Buffer.from([0, 0xff, 0x25, 0x50]), b: long }[id] ?? Buffer.alloc(0);
    expect([bytes, readFileSync(path).equals(wanted)]).toEqual([wanted.length, true]);
  }
  expect([...before.keys()]).toEqual(['a.pdf', 'b', 'empty.bin']);
  await expect(connector.fetch('b', { path, maxBytes: 1_000, signal })).rejects.toMatchObject({ code: 'too_large' });
  await door.query("UPDATE files SET data = data || '\\x01' WHERE name = 'b'");
  const after = (await list(connector)).flatMap((change) => (change.type === 'present' ? [change.item] : []));
  expect(after.map(({ name, version }) => version === before.get(name))).toEqual([true, false, true]);
});

test.each([
  ['SELECT nothing FROM nowhere', 'The query fails'],
  ['SELECT 1 AS id', 'no column content'],
  ["SELECT 1 AS id, 'x' AS content) AS q; DROP TABLE notices; --", 'The query fails'],
  ["SELECT 1 AS id, set_config('a.b', 'c', false) AS content; SELECT 2", 'The query fails'],
  ['WITH gone AS (DELETE FROM notices RETURNING *) SELECT number AS id, body AS content FROM gone', 'The query fails'],
])('the query %j changes nothing and says what is wrong with it', async (query, message) => {
  await door.query("INSERT INTO notices VALUES (1, 'a', 'b', now())");
  await expect(list(open({ query }))).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining(message) as string,
  });
  expect(await door.query('SELECT number FROM notices')).toEqual([{ number: 1 }]);
});

test('a transaction that may only read is what functions meet as well', async () => {
  await door.query('CREATE SEQUENCE IF NOT EXISTS counted');
  const query = "SELECT nextval('counted') AS id, 'x' AS content";
  await expect(list(open({ query }))).rejects.toMatchObject({ code: 'invalid_request' });
});

test('wrong secrets are refused; hosts that the operator did not open, and servers that are none, are not there', async () => {
  const credentials = { username: 'nobody', password: 'x' };
  await expect(list(open({ credentials }))).rejects.toMatchObject({ code: 'forbidden' });
  await expect(list(open({}, { allow: [] }))).rejects.toMatchObject({ code: 'unavailable' });
  // Without encryption a public host is not talked to.
  await expect(list(open({ host: '203.0.113.1' }))).rejects.toMatchObject({ code: 'unavailable' });
  // One that has no encryption is not talked to where it is wanted.
  await expect(list(open({ tls: true }))).rejects.toMatchObject({ code: 'unavailable', reason: 'tls_missing' });
  const other = createServer((socket) => socket.end('HTTP/1.1 400\r\n\r\n')).listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  try {
    const { port } = other.address() as { port: number };
    await expect(list(open({ port }))).rejects.toMatchObject({ code: 'unavailable' });
  } finally {
    other.close();
  }
});
