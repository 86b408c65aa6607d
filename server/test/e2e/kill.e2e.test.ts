import { readFileSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { findRunningPostgres } from '../../src/adapters/embedded/postgres/index.ts';
import { openDatabase } from '../../src/adapters/postgres/index.ts';
import { covers } from '../requirements.ts';
import { eventually } from '../support/eventually.ts';
import { call, chat, chatBody, CHAT, send } from '../support/http.ts';
import { times } from '../support/long.ts';
import { silent } from '../support/postgres.ts';
import { type Service, freePort, launch, startService, temporaryFolder, untilReady } from '../support/service.ts';

const ROUNDS = times(5, 200);

/** Processes whose command line names the folder. */
function processesOf(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return line.includes(folder) ? [`${pid} ${line}`] : [];
      } catch {
        return [];
      }
    });
}

/** Whole calls and streams until the service is gone; tells of those that were sent, and of those that were answered in full. */
async function load(service: Service, onSent: () => void, onAnswered: () => void): Promise<void> {
  for (let i = 0; ; i++) {
    try {
      onSent();
      const response = await send(service, CHAT, { body: chatBody({ stream: i % 2 === 0 }) });
      await response.text();
      if (response.status === 200) onAnswered();
      else await wait(5);
    } catch {
      return;
    }
  }
}

async function callsCounted(folder: string): Promise<number> {
  const connection = findRunningPostgres(folder);
  if (connection === null) throw new Error('the database is not running');
  const db = await openDatabase({ connection, log: silent, poolSize: 2 });
  try {
    const rows = await db.query.selectFrom('usage_slices').select('calls').execute();
    return rows.reduce((sum, { calls }) => sum + calls, 0);
  } finally {
    await db.close();
  }
}

test(`survives kill -9 at ${ROUNDS} random moments under load`, { timeout: ROUNDS * 60_000 }, async () => {
  covers('process.kill', 'process.kill.nothing-lost', 'process.kill.no-orphans');
  const dataFolder = await temporaryFolder();
  const port = await freePort();
  const limits = { limits: { requests_per_minute: null, tokens_per_minute: null } };
  let sent = 0;
  /** Calls whose usage has been in the database. */
  let safe = 0;
  let service = await startService({ dataFolder, port, config: limits });
  for (let round = 0; round < ROUNDS; round++) {
    const before = await callsCounted(dataFolder);
    expect(before, 'what was written is there after a kill').toBeGreaterThanOrEqual(safe);
    let answered = 0;
    const loads = Array.from({ length: 4 }, () =>
      load(
        service,
        () => void sent++,
        () => void answered++,
      ),
    );
    await wait(Math.random() * 400);
    // Every third round lasts until usage is written; the kill comes at a random moment in either.
    if (round % 3 === 0) {
      await eventually(() => expect(answered).toBeGreaterThan(10));
      const made = answered;
      await eventually(async () => expect(await callsCounted(dataFolder)).toBeGreaterThanOrEqual(before + made));
      safe = before + made;
    }
    await service.kill();
    await Promise.all(loads);
    service = await startService({ dataFolder, port, config: limits });
    sent++;
    expect((await chat(service)).status).toBe(200);
  }
  const counted = await callsCounted(dataFolder);
  expect(safe).toBeGreaterThan(10);
  expect(counted).toBeGreaterThanOrEqual(safe);
  expect(counted, 'nothing is counted twice').toBeLessThanOrEqual(sent);

  await service.kill();
  await eventually(() => expect(processesOf(dataFolder)).toEqual([]));
  await rm(dataFolder, { recursive: true, force: true });
});

test('refuses to share a data folder, and leaves the first service alone', async () => {
  covers('process.one-folder');
  const first = await startService();
  const second = await launch({ dataFolder: first.dataFolder });
  expect(await second.exited).not.toBe(0);
  expect(second.output()).toContain(`in use by the process`);
  expect((await call(first, '/readyz')).status).toBe(200);
  await untilReady(first);
  await first.close();
});

test('leaves what it has compiled to the next start, also when it is killed', async () => {
  const folder = await temporaryFolder();
  const service = await startService({ env: { NODE_COMPILE_CACHE: folder } });
  await eventually(() => expect(readdirSync(folder, { recursive: true }).length).toBeGreaterThan(500));
  await service.kill();
  await rm(folder, { recursive: true, force: true });
  await rm(service.dataFolder, { recursive: true, force: true });
});
