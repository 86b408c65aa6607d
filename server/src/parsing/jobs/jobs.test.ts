import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DocumentContent, DocumentParseFields } from '@ai-studio/contract/utilities/document.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type Document,
  type PackedDocument,
  packDocument,
  ParseError,
  standardLimits,
  createParsePool,
  type Renderer,
  createRenderer,
  type ParseJob,
  type DocumentParser,
  type WorkerRun,
  unlimitedWork,
} from '@ai-studio/documents';
import { killReaders, readingEndlessly } from '@ai-studio/documents/test/processes.ts';
import { covers } from '../../../test/requirements.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { type FreshDatabase, freshDatabase, silent } from '../../../test/support/postgres.ts';
import { createFolderBlobStore } from '../../adapters/embedded/folder-blob-store.ts';
import { createPostgresBus } from '../../adapters/postgres/index.ts';
import { removeExpiredRows } from '../../jobs/expired-rows.ts';
import type { TenantId } from '../../kernel/context.ts';
import { StudioError } from '../../kernel/errors.ts';
import { hexId } from '../../kernel/ids.ts';
import type { BlobStore } from '../../ports/blob-store.ts';
import type { Bus } from '../../ports/bus.ts';
import { createMetering, type UsageRow } from '../../usage/index.ts';
import { parseFailures } from '../parse-failures.ts';
import { type ParseJobs, createParseJobs } from './jobs.ts';
import { blobKey, claimParse, finish, parseJobs, takeUpParses } from './record.ts';
import { expiringParses, startParseRetention } from './retention.ts';
import { REMOVED_CHANNEL, type Runner, type RunnerDeps, startRunner } from './runner.ts';

interface Reading {
  readonly tenant: string;
  readonly job: ParseJob;
  readonly run: WorkerRun;
  done(document: Document): void;
  fails(error: Error): void;
}

const page: Document = {
  format: 'pdf',
  meta: {},
  pages: [{ number: 1 }, { number: 2 }],
  blocks: [{ type: 'heading', level: 1, page: 1, spans: [{ text: '제목' }] }],
  warnings: [],
};

/** A pool whose documents the test reads. */
function scriptedPool() {
  const open: Reading[] = [];
  const names: (string | null)[] = [];
  let most = 0;
  const pool: DocumentParser = {
    parse(tenant, job, run) {
      names.push(job.name);
      return new Promise<PackedDocument>((resolve, reject) => {
        const end = () => void open.splice(open.indexOf(reading), 1);
        const reading: Reading = {
          tenant,
          job,
          run,
          done: (document) => (end(), resolve(packDocument(document))),
          fails: (error) => (end(), reject(error)),
        };
        run.signal.addEventListener('abort', () => reading.fails(run.signal.reason as Error), { once: true });
        open.push(reading);
        most = Math.max(most, open.length);
      });
    },
  };
  return {
    pool,
    open,
    names,
    get most() {
      return most;
    },
    doneAll() {
      while (open.length > 0) open[0]?.done(page);
    },
    /** The document that is being read, once there is one. */
    next: () =>
      eventually(() => {
        const [reading] = open;
        if (reading === undefined) throw new Error('nothing is being read');
        return reading;
      }),
  };
}

const fields = (given: object = {}) => DocumentParseFields.parse(given);

let database: FreshDatabase;
let bus: Bus;
let folder: string;
let blobs: BlobStore;
let renderer: Renderer;
let jobs: ParseJobs;
let script: ReturnType<typeof scriptedPool>;
let runners: Runner[];
let counted: UsageRow[];
const [one, other] = [hexId() as TenantId, hexId() as TenantId];

beforeAll(async () => {
  database = await freshDatabase();
  bus = createPostgresBus(database.db);
  renderer = createRenderer({ size: 1, heapMb: 64, timeoutMs: 90_000, failures: parseFailures });
  const tenants = [one, other].map((id) => ({ id, name: id }));
  await database.db.query.insertInto('tenants').values(tenants).execute();
});
afterAll(async () => {
  await renderer.close();
  await bus.close();
  await database.close();
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ai-studio-jobs-'));
  blobs = createFolderBlobStore(join(folder, 'blobs'));
  jobs = createParseJobs({ db: database.db, bus, blobs, renderer, log: silent });
  script = scriptedPool();
  runners = [];
  counted = [];
});
afterEach(async () => {
  await Promise.all(runners.map((runner) => runner.close()));
  await database.db.query.deleteFrom('document_parses').execute();
  rmSync(folder, { recursive: true, force: true });
});

async function read(more: Partial<RunnerDeps> = {}): Promise<Runner> {
  const { db } = database;
  const metering = createMetering({ record: () => undefined });
  metering.onRow((row) => void counted.push(row));
  const common = {
    metering,
    size: 1,
    limits: standardLimits,
    timeoutMs: 90_000,
    work: unlimitedWork,
    keepHours: 24,
    pollMs: 100,
    log: silent,
  };
  const runner = await startRunner({ db, bus, blobs, pool: script.pool, folder, ...common, ...more });
  runners.push(runner);
  return runner;
}

async function accept(name = 'a.pdf', tenantId = one, given: object = {}): Promise<string> {
  const path = join(folder, 'given');
  writeFileSync(path, name);
  const { document_id } = await jobs.accept(
    { tenantId, keyId: 'k', userId: null },
    { path, name, bytes: 5 },
    fields(given),
  );
  return document_id;
}

const noUsage = () => Promise.resolve();

const rowOf = (id: string) =>
  database.db.query.selectFrom('document_parses').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

async function content(id: string, tenantId = one, format?: 'json' | 'html' | 'markdown' | 'text') {
  const { json, pages } = await jobs.content(tenantId, id, { response_format: format });
  return { result: DocumentContent.parse(JSON.parse(Buffer.from(json).toString('utf8'))), pages };
}

const until = (id: string, status: DocumentContent['status']) =>
  eventually(async () => {
    const found = await content(id);
    expect(found.result.status).toBe(status);
    return found;
  });

/** As if the process that reads it had gone long ago. */
const orphan = (id: string) =>
  database.db.query
    .updateTable('document_parses')
    .set({ seen_at: new Date(Date.now() - 3_600_000) })
    .where('id', '=', id)
    .execute();

describe('a document in the background', () => {
  test('is read, told of by page, and given in every format', async () => {
    const id = await accept('보고.pdf', one, { response_format: 'markdown', pages: '1,3-4' });
    expect((await content(id)).result).toMatchObject({
      status: 'RUNNING_INFERENCE',
      progress: { done: 0, total: null },
    });
    await read();
    const reading = await script.next();
    expect(reading.job).toMatchObject({ name: '보고.pdf', pages: [1, 3, 4] });
    reading.run.onPage(1, 2);
    await eventually(async () => expect((await content(id)).result).toMatchObject({ progress: { done: 1, total: 2 } }));
    reading.done(page);
    const { result, pages } = await until(id, 'SUCCESS');
    expect(pages).toBe(2);
    expect(result).toMatchObject({ document_id: id, document_name: '보고.pdf', format: 'pdf', contents: '# 제목' });
    expect((await content(id, one, 'text')).result).toMatchObject({ contents: '제목' });
    expect((await content(id, one, 'json')).result).toMatchObject({
      prediction: { all_pages: [{ page: 1, classes: [{ class: 'Heading' }] }, { page: 2 }] },
    });
    // Nothing is left where files lie while they are read.
    expect(readdirSync(folder).filter((name) => name.startsWith('job-'))).toEqual([]);
  });

  test('is counted by its pages, for the key that gave it; a failure and a document that nobody wants any more too', async () => {
    await read();
    const first = await accept();
    (await script.next()).done(page);
    await until(first, 'SUCCESS');
    const second = await accept();
    (await script.next()).fails(new ParseError('ENCRYPTED', 'It has a password.'));
    await until(second, 'FAILED');
    const common = { tenantId: one, keyId: 'k', userId: null, endpoint: 'document/parse', model: 'studio-parser' };
    await eventually(() =>
      expect(counted).toMatchObject([
        { ...common, status: 200, outcome: 'ok', pages: 2 },
        { ...common, status: 422, outcome: 'error', pages: 0 },
      ]),
    );
  });

  test('has its usage in the database once its outcome can be read, once whatever happens', async () => {
    await read();
    const id = await accept();
    (await script.next()).done(page);
    await until(id, 'SUCCESS');
    const stored = () =>
      database.db.query
        .selectFrom('usage_slices')
        .selectAll()
        .where('writer', '=', id)
        .where('tenant_id', '=', one)
        .execute();
    expect(await stored()).toMatchObject([
      { calls: 1, pages: 2, status: 200, key_id: 'k', endpoint: 'document/parse' },
    ]);
    const use = createMetering({ record: () => undefined }).prepare(
      { actor: { tenantId: one, keyId: 'k', userId: null }, endpoint: 'document/parse', startedMs: 1 },
      { model: 'studio-parser', engine: null, pages: 2 },
    );
    await use.store(database.db.query, id);
    expect(await stored()).toHaveLength(1);
  });

  test('is not done where its usage cannot be stored', async () => {
    const id = await accept();
    const claimed = await claimParse(database.db);
    if (claimed === null) throw new Error('nothing waits');
    const outcome = { result: Buffer.from('x'), pages: 1, format: 'pdf', keepHours: 1 };
    await expect(finish(database.db, claimed, outcome, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await rowOf(id)).toMatchObject({ state: 'running', result: null });
  });

  test('that cannot be read has failed, with the reason', async () => {
    await read();
    const id = await accept();
    (await script.next()).fails(new ParseError('ENCRYPTED', 'It has a password.'));
    const { result, pages } = await until(id, 'FAILED');
    expect(pages).toBeNull();
    expect(result).toMatchObject({ reason: { code: 'ENCRYPTED', message: 'It has a password.' } });
    expect(await rowOf(id)).toMatchObject({ attempts: 1 });
  });

  test('is nobody else’s', async () => {
    covers('document.content.missing');
    const id = await accept();
    for (const [tenant, asked] of [
      [other, id],
      [one, hexId()],
      [one, 'x'],
      [one, `${id}\0`],
    ] as const)
      await expect(content(asked, tenant)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('is refused before it is kept', async () => {
    await expect(accept('a', one, { pages: '3-1' })).rejects.toMatchObject({ param: 'pages' });
    jobs = createParseJobs({ db: database.db, bus, blobs, renderer, log: silent, mostOpen: 2 });
    await accept();
    await accept();
    await expect(accept()).rejects.toMatchObject({ code: 'rate_limited' });
    await accept('b', other);
  });

  test('whose file could not be kept is not there, and goes', async () => {
    const full: BlobStore = { ...blobs, putFile: () => Promise.reject(new StudioError('unavailable', 'full')) };
    jobs = createParseJobs({ db: database.db, bus, blobs: full, renderer, log: silent });
    await expect(accept()).rejects.toMatchObject({ code: 'unavailable' });
    const { id, state } = await database.db.query.selectFrom('document_parses').selectAll().executeTakeFirstOrThrow();
    expect(state).toBe('arriving');
    await expect(content(id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await claimParse(database.db)).toBeNull();
  });

  test('is removed with its file when its time is over', async () => {
    covers('document.content.expiry');
    await read();
    const [id, kept, waiting] = [await accept('a'), await accept('b'), await accept('c')];
    for (const which of [id, kept]) {
      (await script.next()).done(page);
      await until(which, 'SUCCESS');
    }
    await database.db.query
      .updateTable('document_parses')
      .set({ expires_at: new Date(Date.now() - 1_000) })
      .where('id', '=', id)
      .execute();
    await expect(content(id)).rejects.toMatchObject({ code: 'not_found' });
    const file = join(folder, 'blobs', blobKey({ id, tenantId: one }));
    expect(existsSync(file)).toBe(true);
    await startParseRetention({ db: database.db, blobs, log: silent })();
    expect(existsSync(file)).toBe(false);
    expect(existsSync(join(folder, 'blobs', blobKey({ id: kept, tenantId: one })))).toBe(true);
    expect(await removeExpiredRows({ db: database.db, blobs }, expiringParses)).toBe(0);
    const left = await database.db.query.selectFrom('document_parses').select('id').execute();
    expect(left.map((row) => row.id).toSorted()).toEqual([kept, waiting].toSorted());
  });
});

describe('a document that nobody wants any more', () => {
  test('is read no further, counted as canceled, and holds up no other', async () => {
    await read({ pollMs: 600_000 });
    const [id, next] = [await accept('a'), await accept('b')];
    const reading = await script.next();
    await database.db.query.deleteFrom('document_parses').where('id', '=', id).execute();
    await bus.publish(REMOVED_CHANNEL, id);
    await eventually(() => expect(reading.run.signal.aborted).toBe(true));
    await eventually(() => expect(script.names).toEqual(['a', 'b']));
    (await script.next()).done(page);
    await until(next, 'SUCCESS');
    await eventually(() => expect(counted.map(({ outcome }) => outcome)).toEqual(['canceled', 'ok']));
  });

  test('others are not disturbed', async () => {
    await read();
    const id = await accept();
    const reading = await script.next();
    await bus.publish(REMOVED_CHANNEL, hexId());
    await bus.publish(REMOVED_CHANNEL, { no: 'id' });
    reading.run.onPage(1, 2);
    await eventually(async () => expect((await content(id)).result).toMatchObject({ progress: { done: 1 } }));
    expect(reading.run.signal.aborted).toBe(false);
  });
});

describe('turns', () => {
  test('tenants have them, however many documents one has', async () => {
    covers('document.async.fair');
    for (const name of ['a1', 'a2', 'a3']) await accept(name);
    for (const name of ['b1', 'b2']) await accept(name, other);
    await read();
    // Neither has the place that is there beside one for each.
    for (let read = 1; read <= 5; read++) {
      await eventually(() => expect(script.names).toHaveLength(Math.min(5, read + 1)));
      (await script.next()).done(page);
    }
    expect(script.names).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
  });

  test('no process reads more than it may, and each document is read once', async () => {
    await Promise.all([read({ size: 2 }), read({ size: 2 })]);
    const ids = await Promise.all(Array.from({ length: 12 }, (_, at) => accept(`${at}`)));
    await eventually(async () => {
      script.doneAll();
      expect(script.names).toHaveLength(12);
    });
    script.doneAll();
    for (const id of ids) await until(id, 'SUCCESS');
    expect(new Set(script.names)).toEqual(new Set(ids.map((_, at) => `${at}`)));
    expect(script.most).toBeLessThanOrEqual(4);
  });
});

describe('a process that ends', () => {
  test('gives back what it reads at once', async () => {
    covers('document.async.stop');
    const id = await accept();
    const runner = await read();
    await script.next();
    await runner.close();
    expect(await rowOf(id)).toMatchObject({ state: 'queued', attempts: 0, claim: null });
    expect((await content(id)).result).toMatchObject({ status: 'RUNNING_INFERENCE' });
    await read();
    (await script.next()).done(page);
    await until(id, 'SUCCESS');
  });

  test('without a word: another takes the document up, and what the first one still says is not heard', async () => {
    const id = await accept();
    const claimed = await claimParse(database.db);
    if (claimed === null) throw new Error('nothing was claimed');
    await read();
    expect(script.open).toEqual([]);
    await orphan(id);
    await script.next();
    await finish(database.db, claimed, { result: Buffer.from('x'), pages: 1, format: 'pdf', keepHours: 1 }, noUsage);
    expect(await rowOf(id)).toMatchObject({ state: 'running', attempts: 2 });
    (await script.next()).done(page);
    await until(id, 'SUCCESS');
  });

  test('again and again: the document has failed', async () => {
    const id = await accept();
    for (let attempt = 1; attempt <= parseJobs.maxAttempts; attempt++) {
      expect(await claimParse(database.db), String(attempt)).toMatchObject({ id });
      await orphan(id);
      if (attempt < parseJobs.maxAttempts)
        await database.db.query.updateTable('document_parses').set({ state: 'queued' }).where('id', '=', id).execute();
    }
    await read();
    expect((await until(id, 'FAILED')).result).toMatchObject({ reason: { code: 'INTERNAL' } });
    expect(script.names).toEqual([]);
  });

  test('only as others think: it stops reading what is no longer its own', async () => {
    const id = await accept();
    await read();
    const reading = await script.next();
    await database.db.query.updateTable('document_parses').set({ claim: 'x' }).where('id', '=', id).execute();
    await eventually(() => expect(reading.run.signal.aborted).toBe(true));
    expect(await rowOf(id)).toMatchObject({ state: 'running', claim: 'x' });
  });
});

describe('a document whose reading process is killed', () => {
  const killed = async (times: number, endless = false) => {
    const limits = { heapMb: 128, memoryBytes: 400 * 1024 * 1024, maxQueue: 5 };
    const pool = createParsePool({ ...limits, folder, size: 1, failures: parseFailures, log: silent, retryDelayMs: 0 });
    try {
      const id = await accept('a.txt');
      await read({ pool: endless ? readingEndlessly(pool, folder) : pool });
      await killReaders(folder, times);
      return await eventually(async () => {
        const row = await rowOf(id);
        expect(['done', 'failed']).toContain(row.state);
        return { row, ...(await content(id)).result };
      });
    } finally {
      await Promise.all(runners.map((runner) => runner.close()));
      await pool.close();
    }
  };

  test('is read all the same', async () => {
    expect(await killed(2)).toMatchObject({ status: 'SUCCESS', row: { attempts: 1 } });
  });

  test('three times has failed for that, and not as damaged', async () => {
    expect(await killed(3, true)).toMatchObject({
      status: 'FAILED',
      reason: { code: 'PROCESS_ENDED' },
      row: { attempts: 1 },
    });
    await eventually(() => expect(counted).toMatchObject([{ status: 503, outcome: 'error', pages: 0 }]));
  });
});

describe('a service that has its database to itself', () => {
  test('goes on at once with what an earlier start was reading', async () => {
    const id = await accept();
    expect(await claimParse(database.db)).toMatchObject({ id });
    // Its lease does not run out in this test.
    await database.db.query
      .updateTable('document_parses')
      .set({ seen_at: new Date(Date.now() + 3_600_000) })
      .execute();
    await takeUpParses(database.db);
    await read();
    (await script.next()).done(page);
    await until(id, 'SUCCESS');
  });
});

describe('trouble of the service', () => {
  test('is tried three times', async () => {
    await read();
    const id = await accept();
    for (let attempt = 1; attempt <= 3; attempt++) (await script.next()).fails(new Error('trouble'));
    expect((await until(id, 'FAILED')).result).toMatchObject({ reason: { code: 'INTERNAL' } });
    expect(script.names).toHaveLength(3);
  });

  test('too much to do is no trouble of the document', async () => {
    await read();
    const id = await accept();
    for (let attempt = 1; attempt <= 4; attempt++) (await script.next()).fails(new StudioError('unavailable', 'busy'));
    (await script.next()).done(page);
    await until(id, 'SUCCESS');
    expect(await rowOf(id)).toMatchObject({ attempts: 1 });
  });
});
