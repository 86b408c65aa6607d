import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import type { Logger } from '../../kernel/log.ts';
import { databaseUnavailable, isDatabaseUnavailable } from '../../ports/database.ts';
import { toStudioError } from '../../ports/failure.ts';
import { createAvailability } from './availability.ts';
import { createSlots } from './slots.ts';

const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

/** A database that is there or not, and what was said of it. */
function setUp(waitTimeoutMs: number) {
  const server = { isThere: true, probes: 0, cuts: 0 };
  const lines: string[] = [];
  const say = (_fields: object, message: string) => void lines.push(message);
  const log: Logger = { debug: say, info: say, warn: say, error: say, child: () => log };
  const availability = createAvailability({
    async probe() {
      server.probes++;
      if (!server.isThere) throw refused;
    },
    log,
    onUnavailable: () => server.cuts++,
    waitTimeoutMs: () => waitTimeoutMs,
    probePauseMs: 5,
  });
  return { server, lines, availability };
}

const stateOf = (ready: Promise<void>) =>
  ready.then(
    () => 'ready',
    (error: unknown) => (isDatabaseUnavailable(error) ? 'away' : error),
  );

test('whoever asks while a lost database is given time goes on once it is back', async () => {
  const { server, availability } = setUp(60_000);
  server.isThere = false;
  availability.lost(refused);
  const asking = stateOf(availability.ready());
  await eventually(() => expect(server.probes).toBeGreaterThan(2));
  server.isThere = true;
  expect(await asking).toBe('ready');
  availability.close();
});

test('past the patience all are refused at once, by one probe for all, until it is back', async () => {
  const { server, lines, availability } = setUp(0);
  server.isThere = false;
  for (let at = 0; at < 50; at++) availability.lost(refused);
  const asked = await Promise.all(Array.from({ length: 50 }, () => stateOf(availability.ready())));
  expect(new Set(asked)).toEqual(new Set(['away']));
  expect(server.probes).toBeLessThan(10);
  await eventually(() => expect(server.probes).toBeGreaterThan(5));
  server.isThere = true;
  await eventually(async () => expect(await stateOf(availability.ready())).toBe('ready'));
  // Once for the loss and once for the return, however often it was tried.
  expect(lines).toEqual(['database does not answer; what needs it is refused until it is back', 'database is back']);
  availability.close();
});

test('a doubt that a probe dispels changes nothing; one that it confirms cuts what waits for an answer', async () => {
  const { server, availability } = setUp(0);
  availability.suspect();
  await eventually(() => expect(server.probes).toBe(1));
  expect(await stateOf(availability.ready())).toBe('ready');
  expect(server.cuts).toBe(0);
  server.isThere = false;
  // The first doubt may not be over.
  await eventually(async () => {
    availability.suspect();
    expect(await stateOf(availability.ready())).toBe('away');
  });
  await eventually(() => expect(server.cuts).toBeGreaterThan(0));
  availability.close();
});

test('nothing is probed after the end', async () => {
  const { server, availability } = setUp(0);
  server.isThere = false;
  availability.lost(refused);
  await eventually(() => expect(server.probes).toBeGreaterThan(1));
  availability.close();
  const { probes } = server;
  await sleep(30);
  expect(server.probes).toBeLessThanOrEqual(probes + 1);
});

test('callers are told that the database is away, whatever wraps it, and nothing of where it is', () => {
  const wrapped = new Error('a node failed', { cause: databaseUnavailable(refused) });
  expect(isDatabaseUnavailable(wrapped)).toBe(true);
  expect(isDatabaseUnavailable(refused)).toBe(false);
  const told = toStudioError(wrapped);
  expect(told).toMatchObject({ code: 'unavailable', reason: 'database_away', retryAfterSeconds: 1 });
  expect(told.message).not.toContain('ECONNREFUSED');
});

test('connections are given in the order of asking; who waits for too long is told that the database is busy', async () => {
  const slots = createSlots(1, 20);
  await slots.acquire();
  await expect(slots.acquire()).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 1 });
  const patient = createSlots(1, 60_000);
  await patient.acquire();
  const order: number[] = [];
  const both = [1, 2].map((one) => patient.acquire().then(() => order.push(one)));
  patient.release();
  await both[0];
  patient.release();
  await both[1];
  expect(order).toEqual([1, 2]);
});
