import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Query } from '../../src/jobs/job-table.ts';
import { createTenantPlaces } from '../../src/jobs/tenant-turns.ts';
import { hexId } from '../../src/kernel/ids.ts';
import type { TenantId } from '../../src/kernel/context.ts';
import { type FreshDatabase, freshDatabase } from '../support/postgres.ts';

interface ClaimedJob {
  readonly claim: string;
  readonly attempts: number;
  readonly tenant_id: TenantId;
}

/** What all queues have in common, whatever their columns. */
interface Queue<J extends ClaimedJob> {
  readonly maxAttempts: number;
  claim(query: Query, max: number, options?: { readonly except: readonly TenantId[] }): Promise<readonly J[]>;
  update(query: Query, job: J): Promise<boolean>;
  heartbeat(query: Query, jobs: readonly J[]): Promise<ReadonlyMap<string, unknown>>;
  lock(tx: Query, job: J): Promise<boolean>;
  release(query: Query, job: J, options: { readonly countsAttempt: boolean }): Promise<boolean>;
  takeUpAbandoned(query: Query): Promise<number>;
  takeUpAll(query: Query): Promise<number>;
  isExhausted(job: J): boolean;
}

export interface QueueUnderTest<J extends ClaimedJob> {
  readonly jobs: Queue<J>;
  readonly table: string;
  readonly idOf: (job: J) => string;
  /** How tenants take turns: by jobs that are claimed together, or by jobs that are under way. */
  readonly turns: 'within a claim' | 'between claims';
  /** Adds what jobs of a tenant refer to. What it returns adds a job that waits, and resolves with its id. */
  prepare(query: Query, tenantId: TenantId): Promise<() => Promise<string>>;
  /** Has jobs wait no longer, where those whose process ended often do. */
  readonly makeDue?: (query: Query) => Promise<unknown>;
  /** The job is done. */
  end(query: Query, job: J): Promise<unknown>;
}

/** What each queue does that is a table of jobs. */
export function jobTableConformance<J extends ClaimedJob>(
  { jobs, table, idOf, turns, prepare, makeDue, end }: QueueUnderTest<J>,
  leaseSeconds: number,
): void {
  describe(`jobs of ${table}`, () => {
    let database: FreshDatabase;
    let query: Query;
    const tenants = [hexId(), hexId()] as TenantId[];
    let add: () => Promise<string>;
    let addOther: () => Promise<string>;

    beforeAll(async () => {
      database = await freshDatabase();
      ({ query } = database.db);
      await query
        .insertInto('tenants')
        .values(tenants.map((id) => ({ id, name: id })))
        .execute();
      const [first, second] = await Promise.all(tenants.map((tenantId) => prepare(query, tenantId)));
      if (first === undefined || second === undefined) throw new Error('there are two tenants');
      [add, addOther] = [first, second];
    });
    afterAll(() => database.close());
    afterEach(() => sql`DELETE FROM ${sql.table(table)}`.execute(query));

    async function addMany(count: number): Promise<string[]> {
      const ids: string[] = [];
      while (ids.length < count) ids.push(await add());
      return ids;
    }
    async function claimOne(): Promise<J> {
      const [job, ...more] = await jobs.claim(query, 1);
      if (job === undefined || more.length > 0) throw new Error('not one job was claimed');
      return job;
    }
    /** As if the processes that have jobs had last been heard of so long ago. */
    const age = (seconds: number) =>
      sql`UPDATE ${sql.table(table)} SET seen_at = clock_timestamp() - ${seconds} * interval '1 second'`.execute(query);
    /** Its process is killed, and its lease runs out. */
    async function abandon(): Promise<void> {
      await age(leaseSeconds + 1);
      expect(await jobs.takeUpAbandoned(query)).toBe(1);
    }
    const ids = (claimed: readonly J[]) => claimed.map(idOf);

    it('gives each job to one of many that claim at once, under a claim of its own', async () => {
      const added = await addMany(12);
      const claimed: J[] = [];
      while (claimed.length < added.length) {
        const found = await Promise.all(Array.from({ length: 6 }, () => jobs.claim(query, 3)));
        claimed.push(...found.flat());
      }
      expect(ids(claimed).toSorted()).toEqual(added.toSorted());
      expect(new Set(claimed.map(({ claim }) => claim)).size).toBe(added.length);
      expect(claimed.every(({ attempts }) => attempts === 1)).toBe(true);
      expect(await jobs.claim(query, 3)).toEqual([]);
    });

    it('gives the jobs of a tenant in the order in which they came', async () => {
      const added = await addMany(3);
      expect(ids([await claimOne(), await claimOne(), await claimOne()])).toEqual(added);
    });

    it('leaves a job alone while the lease of another process lasts', async () => {
      await addMany(1);
      await claimOne();
      await age(leaseSeconds - 2);
      expect(await jobs.takeUpAbandoned(query)).toBe(0);
      expect(await jobs.claim(query, 1)).toEqual([]);
    });

    it('gives a job again whose lease ran out, and counts both attempts', async () => {
      await addMany(1);
      const first = await claimOne();
      await abandon();
      const second = await claimOne();
      expect(idOf(second)).toBe(idOf(first));
      expect(second.claim).not.toBe(first.claim);
      expect([first.attempts, second.attempts]).toEqual([1, 2]);
    });

    it('keeps the lease of a job that is changed, and of those that have a heartbeat', async () => {
      await addMany(3);
      const [changed, beating, silent] = [await claimOne(), await claimOne(), await claimOne()];
      await age(leaseSeconds + 1);
      expect(await jobs.update(query, changed)).toBe(true);
      const ours = await jobs.heartbeat(query, [beating, { ...silent, claim: 'of another' }]);
      expect([...ours.keys()]).toEqual([beating.claim]);
      expect(await jobs.takeUpAbandoned(query)).toBe(1);
      expect(ids([await claimOne()])).toEqual([idOf(silent)]);
    });

    it('lets a process that lost a job change nothing', async () => {
      await addMany(1);
      const lost = await claimOne();
      await abandon();
      const read = async () => (await sql`SELECT * FROM ${sql.table(table)}`.execute(query)).rows;
      const tries = async () => [
        await jobs.update(query, lost),
        await jobs.release(query, lost, { countsAttempt: true }),
        await database.db.transaction((tx) => jobs.lock(tx, lost)),
        (await jobs.heartbeat(query, [lost])).size > 0,
      ];
      const waiting = await read();
      expect(await tries()).toEqual([false, false, false, false]);
      expect(await read()).toEqual(waiting);
      const job = await claimOne();
      const claimed = await read();
      expect(await tries()).toEqual([false, false, false, false]);
      expect(await read()).toEqual(claimed);
      expect(await jobs.update(query, job)).toBe(true);
    });

    it('has a job that is released wait again, whether or not the attempt counts', async () => {
      await addMany(1);
      expect(await jobs.release(query, await claimOne(), { countsAttempt: false })).toBe(true);
      const again = await claimOne();
      expect(again.attempts).toBe(1);
      expect(await jobs.release(query, again, { countsAttempt: true })).toBe(true);
      expect((await claimOne()).attempts).toBe(2);
    });

    it('says of a job that was begun too often that it is', async () => {
      await addMany(1);
      for (let attempt = 1; attempt <= jobs.maxAttempts; attempt++) {
        expect(jobs.isExhausted(await claimOne())).toBe(false);
        await abandon();
        await makeDue?.(query);
      }
      expect(jobs.isExhausted(await claimOne())).toBe(true);
    });

    it('locks a job for its process until the transaction ends', async () => {
      await addMany(1);
      const job = await claimOne();
      const others = () => sql`SELECT FROM ${sql.table(table)} FOR UPDATE SKIP LOCKED`.execute(query);
      await database.db.transaction(async (tx) => {
        expect(await jobs.lock(tx, job)).toBe(true);
        expect((await others()).rows).toHaveLength(0);
      });
      expect((await others()).rows).toHaveLength(1);
    });

    it('takes up all jobs of a database that belongs to one service, whatever their leases', async () => {
      await addMany(2);
      const claimed = [await claimOne(), await claimOne()];
      expect(await jobs.takeUpAll(query)).toBe(2);
      expect(ids(await jobs.claim(query, 2)).toSorted()).toEqual(ids(claimed).toSorted());
    });

    it('gives nobody a job that is done', async () => {
      await addMany(1);
      await end(query, await claimOne());
      await age(leaseSeconds + 1);
      expect([await jobs.takeUpAbandoned(query), await jobs.takeUpAll(query)]).toEqual([0, 0]);
      expect(await jobs.claim(query, 1)).toEqual([]);
    });

    it(`lets tenants take turns: ${turns}`, async () => {
      await addMany(3);
      await addOther();
      const pair = turns === 'within a claim' ? await jobs.claim(query, 2) : [await claimOne(), await claimOne()];
      const served = new Set(pair.map(({ tenant_id: id }) => id));
      expect(served).toEqual(new Set(tenants));
    });

    it('gives the one job of a tenant to a process in which another has as many under way as it may', async () => {
      const places = createTenantPlaces(2);
      const running: J[] = [];
      const claimAll = async () => {
        while (running.length < places.concurrency) {
          const except = places.full(running.map(({ tenant_id: tenant }) => tenant));
          const [job] = await jobs.claim(query, 1, { except });
          if (job === undefined) return;
          running.push(job);
        }
      };
      await addMany(50);
      await claimAll();
      expect(running).toHaveLength(2);
      const other = await addOther();
      await claimAll();
      expect(running.map(idOf)).toContain(other);
      // The first tenant goes on once it has room again.
      await end(query, running.shift()!);
      await claimAll();
      expect(running).toHaveLength(3);
      expect(new Set(running.map(({ tenant_id: tenant }) => tenant))).toEqual(new Set(tenants));
    });
  });
}
