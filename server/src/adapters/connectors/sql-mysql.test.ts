import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type FakeMysql, FakeMysqlFailure, startFakeMysql } from '../../../test/fakes/mysql-server.ts';
import { answerPapers } from '../../../test/support/mysql-papers.ts';
import { createGuardedResolve } from '../../net-guard/index.ts';
import type { Connector, SourceChange } from '../../ports/connector.ts';
import { mysql } from './sql-mysql.ts';
import { createSqlConnector, type SqlSource } from './sql.ts';

const signal = new AbortController().signal;
let server: FakeMysql | null = null;
let connector: Connector | null = null;
afterEach(async () => {
  await connector?.close();
  await server?.close();
});

async function open(
  answer: Parameters<typeof startFakeMysql>[1],
  more: Partial<SqlSource> = {},
  allow = ['127.0.0.1'],
) {
  server = await startFakeMysql('reader', answer);
  return (connector = createSqlConnector(mysql, {
    host: '127.0.0.1',
    port: server.port,
    database: 'd',
    tls: false,
    credentials: { username: 'reader', password: 'p' },
    query: 'SELECT name AS id, content FROM papers;',
    resolve: createGuardedResolve({ allow }),
    pageSize: 2,
    ...more,
  }));
}
async function list(one: Connector): Promise<SourceChange[]> {
  const changes: SourceChange[] = [];
  for await (const change of one.list({ cursor: null, maxItems: 100, signal })) changes.push(change);
  return changes;
}

test('each page is a transaction that may only read, whose statements end in time; the query is a part of a prepared one', async () => {
  const papers = new Map([...'abc'].map((name) => [name, '가']));
  const texts: string[] = [];
  const one = await open((text, values) => {
    texts.push(text);
    return answerPapers(papers)(text, values);
  });
  expect((await list(one)).map((change) => change.type)).toEqual(['present', 'present', 'present', 'end']);
  expect(server?.commands.slice(0, 2)).toEqual([
    'SET SESSION max_execution_time = 120000',
    'SET SESSION max_statement_time = 120',
  ]);
  const begun = server?.commands.filter((text) => text === 'START TRANSACTION READ ONLY').length ?? 0;
  expect(begun).toBe(3);
  for (const text of texts) expect(text).toContain('FROM (SELECT name AS id, content FROM papers\n) AS q');
});

test('rows without an id, and several with the same one, are told of', async () => {
  const answer = answerPapers(new Map([['a', '가']]));
  const one = await open((text, values) =>
    text.includes('GROUP BY')
      ? {
          columns: ['id', 'times', 'missing'],
          rows: [
            ['', '3', 'yes'],
            ['a', '2', ''],
          ],
        }
      : answer(text, values),
  );
  expect(await list(one)).toMatchObject([
    { type: 'unreadable', id: null, problem: { reason: 'id_missing', values: { rows: 3 } } },
    { type: 'unreadable', id: 'a', problem: { reason: 'id_twice' } },
    { type: 'present', item: { id: 'a' } },
    { type: 'end', isWhole: true },
  ]);
});

test('contents that are bytes come by themselves, as they are', async () => {
  const asked: string[] = [];
  const given = Buffer.from([0, 0xff, 0x25]);
  const one = await open((text, values) => {
    asked.push(text);
    if (text.includes('LIMIT 1') && text.includes('TO_BASE64'))
      return { columns: ['content'], rows: [[given.toString('base64')]] };
    return { ...answerPapers(new Map([['a', '']]))(text, values), binary: ['content'] };
  });
  const path = mkdtempSync(join(tmpdir(), 'ai-studio-mysql-'));
  try {
    for await (const change of one.list({ cursor: null, maxItems: 9, signal }))
      if (change.type === 'present') {
        expect(change.item.name).toBe('a');
        await one.fetch('a', { path: join(path, 'a'), maxBytes: 100, signal });
      }
    expect(readFileSync(join(path, 'a'))).toEqual(given);
    expect(asked.some((text) => text.includes("MD5(COALESCE(q.content, ''))"))).toBe(true);
  } finally {
    rmSync(path, { recursive: true });
  }
});

test('a long content is asked for by itself', async () => {
  const one = await open(answerPapers(new Map([['a', '가'.repeat(600_000)]])));
  const folder = mkdtempSync(join(tmpdir(), 'ai-studio-mysql-'));
  try {
    await list(one);
    const path = join(folder, 'a');
    expect(await one.fetch('a', { path, maxBytes: 2_000_000, signal })).toEqual({ bytes: 1_800_000 });
    expect(readFileSync(path, 'utf8')).toBe('가'.repeat(600_000));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.each([
  [1064, 'invalid_request', 'The query fails: as it says'],
  [1792, 'invalid_request', 'The query fails: as it says'],
  [1142, 'forbidden', 'The source does not take the secrets'],
  [1969, 'unavailable', 'The query takes too long'],
  [1205, 'unavailable', 'The source does not answer'],
])('the failure %i of the server is %s', async (number, code, message) => {
  const one = await open(() => {
    throw new FakeMysqlFailure(number, '42000', 'as it says');
  });
  await expect(list(one)).rejects.toMatchObject({ code, message: expect.stringContaining(message) as string });
});

test('wrong secrets are refused; hosts that the operator did not open, and servers that are none, are not there', async () => {
  const answer = answerPapers(new Map());
  const credentials = { username: 'nobody', password: 'x' };
  await expect(list(await open(answer, { credentials }))).rejects.toMatchObject({ code: 'forbidden' });
  await expect(list(await open(answer, {}, []))).rejects.toMatchObject({ code: 'unavailable' });
  await expect(list(await open(answer, { host: '203.0.113.1' }))).rejects.toMatchObject({ code: 'unavailable' });
  // One that has no encryption is not talked to where it is wanted.
  await expect(list(await open(answer, { tls: true }))).rejects.toMatchObject({ reason: 'tls_missing' });
  const other = createServer((socket) => socket.end('HTTP/1.1 400\r\n\r\n')).listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  try {
    const { port } = other.address() as { port: number };
    await expect(list(await open(answer, { port }))).rejects.toMatchObject({ code: 'unavailable' });
  } finally {
    other.close();
  }
});
