import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/adapters/embedded/postgres/index.ts';
import { covers } from '../requirements.ts';
import { eventually } from '../support/eventually.ts';
import { times } from '../support/long.ts';
import { silent, temporaryFolder } from '../support/postgres.ts';
import { copySeed } from '../support/seed.ts';
import { untilReady } from '../support/service.ts';
import { audit, summary } from './audit.ts';
import { openLoadedService } from './loaded-service.ts';
import { createChance } from './seeded.ts';

// The database is stopped and started while everything is used: nobody is told of a failure of the service, plain chats of known keys
// go on, and what was acknowledged is there. STUDIO_OUTAGES and STUDIO_OUTAGE_SEED choose how many, and how long.

const OUTAGES = Number(process.env['STUDIO_OUTAGES'] ?? times(1, 20));
const seed = process.env['STUDIO_OUTAGE_SEED'] ?? randomBytes(4).toString('hex');
/** Longest time of load with the database, and without it: longer than it takes to find that it is away. */
const LOAD_MS = 1_500;
const AWAY_MS = 4_000;

/** A PostgreSQL beside the service, with the migrated database of the run, that can be stopped and started. */
async function openServer() {
  const dataDir = temporaryFolder();
  await copySeed(dataDir);
  const start = (): Promise<EmbeddedPostgres> => startEmbeddedPostgres({ dataDir, log: silent });
  let running = await start();
  return {
    connection: running.connection,
    stop: () => running.close(),
    start: async () => void (running = await start()),
    async close() {
      await running.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

test(
  `${OUTAGES} outages of the database meet no failure of the service, and chats go on`,
  { timeout: OUTAGES * 60_000 + 300_000 },
  async () => {
    covers('errors.never-500');
    const chance = createChance(seed);
    const server = await openServer();
    try {
      const house = await openLoadedService({
        rounds: 2 * OUTAGES + 1,
        localModel: false,
        workers: 1,
        connection: server.connection,
      });
      const { ledger, target } = house;
      const answered = () => ledger.calls.get(target.chatModel())?.answered ?? 0;
      const chatted = () => eventually(() => expect(answered(), 'chats go on').toBeGreaterThan(5));
      try {
        for (let at = 0; at < OUTAGES; at++) {
          await chatted();
          await wait(chance.next() * LOAD_MS);
          await server.stop();
          house.nextRound();
          await chatted();
          await wait(chance.next() * AWAY_MS);
          await server.start();
          await untilReady(house.service());
          house.nextRound();
        }
        await chatted();
        await house.endLoad();
        const db = await house.database();
        try {
          const wrong = await audit({ ...house, service: house.service(), db }, 0);
          const refused = [...ledger.statuses].filter(([name]) => name.startsWith('chat ') && name !== 'chat 200');
          wrong.push(
            ...refused.map(([name, count]) => `${count} times ${name}: plain chats go on without the database`),
          );
          console.info(`seed ${seed}, ${OUTAGES} outages; ${summary(ledger)}; ${wrong.length} wrong`);
          expect(wrong, `seed ${seed}`).toEqual([]);
        } finally {
          await db.close();
        }
      } finally {
        await house.close();
      }
    } finally {
      await server.close();
    }
  },
);
