import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { inspect } from 'node:util';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { covers } from '../requirements.ts';
import { eventually } from '../support/eventually.ts';
import { times } from '../support/long.ts';
import { untilReady } from '../support/service.ts';
import { audit, summary } from './audit.ts';
import { type LoadedService, openLoadedService } from './loaded-service.ts';
import { pidsOf, processesOf, type Victim } from './processes.ts';
import { type Chance, createChance } from './seeded.ts';

// kill -9 of every process that a service is made of, at random moments, while everything is used; then all that was acknowledged is
// held against what is there. STUDIO_KILLS and STUDIO_KILL_SEED choose how many, and which.

const KILLS = Number(process.env['STUDIO_KILLS'] ?? times(5, 200));
const seed = process.env['STUDIO_KILL_SEED'] ?? randomBytes(4).toString('hex');
/** The first ones are one of each, so that a short run has all. */
const each: readonly Victim[] = ['parser', 'worker', 'database', 'model', 'service'];
const often: readonly Victim[] = ['service', 'service', 'worker', 'database', 'parser', 'model'];
/** Longest load between two kills. */
const LOAD_MS = 1_500;

/** Kills one process of the kind, and waits until the service answers again. Where none runs, the service itself goes. */
async function kill(house: LoadedService, wanted: Victim, chance: Chance): Promise<Victim> {
  const service = house.service();
  const found = pidsOf(wanted, service);
  const victim = found.length === 0 ? 'service' : wanted;
  if (victim === 'service') {
    await service.kill();
    await house.restart();
    return victim;
  }
  try {
    process.kill(chance.pick(found), 'SIGKILL');
  } catch (error) {
    // It has ended by itself meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
  // A worker that ends is replaced within a second: a kill of the service in between finds it at its start, as one may.
  await untilReady(service);
  return victim;
}

/** What each loop of the load has done so far. */
const progress = ({ ledger: { calls, documents, parses, responses, runs, turns } }: LoadedService) => {
  const models = [...calls.values()].reduce((sum, { answered }) => sum + answered, 0);
  return {
    models,
    documents: documents.size,
    parses: parses.size,
    responses: responses.size,
    runs: runs.size,
    turns: turns.size,
  };
};

/** Where work may wait that stands still: open runs, parses and answers, and what the database is at. */
async function openWork(house: LoadedService): Promise<string> {
  const { query, close } = await house.database();
  try {
    const read = async (text: string) => (await sql.raw(text).execute(query)).rows;
    const age = (column: string) => `round(extract(epoch FROM clock_timestamp() - ${column})) AS ${column}_s`;
    return inspect(
      {
        runs: await read(
          `SELECT id, state, claim, last_seq, attempts, ${age('seen_at')}, ${age('updated_at')} FROM agent_runs
           WHERE ended_at IS NULL ORDER BY id LIMIT 10`,
        ),
        steps: await read(
          `SELECT run_id, node, agent_steps.state, ${age('started_at')} FROM agent_steps
           JOIN agent_runs ON agent_runs.id = run_id WHERE agent_runs.ended_at IS NULL LIMIT 20`,
        ),
        statements: await read(
          `SELECT pid, state, wait_event_type, wait_event, ${age('query_start')}, left(query, 200) AS query
           FROM pg_stat_activity WHERE datname = current_database() AND state <> 'idle'`,
        ),
        locks: await read('SELECT pid, locktype, relation::regclass AS relation, mode FROM pg_locks WHERE NOT granted'),
        arrived: house.arrived.get('AGENT'),
        output: house.service().output().slice(-3_000),
      },
      { depth: 5, maxArrayLength: 50, maxStringLength: 4_000 },
    );
  } finally {
    await close();
  }
}

/** Resolves once each loop of the load has done something more. */
async function loaded(house: LoadedService): Promise<void> {
  const before = progress(house);
  const standing = () => {
    const now = progress(house);
    return Object.keys(before).filter((loop) => now[loop as keyof typeof now] === before[loop as keyof typeof now]);
  };
  try {
    await eventually(() => expect(standing()).toEqual([]));
  } catch (cause) {
    const { statuses, wrong } = house.ledger;
    const work = await openWork(house).catch((error: unknown) => `not known: ${String(error)}`);
    const found = inspect({ seed, still: standing(), progress: progress(house), statuses, wrong });
    throw new Error(`The load stands still: ${found}\n${work}`, { cause });
  }
}

/** Kills so many processes; resolves with how many of each. */
async function killAll(house: LoadedService, chance: Chance): Promise<ReadonlyMap<Victim, number>> {
  const killed = new Map<Victim, number>();
  for (let at = 0; at < KILLS; at++) {
    // Half of the kills come when all is under way, half while the service may still be coming back.
    if (at === 0 || chance.hits(0.5)) await loaded(house);
    await wait(chance.next() * LOAD_MS);
    const victim = await kill(house, each[at] ?? chance.pick(often), chance);
    killed.set(victim, (killed.get(victim) ?? 0) + 1);
    house.nextRound();
  }
  await loaded(house);
  return killed;
}

const TIMEOUT_MS = KILLS * 60_000 + 600_000;
test(`nothing that was acknowledged is lost by ${KILLS} kills at random moments`, { timeout: TIMEOUT_MS }, async () => {
  covers(
    'process.kill',
    'process.kill.nothing-lost',
    'process.kill.no-orphans',
    'retrieval.faults.kill',
    'retrieval.ingest.resume',
    'responses.background.kill',
  );
  const house = await openLoadedService({ rounds: KILLS + 1, localModel: true, workers: 2 });
  try {
    const killed = await killAll(house, createChance(seed));
    await house.endLoad();
    const service = house.service();
    const db = await house.database();
    try {
      const wrong = await audit({ ...house, service, db }, KILLS);
      const told = [...killed].map(([victim, count]) => `${victim} ${count}`).join(', ');
      console.info(`seed ${seed}, kills: ${told}; ${summary(house.ledger)}; ${wrong.length} wrong`);
      expect(wrong, `seed ${seed}`).toEqual([]);
    } finally {
      await db.close();
    }
    await service.kill();
    await eventually(() => expect(processesOf(service.dataFolder)).toEqual([]));
  } finally {
    await house.close();
  }
});
