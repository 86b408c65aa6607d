import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, type Migration, PREPARED } from '../../src/ports/database.ts';
import { eventually } from '../support/eventually.ts';

/** What the suite needs of an adapter: an empty database, and as many openings of it as asked. */
export interface DatabaseUnderTest {
  open(): Promise<Database>;
  /** Ends what `open` made, and the server. */
  close(): Promise<void>;
}

const step = (name: string, statement: string): Migration => ({
  name,
  up: async (tx) => {
    await sql.raw(statement).execute(tx);
  },
});

/** What every adapter of the Database port does. */
export function databaseConformance(name: string, make: () => Promise<DatabaseUnderTest>): void {
  describe(`Database: ${name}`, () => {
    let subject: DatabaseUnderTest;
    let db: Database;
    let other: Database;

    beforeAll(async () => {
      subject = await make();
      [db, other] = await Promise.all([subject.open(), subject.open()]);
      await sql`CREATE TABLE things (id bigint PRIMARY KEY, name text, at timestamptz DEFAULT now())`.execute(db.query);
    });
    afterAll(async () => {
      await Promise.all([db.close(), other.close()]);
      await subject.close();
    });

    const count = async (of: Database = db) =>
      (await sql<{ n: number }>`SELECT count(*) AS n FROM things`.execute(of.query)).rows[0]?.n;

    it('reads int8 and numeric as numbers and timestamptz as Date', async () => {
      const { rows } = await sql<{ n: unknown; d: unknown; t: unknown; s: unknown }>`
        SELECT 9007199254740991::int8 AS n, 1.5::numeric AS d, '2026-01-02T03:04:05.678Z'::timestamptz AS t, '가나다 🙂'::text AS s`.execute(
        db.query,
      );
      expect(rows[0]).toEqual({
        n: Number.MAX_SAFE_INTEGER,
        d: 1.5,
        t: new Date('2026-01-02T03:04:05.678Z'),
        s: '가나다 🙂',
      });
    });

    it('makes a transaction again that met another one in a deadlock', async () => {
      await sql`INSERT INTO things (id, name) VALUES (101, 'a'), (102, 'b')`.execute(db.query);
      const both = Promise.withResolvers<void>();
      let first = 0;
      const inOrder = (of: Database, ids: readonly [number, number]) =>
        of.transaction(async (tx) => {
          const add = (id: number) => sql`UPDATE things SET name = name || '.' WHERE id = ${id}`.execute(tx);
          await add(ids[0]);
          // Each holds what the other wants, the first time.
          if (++first === 2) both.resolve();
          await both.promise;
          await add(ids[1]);
        });
      await Promise.all([inOrder(db, [101, 102]), inOrder(other, [102, 101])]);
      const { rows } = await sql<{ name: string }>`SELECT name FROM things WHERE id > 100 ORDER BY id`.execute(
        db.query,
      );
      expect(rows.map(({ name: text }) => text)).toEqual(['a..', 'b..']);
      await sql`DELETE FROM things WHERE id > 100`.execute(db.query);
    });

    it('keeps prepared statements through a table that changes and a server that forgets them', async () => {
      const names = (of: Database, id: number) =>
        sql<{ name: string }>`${sql.raw(PREPARED)} SELECT * FROM forms WHERE id = ANY(${[id]}::int[])`.execute(
          of.query,
        );
      await sql`CREATE TABLE forms (id int, name text)`.execute(db.query);
      await sql`INSERT INTO forms VALUES (1, 'one'), (2, 'two')`.execute(db.query);
      expect((await names(db, 1)).rows).toEqual([{ id: 1, name: 'one' }]);
      expect((await names(db, 2)).rows).toEqual([{ id: 2, name: 'two' }]);
      const known = await sql<{ statement: string }>`SELECT statement FROM pg_prepared_statements`.execute(db.query);
      expect(known.rows.map(({ statement }) => statement)).toEqual([expect.stringContaining('FROM forms')]);
      await sql`ALTER TABLE forms ADD COLUMN size int`.execute(db.query);
      expect((await names(db, 1)).rows).toEqual([{ id: 1, name: 'one', size: null }]);
      expect((await names(other, 1)).rows).toHaveLength(1);
      await sql`DEALLOCATE ALL`.execute(other.query);
      expect((await names(other, 2)).rows).toEqual([{ id: 2, name: 'two', size: null }]);
    });

    it('keeps a transaction that returns and undoes one that throws', async () => {
      await db.transaction(async (tx) => void (await sql`INSERT INTO things (id) VALUES (1)`.execute(tx)));
      const failed = db.transaction(async (tx) => {
        await sql`INSERT INTO things (id) VALUES (2)`.execute(tx);
        throw new Error('no');
      });
      await expect(failed).rejects.toThrow('no');
      expect(await count(other)).toBe(1);
    });

    it('stores UTF-8', async () => {
      const { rows } = await sql<{ e: string }>`SELECT current_setting('server_encoding') AS e`.execute(db.query);
      expect(rows[0]?.e).toBe('UTF8');
    });

    it('hears notifications of its own and of others, on the asked channel only, in order', async () => {
      const heard: string[] = [];
      const stop = await db.listen('talk', (payload) => heard.push(payload));
      await db.notify('talk', 'a');
      await other.notify('silence', 'x');
      await other.notify('talk', 'b');
      await eventually(() => expect(heard).toEqual(['a', 'b']));
      await stop();
      await other.notify('talk', 'c');
      await db.notify('silence', 'y');
      expect(heard).toEqual(['a', 'b']);
    });

    it('mends a lost connection for notifications and tells of the gap', async () => {
      const heard: string[] = [];
      let gaps = 0;
      const stop = await db.listen(
        'mend',
        (payload) => heard.push(payload),
        () => gaps++,
      );
      await sql`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND query LIKE 'LISTEN%' AND pid <> pg_backend_pid()`.execute(other.query);
      await eventually(() => expect(gaps).toBe(1));
      await other.notify('mend', 'after');
      await eventually(() => expect(heard).toEqual(['after']));
      await stop();
    });

    it('goes on after its idle connections were cut', async () => {
      await sql`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()`.execute(other.query);
      await eventually(async () => expect(await count()).toBe(1));
    });

    it('applies each migration once, in order of name, whoever asks at the same time', async () => {
      const migrations = [
        step('0002_more', 'INSERT INTO made VALUES (2)'),
        step('0001_made', 'CREATE TABLE made (n int PRIMARY KEY)'),
      ];
      const reports = await Promise.all([db, other, db].map((which) => which.migrate({ migrations })));
      expect(reports.flatMap(({ applied }) => applied)).toEqual(['0001_made', '0002_more']);
      expect(reports.filter(({ fresh }) => fresh)).toHaveLength(1);
    });

    it('offers a safety copy before it changes a database that has data, and only then', async () => {
      const asked: string[][] = [];
      const beforeChange = async (pending: readonly string[]) => void asked.push([...pending]);
      const base = [step('0001_made', ''), step('0002_more', '')];
      await db.migrate({ migrations: base, beforeChange });
      expect(asked).toEqual([]);
      await db.migrate({ migrations: [...base, step('0003_third', 'INSERT INTO made VALUES (3)')], beforeChange });
      expect(asked).toEqual([['0003_third']]);
    });

    it('undoes a migration that fails, keeps those before it, and can be asked again', async () => {
      const base = [step('0001_made', ''), step('0002_more', ''), step('0003_third', '')];
      const good = step('0004_good', 'INSERT INTO made VALUES (4)');
      const bad = step('0005_bad', 'INSERT INTO made VALUES (5); SELECT 1/0');
      await expect(db.migrate({ migrations: [...base, good, bad] })).rejects.toThrow('division by zero');
      const { rows } = await sql<{ n: number }>`SELECT n FROM made WHERE n > 3 ORDER BY n`.execute(db.query);
      expect(rows).toEqual([{ n: 4 }]);
      const mended = step('0005_bad', 'INSERT INTO made VALUES (5)');
      expect((await other.migrate({ migrations: [...base, good, mended] })).applied).toEqual(['0005_bad']);
    });

    it('refuses a database that a newer version made', async () => {
      await expect(db.migrate({ migrations: [step('0001_made', '')] })).rejects.toMatchObject({ code: 'conflict' });
    });

    it('is healthy, and says so when it does not answer in time', async () => {
      expect(await db.health(AbortSignal.timeout(90_000))).toEqual({ ok: true, reason: null });
      expect((await db.health(AbortSignal.abort())).ok).toBe(false);
    });

    it('closes twice, waits for queries under way, and then refuses', async () => {
      const third = await subject.open();
      const slow = sql`SELECT pg_sleep(0.2)`.execute(third.query);
      await Promise.all([third.close(), third.close()]);
      await expect(slow).resolves.toBeDefined();
      await expect(sql`SELECT 1`.execute(third.query)).rejects.toThrow();
    });
  });
}
