import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FreshDatabase, freshDatabase, temporaryFolder } from '../../../test/support/postgres.ts';
import { copyRowsIn, copyRowsOut } from './rows.ts';

let fresh: FreshDatabase;
const folder = temporaryFolder();
beforeAll(async () => {
  fresh = await freshDatabase();
});
afterAll(async () => {
  await fresh?.close();
  rmSync(folder, { recursive: true, force: true });
});

test('rows are as they were, however many come at once', async () => {
  const { db, connection } = fresh;
  await sql`CREATE TABLE zz_rows (id integer NOT NULL, text text NOT NULL)`.execute(db.query);
  await sql`INSERT INTO zz_rows SELECT at, repeat('행' || at || E'\\t\\n', 20 + (at * 7919) % 400) FROM generate_series(1, 6000) AS at`.execute(
    db.query,
  );
  const digest = async () =>
    (
      await sql<{ all: string }>`SELECT md5(string_agg(id || text, '' ORDER BY id)) AS all FROM zz_rows`.execute(
        db.query,
      )
    ).rows;
  const before = await digest();
  const copy = join(folder, 'rows');
  mkdirSync(copy);
  await copyRowsOut(connection, copy, { lock: 7, meanwhile: () => Promise.resolve() });
  await sql`TRUNCATE zz_rows`.execute(db.query);
  await copyRowsIn(connection, copy);
  expect(await digest()).toEqual(before);
  // A copy that is damaged changes nothing.
  writeFileSync(join(copy, 'zz_rows.copy'), 'one\ttwo\n');
  await expect(copyRowsIn(connection, copy)).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringMatching(/damaged.*zz_rows/) as unknown,
  });
  rmSync(join(copy, 'zz_rows.copy'));
  await expect(copyRowsIn(connection, copy)).rejects.toMatchObject({ code: 'invalid_request' });
  expect(await digest()).toEqual(before);
});

test('a database that has no room says so, and calls no copy damaged', async () => {
  const { db, connection } = fresh;
  await sql`CREATE TABLE zz_full (id integer NOT NULL)`.execute(db.query);
  await sql`INSERT INTO zz_full VALUES (1)`.execute(db.query);
  const copy = join(folder, 'full');
  mkdirSync(copy);
  await copyRowsOut(connection, copy, { lock: 7, meanwhile: () => Promise.resolve() });
  await sql`CREATE FUNCTION zz_full() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'no room' USING ERRCODE = '53100'; END $$`.execute(db.query);
  await sql`CREATE TRIGGER zz_full BEFORE INSERT ON zz_full FOR EACH ROW EXECUTE FUNCTION zz_full()`.execute(db.query);
  await sql`ALTER TABLE zz_full ENABLE ALWAYS TRIGGER zz_full`.execute(db.query);
  await expect(copyRowsIn(connection, copy)).rejects.toMatchObject({ code: '53100', message: 'no room' });
  await sql`DROP TABLE zz_full`.execute(db.query);
});

test('rows of any length are copied out and in again', async () => {
  const { db, connection } = fresh;
  // More than a file takes at once, up to the end of the table: what follows comes with the last of it.
  const sizes = Array.from({ length: 8 }, (_, at) => 20_000 + at * 15_838);
  for (const [at, size] of sizes.entries()) {
    const table = sql.table(`zz_${String(at).padStart(2, '0')}`);
    await sql`CREATE TABLE ${table} (id bigint GENERATED ALWAYS AS IDENTITY, text text NOT NULL)`.execute(db.query);
    await sql`INSERT INTO ${table} (text) SELECT repeat('가\t', ${size}) FROM generate_series(1, 3)`.execute(db.query);
  }
  const copy = join(folder, 'copy');
  mkdirSync(copy);
  let begun = 0;
  await copyRowsOut(connection, copy, { lock: 7, meanwhile: () => Promise.resolve(void (begun += 1)) });
  expect(begun).toBe(1);
  expect(readFileSync(join(copy, 'zz_00.copy'), 'utf8').split('\n')).toHaveLength(4);
  for (const at of sizes.keys())
    await sql`TRUNCATE ${sql.table(`zz_${String(at).padStart(2, '0')}`)}`.execute(db.query);
  await copyRowsIn(connection, copy);
  for (const [at, size] of sizes.entries()) {
    const { rows } = await sql<{ all: string; most: number }>`
      SELECT count(*) AS all, max(length(text)) AS most FROM ${sql.table(`zz_${String(at).padStart(2, '0')}`)}`.execute(
      db.query,
    );
    expect(rows).toEqual([{ all: 3, most: size * 2 }]);
  }
});
