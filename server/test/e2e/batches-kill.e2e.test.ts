import type { ChatReply } from '@ai-studio/contract/chat/reply.ts';
import { sql } from 'kysely';
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { covers } from '../requirements.ts';
import { databaseOf } from '../support/a2a.ts';
import { chatLines, endedBatch, resultsOf, startBatch } from '../support/batches.ts';
import { isLong, times } from '../support/long.ts';
import { takeNobodyForGone } from '../support/never-gone.ts';
import { withDatabaseOf } from '../support/running-database.ts';
import { freePort, type Service, startService, temporaryFolder } from '../support/service.ts';
import { type Handler, openUpstream, play, type Upstream } from '../support/upstream.ts';

// kill -9 of the service while lines of batches are being answered, again and again: no line is lost, none is there twice, and each is
// metered once.

const BATCHES = times(3, 1_000);
const KILLS = times(2, 20);
const LINES = 100;
const LINES_AT_ONCE = 16;
const BATCHES_AT_ONCE = 4;
/** Lines that may be under way when a process is killed: they are asked again. A process has one place beyond those of a tenant. */
const UNDER_WAY = LINES_AT_ONCE * (BATCHES_AT_ONCE + 1);
/** Batches that are begun at one time. */
const STARTS_AT_ONCE = 4;
/** A batch waits for the others before it. */
const END_TIMEOUT_MS = times(90_000, 1_800_000);

let dataFolder: string;
let port: number;
let upstream: Upstream;
let service: Service;
/** Calls of the model until somebody is told. */
let untilTold = Infinity;
let tell: () => void = () => undefined;

/** How often the model was asked, by the prompt. */
const asked = new Map<string, number>();

/** Says the prompt back. */
const echo: Handler = (one) => {
  if (--untilTold === 0) tell();
  const { content } = one.json.messages.at(-1) ?? {};
  const prompt = typeof content === 'string' ? content : '';
  asked.set(prompt, (asked.get(prompt) ?? 0) + 1);
  return play({ text: `echo ${prompt}` })(one);
};

const config = () => ({
  engines: { fake: { kind: 'openai', addresses: [upstream.url] } },
  models: { 'CORE-GOV': { engines: [{ engine: 'fake' }] } },
  limits: { requests_per_minute: null, tokens_per_minute: null },
  batches: { lines_at_once: LINES_AT_ONCE, batches_at_once: BATCHES_AT_ONCE },
  log: { level: 'warn' },
});

beforeAll(async () => {
  dataFolder = await temporaryFolder();
  port = await freePort();
  upstream = await openUpstream(['CORE-GOV']);
  upstream.plays(echo);
  service = await startService({ dataFolder, port, config: config() });
  await withDatabaseOf(service, (db) => takeNobodyForGone(db, 'batches'));
});
afterAll(async () => {
  await service?.close();
  await upstream?.close();
  await rm(dataFolder, { recursive: true, force: true });
});

/** The answer of a line. */
const contentOf = (body: unknown) =>
  (body as { readonly choices?: readonly ChatReply['choices'][number][] } | undefined)?.choices?.[0]?.message.content;

/** Resolves with the call of the model after so many. */
const afterCalls = (count: number): Promise<void> =>
  new Promise((resolve) => {
    untilTold = count;
    tell = resolve;
  });

test(
  `${BATCHES} batches of ${LINES} lines through ${KILLS} kills: every line once, in order, and metered once`,
  { timeout: isLong ? 3_600_000 : 300_000 },
  async () => {
    covers('batches.once');
    const ids: string[] = [];
    for (let at = 0; at < BATCHES; at += STARTS_AT_ONCE) {
      const marks = Array.from({ length: Math.min(STARTS_AT_ONCE, BATCHES - at) }, (_, of) => `b${at + of}`);
      const begun = await Promise.all(marks.map((mark) => startBatch(service, chatLines(LINES, mark))));
      ids.push(...begun.map(({ id }) => id));
    }
    // The first are answered while the last are begun.
    const every = Math.floor((BATCHES * LINES - asked.size) / (KILLS + 1));
    let next = afterCalls(every);
    for (let kill = 0; kill < KILLS; kill++) {
      await next;
      await service.kill();
      next = afterCalls(every);
      // Nothing is to be forgotten of what it was told.
      upstream.reset();
      upstream.plays(echo);
      service = await startService({ dataFolder, port, config: config() });
    }
    for (const [at, id] of ids.entries()) {
      const batch = await endedBatch(service, id, END_TIMEOUT_MS);
      expect(batch).toMatchObject({
        status: 'completed',
        error_file_id: null,
        request_counts: { total: LINES, completed: LINES, failed: 0 },
      });
      const results = await resultsOf(service, batch.output_file_id);
      const told = results.map(({ custom_id: line, response }) => [line, contentOf(response?.body)]);
      expect(told).toEqual(Array.from({ length: LINES }, (_, line) => [`b${at}-${line}`, `echo b${at}-${line}`]));
    }
    const db = await databaseOf(service);
    const { rows } = await sql<{ calls: number }>`SELECT sum(calls) AS calls FROM usage_slices`.execute(db.query);
    const left = await db.query.selectFrom('batch_results').select('line').execute();
    await db.close();
    expect(rows).toEqual([{ calls: BATCHES * LINES }]);
    expect(left).toEqual([]);
    const calls = [...asked.values()].reduce((sum, count) => sum + count, 0);
    console.info(
      `${BATCHES * LINES} lines, ${KILLS} kills: ${calls} calls of the model, ${calls - asked.size} asked again`,
    );
    expect(asked.size).toBe(BATCHES * LINES);
    expect(calls - asked.size).toBeLessThanOrEqual(KILLS * UNDER_WAY);
  },
);
