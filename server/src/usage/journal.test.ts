import fc from 'fast-check';
import { sql } from 'kysely';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { freshDatabase, silent, type FreshDatabase } from '../../test/support/postgres.ts';
import { lockFile } from '../adapters/embedded/file-lock.ts';
import type { TenantId } from '../kernel/context.ts';
import type { Database } from '../ports/database.ts';
import type { FileLock } from '../ports/file-lock.ts';
import { createCallEncoder, decodeJournal, encodeKey } from './journal-records.ts';
import { createMeter, type UsageRow } from './index.ts';
import { createSegments } from './segment.ts';
import { OpenSlices } from './slices.ts';
import { toStored } from './usage-store.ts';

const row = (more: Partial<UsageRow> = {}): UsageRow => ({
  at: Date.UTC(2026, 0, 2, 3, 4, 5, 678),
  tenantId: 't1' as TenantId,
  keyId: 'k1',
  userId: null,
  endpoint: 'chat',
  model: 'CORE-GOV',
  engine: 'e',
  status: 200,
  outcome: 'ok',
  stream: true,
  promptTokens: 10,
  completionTokens: 20,
  reasoningTokens: null,
  firstTokenMs: 12.5,
  latencyMs: 100.25,
  ...more,
});

const anyRow: fc.Arbitrary<UsageRow> = fc
  .record({
    at: fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2026, 0, 1, 2) }),
    keyId: fc.constantFrom('k1', null, '열쇠 "\n'),
    userId: fc.constantFrom(null, 'ada'),
    model: fc.constantFrom('A', '모델', ''),
    engine: fc.constantFrom(null, 'e/0'),
    status: fc.constantFrom(200, 503),
    stream: fc.boolean(),
    promptTokens: fc.nat(),
    reasoningTokens: fc.option(fc.nat()),
    firstTokenMs: fc.option(fc.double({ min: 0, max: 1e6, noNaN: true })),
    latencyMs: fc.double({ min: 0, max: 1e6, noNaN: true }),
    more: fc.constantFrom({}, { pages: 3 }, { characters: 7, audioOutMs: 12.5 }, { audioInMs: 1234.4 }),
  })
  .map(({ more, at, ...fields }) => row({ ...fields, ...more, at: at % 2 === 0 ? at : new Date(at) }));

/** The slices of calls in memory, and the bytes of their journal. */
function journalOf(rows: readonly UsageRow[]): { readonly slices: OpenSlices; readonly bytes: Buffer } {
  const slices = new OpenSlices();
  const encode = createCallEncoder();
  const parts = rows.flatMap((one) => {
    const slice = slices.add(one);
    const call = Buffer.from(encode(slice, one));
    return slice.calls === 1 ? [encodeKey(slice), call] : [call];
  });
  return { slices, bytes: Buffer.concat(parts) };
}

const storedOf = (slices: ReturnType<typeof decodeJournal>) => slices.map((slice) => toStored(slice, 'w', 5));

describe('the records of a journal', () => {
  test('give the very slices that were in memory', () => {
    fc.assert(
      fc.property(fc.array(anyRow, { maxLength: 60 }), (rows) => {
        const { slices, bytes } = journalOf(rows);
        expect(storedOf(decodeJournal(bytes))).toEqual(storedOf([...slices.all]));
      }),
    );
  });

  test('that are cut off anywhere give the calls that are there in full', () => {
    fc.assert(
      fc.property(
        fc.array(anyRow, { minLength: 1, maxLength: 20 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (rows, part) => {
          const { bytes } = journalOf(rows);
          const cut = bytes.subarray(0, Math.floor(bytes.length * part));
          // Those whose records end before the cut.
          const whole = rows.findLastIndex((_row, i) => journalOf(rows.slice(0, i + 1)).bytes.length <= cut.length) + 1;
          const wanted = storedOf([...journalOf(rows.slice(0, whole)).slices.all]);
          expect(storedOf(decodeJournal(cut))).toEqual(wanted);
          // Space that was made for it before a power cut.
          expect(storedOf(decodeJournal(Buffer.concat([cut.subarray(0, cut.length & ~7), Buffer.alloc(800)])))).toEqual(
            wanted,
          );
        },
      ),
    );
  });

  test('that are none give nothing', () => {
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.from('no journal of usage'.repeat(30)),
      journalOf([row()]).bytes.subarray(8),
    ])
      expect(decodeJournal(bytes)).toEqual([]);
  });
});

describe('a disk that is full', () => {
  test('keeps no call from being counted, and is told of once until it takes calls again', () => {
    const said: string[] = [];
    const say = (_fields: object, words: string) => void said.push(words);
    const log = { ...silent, info: say, error: say };
    /** Calls that the file of each segment takes; none can be begun where it is null. */
    const rooms = [9, 1, null, 0, 9];
    const begin = (first: number) => {
      const room = rooms.shift() ?? null;
      if (room === null) throw new Error('ENOSPC');
      let taken = 0;
      const add = () => {
        if (taken++ === room) throw new Error('ENOSPC');
      };
      return { path: String(first), bytes: 0, add, flush: () => undefined, close: () => undefined };
    };
    const beginSegment = createSegments({ journal: { begin }, log, writer: 'w' });
    const sealed = Array.from({ length: 5 }, () => {
      const segment = beginSegment();
      for (const engine of ['a', 'b', 'b']) segment.add(row({ engine }));
      return segment.seal();
    });
    const numbers = sealed.map(({ rows }) => rows?.map(({ number, calls }) => [number, calls]));
    expect(numbers).toEqual(
      [0, 2, 4, 6, 8].map((first) => [
        [first, 1],
        [first + 1, 2],
      ]),
    );
    expect(sealed.map(({ path, isWhole }) => [path, isWhole])).toEqual([
      ['0', true],
      ['2', false],
      [null, false],
      ['6', false],
      ['8', true],
    ]);
    expect(said).toEqual([expect.stringContaining('memory alone'), expect.stringContaining('again')]);
  });
});

describe('calls of a process that was killed', () => {
  let fresh: FreshDatabase;
  let folder: string;
  beforeAll(async () => {
    fresh = await freshDatabase();
  });
  afterAll(() => fresh.close());
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'studio-test-'));
    await sql`TRUNCATE usage_slices`.execute(fresh.db.query);
    return () => rmSync(folder, { recursive: true });
  });

  /** A process: `kill` drops its locks, as the kernel does, and nothing more is heard of it. */
  function open(db: Database = fresh.db) {
    const locks: FileLock[] = [];
    const taking = (path: string) => {
      const lock = lockFile(path);
      if (lock !== null) locks.push(lock);
      return lock;
    };
    const meter = createMeter({ db, log: silent, folder, lockFile: taking, intervalMs: 3_600_000 });
    return { ...meter, kill: () => locks.forEach((lock) => lock.release()) };
  }
  const files = () =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => !/^\d+(?:\/lock.*)?$/.test(name));
  const counted = async () => {
    const { rows } = await sql<{ n: number }>`SELECT coalesce(sum(calls), 0)::int AS n FROM usage_slices`.execute(
      fresh.db.query,
    );
    return rows[0]?.n;
  };

  /** Calls in the files. */
  const onDisk = () =>
    files()
      .flatMap((name) => decodeJournal(readFileSync(join(folder, name))))
      .reduce((sum, { calls }) => sum + calls, 0);

  test('are on the disk before their ends are told; those of one turn are written together', async () => {
    const { record, close } = open();
    const told: string[] = [];
    const tell = (name: string) => () => void told.push(`${name} ${onDisk()}`);
    record(row(), tell('a'));
    record(row(), () => {
      throw new Error('the client is gone');
    });
    record(row(), tell('b'));
    expect([told, onDisk()]).toEqual([[], 0]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(told).toEqual(['a 3', 'b 3']);
    record(row(), tell('c'));
    // Nobody waits for this one: it is on the disk at once, with the one before it.
    record(row());
    expect([told.length, onDisk()]).toEqual([2, 5]);
    for (let i = 0; i < 1_000; i++) record(row({ keyId: `k${i % 7}` }), () => undefined);
    record(row(), tell('d'));
    const closed = close();
    expect(told.slice(2)).toEqual(['c 1006', 'd 1006']);
    await closed;
    expect([await counted(), onDisk()]).toEqual([1_006, 0]);
  });

  test('are counted by the next one, once', async () => {
    const first = open();
    await first.flush();
    for (let i = 0; i < 20; i++) first.record(row({ keyId: `k${i % 3}` }));
    expect(files()).toHaveLength(1);
    first.kill();
    const next = open();
    await next.flush();
    expect(await counted()).toBe(20);
    expect(files()).toEqual([]);
    next.record(row());
    await next.close();
    expect(await counted()).toBe(21);
  });

  test('and of one that lives on beside it are not taken from that one', async () => {
    const [first, second] = [open(), open()];
    first.record(row());
    second.record(row());
    first.kill();
    const next = open();
    await next.flush();
    expect(await counted()).toBe(1);
    second.record(row());
    await second.close();
    expect(await counted()).toBe(3);
    expect(files()).toEqual([]);
    await next.close();
  });

  test('count once though the database had them already, when the file was still there', async () => {
    const first = open();
    for (let i = 0; i < 20; i++) first.record(row({ keyId: `k${i % 3}` }));
    const [name = ''] = files();
    const bytes = readFileSync(join(folder, name));
    await first.flush();
    first.kill();
    writeFileSync(join(folder, name), bytes);
    const next = open();
    await next.close();
    expect(await counted()).toBe(20);
    expect(files()).toEqual([]);
  });

  test('count but for the one whose record is cut off', async () => {
    const first = open();
    for (let i = 0; i < 3; i++) first.record(row());
    const [name = ''] = files();
    appendFileSync(join(folder, name), Buffer.alloc(40, 1));
    first.kill();
    await open().close();
    expect(await counted()).toBe(3);
  });

  test('wait on the disk while the database is away, and those of an earlier version too', async () => {
    const first = open();
    first.record(row());
    first.kill();
    const { slices } = journalOf([row(), row()]);
    const rows = slices.all.map((slice) => `${JSON.stringify(toStored(slice, 'earlier', 0))}\n`).join('');
    writeFileSync(join(folder, 'usage-earlier-0.jsonl'), rows);
    await sql`ALTER TABLE usage_slices RENAME TO usage_away`.execute(fresh.db.query);
    const next = open();
    next.record(row());
    await next.flush();
    expect(files()).toHaveLength(3);
    await sql`ALTER TABLE usage_away RENAME TO usage_slices`.execute(fresh.db.query);
    await next.close();
    expect(await counted()).toBe(4);
    expect(files()).toEqual([]);
  });

  test('are held up by no file of an earlier version that nobody can read, which stays for inspection', async () => {
    writeFileSync(join(folder, 'usage-0.jsonl'), 'no usage');
    const first = open();
    first.record(row());
    first.kill();
    await open().close();
    expect(await counted()).toBe(1);
    expect(files()).toEqual(['usage-0.jsonl.unreadable']);
  });

  test('lie in files that others cannot read', () => {
    open().record(row());
    expect(files().map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([0o600]);
  });
});
