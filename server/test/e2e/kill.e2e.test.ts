import { readFileSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { covers } from '../requirements.ts';
import { usageSlices } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { call, chat, chatBody, CHAT, send } from '../support/http.ts';
import { times } from '../support/long.ts';
import { pidsOf } from '../support/processes.ts';
import { type Service, freePort, launch, startService, temporaryFolder, untilReady } from '../support/service.ts';

const ROUNDS = times(1, 200);

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

const LOADS = 12;

/** What clients know of calls that they have made. */
interface Made {
  sent: number;
  /** In full, with a 200. */
  answered: number;
}

/**
 * Several clients at once, with streams, whole replies and another kind of call, one after the other. Returns what ends them, with the
 * calls that still run: a connection that was being given to a worker when that was killed is answered by nobody.
 */
function load(service: Service, made: Made): () => Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  const ask = (i: number) =>
    i % 3 === 2
      ? send(service, '/v1/text/pii-mask', { signal, body: { text: '010-1234-5678' } })
      : send(service, CHAT, { signal, body: chatBody({ stream: i % 3 === 0 }) });
  const client = async () => {
    for (let i = 0; !signal.aborted; i++) {
      made.sent++;
      const status = await ask(i)
        .then(async (response) => (await response.text(), response.status))
        .catch(() => null);
      if (status === 200) made.answered++;
      else await wait(5);
    }
  };
  const clients = Array.from({ length: LOADS }, client);
  return async () => {
    over.abort();
    await Promise.all(clients);
  };
}

const workersOf = ({ pid }: Service) => pidsOf(pid, 'server/src/main.mjs');

const callsCounted = async (service: Service) =>
  (await usageSlices(service)).reduce((sum, { calls }) => sum + calls, 0);

test(`survives kill -9 at ${ROUNDS} random moments under load`, { timeout: ROUNDS * 60_000 + 240_000 }, async () => {
  covers('process.kill', 'process.kill.nothing-lost', 'process.kill.no-orphans');
  const dataFolder = await temporaryFolder();
  const port = await freePort();
  const limits = { limits: { requests_per_minute: null, tokens_per_minute: null } };
  const made: Made = { sent: 0, answered: 0 };
  let service = await startService({ dataFolder, port, config: limits });
  for (let round = 0; round < ROUNDS; round++) {
    const before = made.answered;
    const end = load(service, made);
    await wait(Math.random() * 1_500);
    if (round % 3 === 0) await eventually(() => expect(made.answered).toBeGreaterThan(before + 10));
    await service.kill();
    await end();
    service = await startService({ dataFolder, port, config: limits });
    made.sent++;
    expect((await chat(service)).status).toBe(200);
    made.answered++;
    // What the killed process had is taken over within the first second.
    await eventually(async () => expect(await callsCounted(service)).toBeGreaterThanOrEqual(made.answered));
  }
  expect(made.answered).toBeGreaterThan(10);
  expect(await callsCounted(service), 'nothing is counted twice').toBeLessThanOrEqual(made.sent);

  await service.kill();
  await eventually(() => expect(processesOf(dataFolder)).toEqual([]));
  await rm(dataFolder, { recursive: true, force: true });
});

describe('of two workers', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({
      config: { server: { workers: 2 }, limits: { requests_per_minute: null, tokens_per_minute: null } },
    });
  });
  afterAll(() => service.close());

  test('one that is killed loses no call, as another stores those that it had', async () => {
    covers('process.kill.nothing-lost', 'process.workers');
    const made: Made = { sent: 0, answered: 0 };
    for (let round = 0; round < times(2, 50); round++) {
      const end = load(service, made);
      await wait(500 + Math.random() * 1_000);
      const workers = workersOf(service);
      expect(workers).toHaveLength(2);
      process.kill(workers[round % 2] ?? -1, 'SIGKILL');
      await eventually(() => expect(workersOf(service).filter((pid) => !workers.includes(pid))).toHaveLength(1));
      await end();
      await eventually(async () => expect(await callsCounted(service)).toBeGreaterThanOrEqual(made.answered));
      expect(await callsCounted(service)).toBeLessThanOrEqual(made.sent);
    }
    expect(made.answered).toBeGreaterThan(20);
  });

  test('another service is refused their data folder, and leaves them alone', async () => {
    covers('process.one-folder');
    const second = await launch({ dataFolder: service.dataFolder });
    expect(await second.exited).not.toBe(0);
    expect(second.output()).toContain(`in use by the process`);
    expect((await call(service, '/readyz')).status).toBe(200);
    await untilReady(service);
  });
});

test('leaves what it has compiled to the next start, also when it is killed', async () => {
  const folder = await temporaryFolder();
  const service = await startService({ env: { NODE_COMPILE_CACHE: folder } });
  // The bundle has some thirty files, the sources many hundreds; none is there where nothing is left.
  await eventually(() => expect(readdirSync(folder, { recursive: true }).length).toBeGreaterThan(20));
  await service.kill();
  await rm(folder, { recursive: true, force: true });
  await rm(service.dataFolder, { recursive: true, force: true });
});
