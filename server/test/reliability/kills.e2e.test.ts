import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { inspect } from 'node:util';
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
/** A worker that ends is replaced within a second: a kill of the service in between finds it at its start, as one may. */
const WHOLE_AGAIN_TIMEOUT_MS = 60_000;

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
  process.kill(chance.pick(found), 'SIGKILL');
  await untilReady(service, WHOLE_AGAIN_TIMEOUT_MS);
  return victim;
}

/** What each loop of the load has done so far. */
const progress = ({ ledger: { calls, documents, parses, runs, turns } }: LoadedService) => {
  const models = [...calls.values()].reduce((sum, { answered }) => sum + answered, 0);
  return { models, documents: documents.size, parses: parses.size, runs: runs.size, turns: turns.size };
};

/** Resolves once each loop of the load has done something more. */
async function loaded(house: LoadedService): Promise<void> {
  const before = progress(house);
  await eventually(() => {
    const now = progress(house);
    const still = Object.keys(before).filter(
      (loop) => now[loop as keyof typeof now] === before[loop as keyof typeof now],
    );
    const { statuses, wrong } = house.ledger;
    expect(still, `seed ${seed}; ${inspect({ now, statuses, wrong })}`).toEqual([]);
  });
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
