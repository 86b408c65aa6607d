import { type Kysely, sql } from 'kysely';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../kernel/log.ts';
import { type Database, PREPARED, type Tables } from '../../ports/database.ts';
import { storableJson } from './json.ts';
import type { RunLog, LogBatch } from './run-log.ts';
import type { Step } from './steps.ts';

// Writes the logs of all runs of a process together: in one statement, or a few where they have much to write.

interface WriterDeps {
  readonly db: Database;
  readonly log: Logger;
  /** Called with what was written of a run, after the commit. */
  readonly onWritten: (log: RunLog, written: LogBatch) => void;
  /** Called once for all of them. */
  readonly onCommit: (logs: readonly RunLog[]) => void;
  /** The run is not this process's any more. */
  readonly onLost: (log: RunLog) => void;
  readonly maxCharacters?: number;
}

/** Texts are gathered for so long. */
const BATCH_INTERVAL_MS = 100;
/** Pause after a failure, doubled with each one more. */
const BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 2_000;

/** Most characters of one statement, unless one run alone has more: what many large results take is bounded. */
const MAX_CHARACTERS = 16_000_000;

/** What a run has to write, and as JSON. */
interface Batch {
  readonly log: RunLog;
  readonly written: LogBatch;
  readonly head: string;
  readonly events: readonly string[];
  readonly steps: readonly string[];
  readonly length: number;
}

const rowOf = (runId: string, ended: boolean, step: Step) => ({
  run_id: runId,
  key: step.key,
  node: step.node,
  kind: step.kind,
  state: step.state,
  inputs: step.inputs ?? null,
  outputs: step.outputs ?? null,
  kept: ended ? null : (step.kept ?? null),
  failure: step.failure,
  prompt_tokens: step.promptTokens,
  completion_tokens: step.completionTokens,
  attempts: step.attempts,
  started_at: step.startedAt,
  ended_at: step.endedAt,
});

const headOf = (log: RunLog, written: LogBatch) => {
  const { change } = written;
  return {
    id: log.id,
    claim: log.claim,
    last_seq: written.lastSeq,
    state: change?.state ?? null,
    question: change?.question ?? null,
    failure: change?.failure ?? null,
    answer: change?.over ? written.answer : null,
    citations: change?.over?.citations ?? null,
    parts: change?.over?.parts ?? null,
    over: change?.over !== undefined,
    ended: change?.over?.ended === true,
    spent_ms: written.spentMs,
    prompt_tokens: written.promptTokens,
    completion_tokens: written.completionTokens,
    progressed: written.progressed,
  };
};

const lengthOf = (texts: readonly string[]) => texts.reduce((sum, { length }) => sum + length, 0);

function batchOf(log: RunLog): Batch {
  const written = log.take();
  const head = storableJson(headOf(log, written));
  const events = written.events.map(({ seq, at, ...body }) => storableJson({ run_id: log.id, seq, at, body }));
  const ended = written.change?.over?.ended === true;
  const steps = written.steps.map((step) => storableJson(rowOf(log.id, ended, step)));
  return { log, written, head, events, steps, length: lengthOf([head, ...events, ...steps]) };
}

const listOf = (json: readonly string[]) => `[${json.join(',')}]`;

/**
 * All of it in one statement. Resolves with the ids of the runs that are still this process's; of the others nothing is written. Of a run
 * that ended no trace keeps what only a crash would need, nor, where the tenant stores none, what went in and came out.
 */
async function writeAll(query: Kysely<Tables>, batches: readonly Batch[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`${sql.raw(PREPARED)}
    WITH ours AS (
      UPDATE agent_runs SET last_seq = given.last_seq, state = coalesce(given.state, agent_runs.state),
        state_at = CASE WHEN given.state IS NULL THEN agent_runs.state_at ELSE clock_timestamp() END,
        question = CASE WHEN given.state IS NULL THEN agent_runs.question ELSE given.question END,
        failure = CASE WHEN given.state IS NULL THEN agent_runs.failure ELSE given.failure END,
        answer = coalesce(given.answer, agent_runs.answer), citations = coalesce(given.citations, agent_runs.citations),
        parts = coalesce(given.parts, agent_runs.parts),
        claim = CASE WHEN given.over THEN NULL ELSE agent_runs.claim END,
        seen_at = CASE WHEN given.over THEN NULL ELSE clock_timestamp() END,
        ended_at = CASE WHEN given.ended THEN clock_timestamp() ELSE agent_runs.ended_at END,
        spent_ms = given.spent_ms, prompt_tokens = given.prompt_tokens, completion_tokens = given.completion_tokens,
        attempts = CASE WHEN given.progressed THEN 1 ELSE agent_runs.attempts END, updated_at = clock_timestamp()
      FROM jsonb_to_recordset(${listOf(batches.map(({ head }) => head))}::jsonb) AS given (id text, claim text, last_seq integer,
        state text, question text, failure jsonb, answer text, citations jsonb, parts jsonb, over boolean, ended boolean, spent_ms bigint,
        prompt_tokens integer, completion_tokens integer, progressed boolean)
      WHERE agent_runs.id = given.id AND agent_runs.claim = given.claim
      RETURNING agent_runs.id, agent_runs.tenant_id, given.ended
    ), over AS (
      SELECT ours.id, coalesce(tenant_settings.settings ->> 'agent_traces' = 'no_content', false) AS dropped
      FROM ours LEFT JOIN tenant_settings ON tenant_settings.tenant_id = ours.tenant_id WHERE ours.ended
    ), given_steps AS (
      SELECT * FROM jsonb_to_recordset(${listOf(batches.flatMap(({ steps }) => steps))}::jsonb) AS given (run_id text, key text,
        node text, kind text, state text, inputs jsonb, outputs jsonb, kept jsonb, failure jsonb, prompt_tokens integer,
        completion_tokens integer, attempts integer, started_at timestamptz, ended_at timestamptz)
      WHERE run_id IN (SELECT id FROM ours)
    ), events AS (
      INSERT INTO agent_events (run_id, seq, body, at)
      SELECT run_id, seq, body, at FROM jsonb_to_recordset(${listOf(batches.flatMap(({ events }) => events))}::jsonb)
        AS given (run_id text, seq integer, body jsonb, at timestamptz)
      WHERE run_id IN (SELECT id FROM ours)
      -- Written already, where the reply to an earlier try was lost with its connection.
      ON CONFLICT (run_id, seq) DO NOTHING
    ), steps AS (
      INSERT INTO agent_steps (run_id, key, node, kind, state, inputs, outputs, kept, failure, prompt_tokens,
        completion_tokens, attempts, started_at, ended_at)
      SELECT run_id, key, node, kind, state, CASE WHEN over.dropped THEN NULL ELSE inputs END,
        CASE WHEN over.dropped THEN NULL ELSE outputs END, kept, failure, prompt_tokens, completion_tokens, attempts,
        started_at, ended_at
      FROM given_steps LEFT JOIN over ON over.id = given_steps.run_id
      ON CONFLICT (run_id, key) DO UPDATE SET state = excluded.state, inputs = excluded.inputs, outputs = excluded.outputs,
        kept = excluded.kept, failure = excluded.failure, prompt_tokens = excluded.prompt_tokens,
        completion_tokens = excluded.completion_tokens, attempts = excluded.attempts, started_at = excluded.started_at,
        ended_at = excluded.ended_at
    ), before AS (
      UPDATE agent_steps SET kept = NULL, inputs = CASE WHEN over.dropped THEN NULL ELSE inputs END,
        outputs = CASE WHEN over.dropped THEN NULL ELSE outputs END
      FROM over WHERE agent_steps.run_id = over.id AND (agent_steps.kept IS NOT NULL OR over.dropped)
        AND NOT EXISTS (SELECT 1 FROM given_steps
          WHERE given_steps.run_id = agent_steps.run_id AND given_steps.key = agent_steps.key)
    )
    SELECT id FROM ours`.execute(query);
  return new Set(rows.map(({ id }) => id));
}

/** Whether the database says that the data is wrong, rather than that it can't be reached. */
const isDataError = (error: unknown) => {
  const code = (error as { readonly code?: unknown }).code;
  return typeof code === 'string' && /^(?:21|22|23|54)/.test(code);
};

/** Writes logs soon after they ask for it; those of one moment together. */
export function createWriter(deps: WriterDeps) {
  const { db, log: logger, onWritten, onCommit, onLost, maxCharacters = MAX_CHARACTERS } = deps;
  const dirty = new Set<RunLog>();
  let timer: NodeJS.Timeout | null = null;
  let soon = false;
  let working: Promise<void> | null = null;
  let lastMs = -Infinity;
  let closing = false;

  function settle(batches: readonly Batch[], ours: ReadonlySet<string>): void {
    for (const { log, written } of batches) {
      if (!ours.has(log.id)) {
        log.lose();
        onLost(log);
        continue;
      }
      onWritten(log, written);
      log.wrote();
    }
    onCommit(batches.flatMap(({ log }) => (ours.has(log.id) ? [log] : [])));
  }

  async function store(batches: readonly Batch[]): Promise<void> {
    for (let backoff = BACKOFF_MS; ; backoff = Math.min(backoff * 2, MAX_BACKOFF_MS)) {
      let ours: ReadonlySet<string>;
      try {
        ours = await writeAll(db.query, batches);
      } catch (error) {
        logger.warn({ err: error, runs: batches.length }, 'agent runs: writing their logs failed');
        if (isDataError(error)) {
          // Of many one is to blame, and it alone is given up.
          if (batches.length === 1) return settle(batches, new Set());
          for (const batch of batches) await store([batch]);
          return;
        }
        // A database that is away does not hold up the end of the service: the runs are taken up again from what is written.
        if (closing) return settle(batches, new Set());
        await sleep(backoff);
        continue;
      }
      return settle(batches, ours);
    }
  }

  async function work(): Promise<void> {
    while (soon) {
      soon = false;
      lastMs = performance.now();
      // In the order in which a heartbeat locks the same runs.
      const logs = [...dirty].toSorted((a, b) => (a.id < b.id ? -1 : Number(a.id > b.id)));
      dirty.clear();
      let batches: Batch[] = [];
      for (const log of logs) {
        if (log.lost) continue;
        const batch = batchOf(log);
        // A run that this process lost and took up again has two logs for a moment. A statement writes a row once.
        const again = batches.some((before) => before.log.id === log.id);
        const length = batches.reduce((sum, before) => sum + before.length, batch.length);
        if (again || (batches.length > 0 && length > maxCharacters)) {
          await store(batches);
          batches = [];
        }
        batches.push(batch);
      }
      if (batches.length > 0) await store(batches);
    }
  }

  function flush(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    soon = true;
    working ??= Promise.resolve()
      .then(work)
      .finally(() => {
        working = null;
        if (soon) flush();
        else if (dirty.size > 0) scheduleFlush();
      });
  }

  function scheduleFlush(): void {
    timer ??= setTimeout(flush, Math.max(0, lastMs + BATCH_INTERVAL_MS - performance.now()));
  }

  return {
    scheduleWrite(log: RunLog, urgent: boolean): void {
      if (log.lost) return;
      dirty.add(log);
      if (urgent) flush();
      else if (working === null) scheduleFlush();
    },
    /** From now on nothing is tried twice. */
    end(): void {
      closing = true;
    },
    /** Resolves once nothing is left to be written. */
    async close(): Promise<void> {
      while (dirty.size > 0 || working !== null) {
        // Only for what is there: a flush of nothing, asked for as another one ends, would begin the next one for ever.
        if (dirty.size > 0) flush();
        await working;
      }
    },
  };
}
