import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { covers } from '../requirements.ts';
import { openConsoleHouse } from '../support/console.ts';
import { isLong, times } from '../support/long.ts';
import { estateEnv, makeEstate } from './estate.ts';
import { nextCall, tryCall, type Violation } from './fuzz-calls.ts';
import { operationsOf } from './operations.ts';
import { FICKLE_EMBEDDER, startFickleServer } from './fickle-server.ts';
import { createChance } from './seeded.ts';

// Calls of every operation over ids that exist, deletes among them, with bodies and questions that are partly wrong. What is deleted
// stays so for the rest of a round; each round has a tenant of its own. The seed repeats a run: STUDIO_FUZZ_SEED, STUDIO_FUZZ_CALLS
// and STUDIO_FUZZ_PATHS, which says which paths.

const CALLS = Number(process.env['STUDIO_FUZZ_CALLS'] ?? times(200, 20_000));
const CALLS_OF_ROUND = 200;
/** Paths that are called; all unless this is set. */
const paths = new RegExp(process.env['STUDIO_FUZZ_PATHS'] ?? '');
/** Calls at one moment, so that they meet in the database. */
const AT_ONCE = 4;
/** The same each time in `npm test`, which must not be red by chance. */
const seed = process.env['STUDIO_FUZZ_SEED'] ?? (isLong ? randomBytes(4).toString('hex') : 'every day');

test(
  `${CALLS} calls over ids that exist meet no failure of the service, and every refusal has the form of its surface`,
  { timeout: CALLS * 2_000 },
  async () => {
    covers('errors.never-500');
    const fickle = await startFickleServer();
    const house = await openConsoleHouse({ ...estateEnv, ...fickle.env });
    const violations: Violation[] = [];
    const statuses = new Map<string, number>();
    try {
      const operations = (await operationsOf(house)).filter(({ path }) => paths.test(path));
      const others = await makeEstate(house, 'Others');
      for (let sent = 0, round = 0; sent < CALLS; round++) {
        fickle.chance = null;
        const estate = await makeEstate(house, `Round ${round}`, round % 2 === 0 ? FICKLE_EMBEDDER : undefined);
        const chance = createChance(`${seed} ${round}`);
        fickle.chance = createChance(`${seed} ${round} fickle`);
        for (; sent < Math.min(CALLS, (round + 1) * CALLS_OF_ROUND); sent += AT_ONCE) {
          const calls = Array.from({ length: AT_ONCE }, () => nextCall(operations, estate, others, chance));
          const answered = await Promise.all(calls.map((call) => tryCall(house, call)));
          for (const { status, violation } of answered) {
            statuses.set(status, (statuses.get(status) ?? 0) + 1);
            if (violation !== null) violations.push(violation);
          }
        }
      }
    } finally {
      await house.close();
      await fickle.close();
    }
    const told = [...statuses].map(([status, count]) => `${status}: ${count}`).toSorted();
    console.info(`seed ${seed}: ${CALLS} calls, ${told.join(', ')}`);
    expect(violations, `seed ${seed}`).toEqual([]);
    // Calls that are all refused try nothing.
    expect(statuses.get('2xx') ?? 0).toBeGreaterThan(CALLS / 10);
  },
);
