import { sql } from 'kysely';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { silent, temporaryFolder } from '../../../../test/support/postgres.ts';
import type { Database, Migration } from '../../../ports/database.ts';
import { openDatabase } from '../../postgres/index.ts';
import { chooseAccount } from './account.ts';
import { restoreSafetyCopy } from '../../../../test/support/restore-safety-copy.ts';
import {
  findRunningPostgres,
  refuseLostDatabase,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
} from './index.ts';
import { findPrograms } from './programs.ts';

describe('the embedded PostgreSQL', () => {
  let dataDir: string;
  /** A data folder whose database was made, for tests of what comes later. */
  let made: string;
  const running: EmbeddedPostgres[] = [];
  const opened: Database[] = [];

  beforeAll(async () => {
    made = temporaryFolder();
    await (await startEmbeddedPostgres({ dataDir: made, log: silent })).close();
  });
  afterAll(() => rmSync(made, { recursive: true }));
  beforeEach(() => {
    dataDir = temporaryFolder();
  });
  afterEach(async () => {
    for (const db of opened.splice(0)) await db.close();
    for (const postgres of running.splice(0)) await postgres.close();
    rmSync(dataDir, { recursive: true });
  });

  /** As `start`, with a database that was made before. */
  function startMade() {
    mkdirSync(dataDir, { recursive: true });
    // With owners and modes, which PostgreSQL checks.
    execFileSync('cp', ['-a', join(made, 'postgres'), join(dataDir, 'postgres')]);
    return start();
  }
  async function start(
    more: Partial<EmbeddedPostgresOptions> = {},
  ): Promise<{ postgres: EmbeddedPostgres; db: Database }> {
    const postgres = await startEmbeddedPostgres({ dataDir, log: silent, ...more });
    running.push(postgres);
    const db = await openDatabase({ connection: postgres.connection, log: silent, poolSize: 2 });
    opened.push(db);
    return { postgres, db };
  }
  async function stop(): Promise<void> {
    for (const db of opened.splice(0)) await db.close();
    for (const postgres of running.splice(0)) await postgres.close();
  }
  const setting = async (db: Database, name: string) =>
    (await sql<{ value: string }>`SELECT current_setting(${name}) AS value`.execute(db.query)).rows[0]?.value;

  it('keeps what it stored from one start to the next, and tells of the first only', async () => {
    const told: string[] = [];
    const { db } = await start({ onProgress: (message) => told.push(message) });
    await sql`CREATE TABLE kept AS SELECT '보관' AS text`.execute(db.query);
    expect(told).toHaveLength(1);
    await stop();
    const again = await start({ onProgress: (message) => told.push(message) });
    expect((await sql`SELECT text FROM kept`.execute(again.db.query)).rows).toEqual([{ text: '보관' }]);
    expect(told).toHaveLength(1);
  });

  it('writes to the disk what it acknowledges, speaks UTF-8, and has the same case rules everywhere', async () => {
    const { db } = await startMade();
    for (const name of ['fsync', 'synchronous_commit', 'full_page_writes']) expect(await setting(db, name)).toBe('on');
    expect(await setting(db, 'server_encoding')).toBe('UTF8');
    const { rows } = await sql`SELECT lower('ÀÉ') AS lower, 'a' > 'B' AS byte_order`.execute(db.query);
    expect(rows).toEqual([{ lower: 'àé', byte_order: true }]);
  });

  it('is reached by its socket and password only', async () => {
    const { postgres, db } = await start();
    expect(await setting(db, 'listen_addresses')).toBe('');
    expect(statSync(postgres.connection.host).mode & 0o077).toBe(0);
    expect(statSync(join(dataDir, 'postgres', 'password')).mode & 0o077).toBe(0);
    const wrong = openDatabase({ connection: { ...postgres.connection, password: 'wrong' }, log: silent });
    await expect(wrong).rejects.toMatchObject({ code: 'unavailable', message: expect.not.stringContaining('wrong') });
  });

  it('has its socket elsewhere when the path would be too long', async () => {
    dataDir = join(dataDir, 'x'.repeat(60), 'y'.repeat(60));
    const { postgres, db } = await startMade();
    expect(postgres.connection.host.startsWith(dataDir)).toBe(false);
    expect(statSync(postgres.connection.host).mode & 0o077).toBe(0);
    expect(await setting(db, 'server_encoding')).toBe('UTF8');
    const { host } = postgres.connection;
    await stop();
    expect((await start()).postgres.connection.host).toBe(host);
    await stop();
    rmSync(host, { recursive: true });
    dataDir = join(dataDir, '..', '..');
  });

  it('closes twice, gives the folder free, and leaves no socket that answers', async () => {
    const { postgres, db } = await startMade();
    await expect(startEmbeddedPostgres({ dataDir, log: silent })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(`process ${process.pid}`),
    });
    expect(findRunningPostgres(dataDir)).toEqual(postgres.connection);
    await db.close();
    await Promise.all([postgres.close(), postgres.close()]);
    expect(findRunningPostgres(dataDir)).toBeNull();
    expect(postgres.pid()).toBeNull();
    const socket = createConnection(join(postgres.connection.host, '.s.PGSQL.5432'));
    await expect(
      new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject)),
    ).rejects.toThrow();
    await start();
  });

  it('runs as the user postgres where the way by a user namespace is closed', async (context) => {
    if (process.geteuid?.() !== 0) return context.skip();
    // It passes through the folder, which nobody else can look into.
    const above = dataDir;
    chmodSync(above, 0o711);
    dataDir = join(above, 'made', 'data');
    const { postgres, db } = await start({ accounts: ['user'] });
    expect(postgres.account).toBe('user');
    expect(statSync(join(dataDir, 'postgres', 'cluster')).uid).not.toBe(0);
    expect(statSync(dataDir).mode & 0o777).toBe(0o711);
    await sql`CREATE TABLE kept AS SELECT 1 AS one`.execute(db.query);
    await db.migrate({ migrations: [] });
    expect(readdirSync(await postgres.copyRows(db))).toContain('kept.copy');
    await stop();
    // The owner of the folder decides from now on.
    expect((await start()).postgres.account).toBe('user');
    await stop();
    dataDir = above;
  });

  it('asks for database.url where it can not be run at all', () => {
    const programs = findPrograms(join(dataDir, 'links'));
    const broken = { ...programs, postgres: join(dataDir, 'missing') };
    expect(() => chooseAccount(broken, join(dataDir, 'postgres'))).toThrow(/database\.url/);
    expect(() => chooseAccount(programs, join(dataDir, 'postgres'), [])).toThrow(/database\.url/);
  });

  it('asks for database.url where it can not be set up, and starts once it can', async (context) => {
    if (process.geteuid?.() !== 0) return context.skip();
    // The user postgres can not reach what lies below a folder of somebody else that only root may enter.
    const closed = dataDir;
    chmodSync(closed, 0o700);
    dataDir = join(closed, 'data');
    await expect(startEmbeddedPostgres({ dataDir, log: silent, accounts: ['user'] })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('database.url'),
    });
    await start();
    await stop();
    await start();
    expect(readdirSync(dataDir).filter((name) => name.includes('.new-'))).toEqual([]);
    await stop();
    dataDir = closed;
  });

  it('makes a data folder that is for its user alone', async () => {
    const above = dataDir;
    dataDir = join(above, 'data');
    const { postgres } = await start();
    expect((statSync(dataDir).mode & 0o777).toString(8)).toBe(postgres.account === 'user' ? '711' : '700');
    await stop();
    dataDir = above;
  });

  it('makes the links that the package lacks', () => {
    const native = join(dataDir, 'package', 'native');
    mkdirSync(join(native, 'lib'), { recursive: true });
    writeFileSync(join(native, 'lib', 'libpq.so.5.18'), 'library');
    const link = { source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' };
    writeFileSync(join(native, 'pg-symlinks.json'), JSON.stringify([link]));
    for (let twice = 0; twice < 2; twice++) {
      expect(findPrograms(join(dataDir, 'links'), native).env).not.toHaveProperty('LD_LIBRARY_PATH');
      expect(readFileSync(join(native, 'lib', 'libpq.so.5'), 'utf8')).toBe('library');
    }
    expect(existsSync(join(dataDir, 'links'))).toBe(false);
  });

  it('refuses a folder that has documents or an index but no database', async () => {
    for (const name of ['blobs', 'index']) {
      mkdirSync(join(dataDir, name));
      writeFileSync(join(dataDir, name, 'something'), '');
      await expect(startEmbeddedPostgres({ dataDir, log: silent })).rejects.toMatchObject({ code: 'conflict' });
      expect(existsSync(join(dataDir, 'postgres'))).toBe(false);
      rmSync(join(dataDir, name), { recursive: true });
      mkdirSync(join(dataDir, name));
    }
    const { db } = await start();
    await expect(refuseLostDatabase(db, dataDir)).resolves.toBeUndefined();
    writeFileSync(join(dataDir, 'blobs', 'something'), '');
    await expect(refuseLostDatabase(db, dataDir)).rejects.toMatchObject({ code: 'conflict' });
    await db.migrate({ migrations: [] });
    await expect(refuseLostDatabase(db, dataDir)).resolves.toBeUndefined();
  });

  it('refuses a database of another PostgreSQL version', async () => {
    await startMade();
    await stop();
    writeFileSync(join(dataDir, 'postgres', 'cluster', 'PG_VERSION'), '17\n');
    await expect(startEmbeddedPostgres({ dataDir, log: silent })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('17'),
    });
  });

  it('says why when it does not start, and gives the folder free', async () => {
    await startMade();
    await stop();
    await expect(
      startEmbeddedPostgres({ dataDir, log: silent, settings: { max_connections: -1 } }),
    ).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('max_connections'),
    });
    await start();
  });

  it('brings every row back from the copy that is made before a migration', async () => {
    const { postgres, db } = await startMade();
    const make: Migration = {
      name: '0001_make',
      up: async (tx) => {
        await sql`CREATE TABLE parents (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, bytes bytea, words text[])`.execute(
          tx,
        );
        await sql`CREATE TABLE children (parent bigint NOT NULL REFERENCES parents (id), twice bigint GENERATED ALWAYS AS (parent * 2) STORED)`.execute(
          tx,
        );
      },
    };
    await db.migrate({ migrations: [make] });
    await sql`INSERT INTO parents (bytes, words) VALUES ('\\x000aff', ARRAY['한 글', E'tab\\t\\\\ "q"']), (NULL, NULL)`.execute(
      db.query,
    );
    await sql`INSERT INTO children VALUES (1), (2)`.execute(db.query);
    const all = async (of: Database = db) => [
      (await sql`SELECT * FROM parents ORDER BY id`.execute(of.query)).rows,
      (await sql`SELECT * FROM children ORDER BY parent`.execute(of.query)).rows,
    ];
    const before = await all();

    let folder = '';
    const harm: Migration = { name: '0002_harm', up: async (tx) => void (await sql`DELETE FROM children`.execute(tx)) };
    await db.migrate({
      migrations: [make, harm],
      beforeChange: async () => {
        folder = await postgres.copyRows(db);
      },
    });
    expect(await all()).not.toEqual(before);
    expect(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))).toMatchObject({
      migrations: ['0001_make'],
    });
    expect(statSync(folder).mode & 0o077).toBe(0);
    await expect(restoreSafetyCopy(db, folder)).rejects.toThrow('other migrations');

    await sql`CREATE DATABASE second`.execute(db.query);
    const second = await openDatabase({ connection: { ...postgres.connection, database: 'second' }, log: silent });
    opened.push(second);
    await second.migrate({ migrations: [make] });
    await restoreSafetyCopy(second, folder);
    expect(await all(second)).toEqual(before);
    const { rows } = await sql`INSERT INTO parents DEFAULT VALUES RETURNING id`.execute(second.query);
    expect(rows).toEqual([{ id: 3 }]);
  });

  it('keeps the last few copies', async () => {
    const { postgres, db } = await startMade();
    await db.migrate({ migrations: [] });
    for (let n = 0; n < 7; n++) {
      await postgres.copyRows(db);
    }
    expect(readdirSync(join(dataDir, 'backups'))).toHaveLength(5);
  });
});
