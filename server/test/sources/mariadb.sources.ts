import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Connection, createConnection } from 'mysql2/promise';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { mysql } from '../../src/adapters/connectors/sql-mysql.ts';
import { createSqlConnector, type SqlSource } from '../../src/adapters/connectors/sql.ts';
import { createGuardedResolve } from '../../src/net-guard/index.ts';
import type { SourceChange } from '../../src/ports/connector.ts';
import { describeConnector } from '../conformance/connector.ts';

const port = Number(process.env['STUDIO_MARIADB_PORT']);
const resolve = createGuardedResolve({ allow: ['127.0.0.1'] });
const place = {
  host: '127.0.0.1',
  port,
  database: 'd',
  tls: false,
  credentials: { username: 'reader', password: 'r' },
  resolve,
};
const signal = new AbortController().signal;
let writer: Connection;
beforeAll(async () => {
  writer = await createConnection({ host: '127.0.0.1', port, database: 'd', user: 'writer', password: 'w' });
});
afterAll(() => writer.end());

describeConnector(
  'mysql on MariaDB',
  async () => {
    await writer.query(
      'CREATE OR REPLACE TABLE papers (name varchar(400) COLLATE utf8mb4_bin PRIMARY KEY, content longtext)',
    );
    const sockets = new Set<Socket>();
    const door = createServer((socket) => {
      const inner = connect(port, '127.0.0.1');
      for (const one of [socket, inner]) sockets.add(one.on('error', () => undefined));
      socket.pipe(inner).pipe(socket);
    }).listen(0, '127.0.0.1');
    await new Promise((listening) => void door.once('listening', () => listening(null)));
    const shut = () =>
      new Promise<void>((done) => {
        for (const one of sockets) one.destroy();
        door.close(() => done());
      });
    const connector = createSqlConnector(mysql, {
      ...place,
      port: (door.address() as { port: number }).port,
      query: 'SELECT name AS id, name AS title, content FROM papers',
      pageSize: 2,
    });
    return {
      connector,
      put: async (name, content) => void (await writer.query('REPLACE INTO papers VALUES (?, ?)', [name, content])),
      remove: async (name) => void (await writer.query('DELETE FROM papers WHERE name = ?', [name])),
      takeAway: shut,
      async close() {
        await connector.close();
        await shut();
      },
    };
  },
  { tellsRemovals: true },
);

beforeEach(async () => {
  await writer.query(
    'CREATE OR REPLACE TABLE notices (number int PRIMARY KEY, subject varchar(200), body longtext, changed datetime)',
  );
});
async function list(more: Partial<SqlSource> = {}) {
  const query = 'SELECT number AS id, subject AS title, body AS content FROM notices;';
  const connector = createSqlConnector(mysql, { ...place, query, pageSize: 3, ...more });
  const changes: SourceChange[] = [];
  try {
    for await (const change of connector.list({ cursor: null, maxItems: 100, signal })) changes.push(change);
  } finally {
    await connector.close();
  }
  return changes;
}

test('rows are documents, whatever types their columns have, page by page, in one order', async () => {
  for (let at = 1; at <= 11; at++)
    await writer.query('INSERT INTO notices VALUES (?, ?, ?, now())', [at, `공지 ${at}/가`, `본문 ${at} 😀`]);
  await writer.query('INSERT INTO notices VALUES (12, NULL, NULL, NULL)');
  const changes = await list();
  expect(changes).toHaveLength(13);
  expect(changes[0]).toMatchObject({ item: { id: '1', name: '공지 1 가.txt', metadata: {} } });
  expect(changes.at(-1)).toMatchObject({ type: 'end', isWhole: true });
  const query =
    "WITH all_of_it AS (SELECT * FROM notices) SELECT number AS id, body AS content, changed AS version, concat('https://x.kr/', number) AS url FROM all_of_it -- all";
  const [first] = await list({ query });
  expect(first).toMatchObject({ item: { name: '1.txt', metadata: { url: 'https://x.kr/1' } } });
});

test('ids that collations take for one are two documents', async () => {
  const query =
    "SELECT 'a' AS id, 'x' AS content UNION ALL SELECT 'A', 'y' UNION ALL SELECT 'ä', 'z' UNION ALL SELECT 'a ', 'w'";
  const changes = await list({ query, pageSize: 1 });
  expect(changes.flatMap((one) => (one.type === 'present' ? [one.item.id] : []))).toEqual(['A', 'a', 'a ', 'ä']);
});

test('a long content is asked for by itself, and one that changes beyond what comes along is another version', async () => {
  await writer.query("INSERT INTO notices VALUES (1, 'long', repeat('가', 600000), now())");
  const query = 'SELECT number AS id, subject AS title, body AS content FROM notices';
  const connector = createSqlConnector(mysql, { ...place, query });
  const folder = mkdtempSync(join(tmpdir(), 'mariadb-'));
  try {
    const [before] = await list();
    const path = join(folder, 'long');
    expect(await connector.fetch('1', { path, maxBytes: 2_000_000, signal })).toEqual({ bytes: 1_800_000 });
    expect(readFileSync(path, 'utf8')).toHaveLength(600_000);
    await writer.query("UPDATE notices SET body = concat(body, 'x')");
    expect((await list())[0]).not.toEqual(before);
  } finally {
    await connector.close();
    rmSync(folder, { recursive: true });
  }
});

test.each([
  ['SELECT nothing FROM nowhere', 'The query fails'],
  ['SELECT 1 AS id', 'no column content'],
  ["SELECT 1 AS id, 'x' AS content) AS q; DROP TABLE notices; -- ", 'The query fails'],
  ["SELECT 1 AS id, 'x' AS content; DROP TABLE notices", 'The query fails'],
  ["SELECT 1 AS id, 'x' AS content INTO OUTFILE '/tmp/x'", 'The query fails'],
  ['SELECT 1 AS id, grow() AS content', 'The query fails'],
])('the query %j changes nothing and says what is wrong with it', async (query, message) => {
  await writer.query("INSERT INTO notices VALUES (1, 'a', 'b', now())");
  await writer.query(
    'CREATE OR REPLACE FUNCTION grow() RETURNS int MODIFIES SQL DATA BEGIN DELETE FROM notices; RETURN 1; END',
  );
  await expect(list({ query })).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining(message) as string,
  });
  const [rows] = await writer.query('SELECT number FROM notices');
  expect(rows).toEqual([{ number: 1 }]);
});

test('wrong secrets, tables that are not open, and a server without encryption are told of', async () => {
  const credentials = { username: 'reader', password: 'x' };
  await expect(list({ credentials })).rejects.toMatchObject({ code: 'forbidden' });
  const query = 'SELECT user AS id, 1 AS content FROM mysql.user';
  await expect(list({ query })).rejects.toMatchObject({ code: 'forbidden' });
  await expect(list({ tls: true })).rejects.toMatchObject({ code: 'unavailable' });
});

test('a run that is ended lets go of a query that takes long', async () => {
  const controller = new AbortController();
  const connector = createSqlConnector(mysql, { ...place, query: 'SELECT sleep(30) AS id, 1 AS content' });
  const reason = new Error('enough');
  const listing = (async () => {
    for await (const change of connector.list({ cursor: null, maxItems: 10, signal: controller.signal })) void change;
  })();
  const reader = await createConnection({ host: '127.0.0.1', port, database: 'd', user: 'reader', password: 'r' });
  const sleeping =
    "SELECT 1 FROM information_schema.processlist WHERE info LIKE '%sleep(30)%' AND id <> connection_id()";
  await expect.poll(async () => (await reader.query(sleeping))[0]).not.toHaveLength(0);
  controller.abort(reason);
  await expect(listing).rejects.toBe(reason);
  await reader.end();
});
