import { setTimeout as delay } from 'node:timers/promises';
import { hexId } from '../../../kernel/ids.ts';
import { Unreachable, type Client } from './client.ts';
import { unavailable } from './failure.ts';
import { copyOf, dropIndex, finishMove, noteCompared, noteLeft, readLeft, writerTo } from './left.ts';
import { indexOf, movedIndexOf, shardsFor } from './mapping.ts';
import type { OpenSearchOptions } from './options.ts';
import { changeAliases, hold, wasOvertaken } from './places.ts';
import { clearPlace } from './shared.ts';
import { askFor, type OpenTable } from './table.ts';
import { createTransfer } from './transfer.ts';

// A table gets an index of its own, or another one. Its rows are copied while others write; then it takes no writes for a moment, what has changed
// is copied, and its alias goes over. Searches go on all the while. A write that was still under way to the old place is no matter:
// whoever sent it looks where the table is before it is answered, and sends it again. Several processes may try at once: one of them carries the alias over.
/** Rounds until what changes meanwhile is little. */
const ROUNDS = 5;
const LITTLE = 500;
/** Longer than this no write is kept waiting; the table moves another time. */
const MAX_HOLD_MS = 8_000;
/** Searches of the old place that were under way have their view of it after this time. */
const VIEW_MS = 500;
/** And have ended. */
const SEARCH_GRACE_MS = 20_000;
/** What a process left behind that ended while it moved a table: as old as this, and nobody writes to it for a while. */
const ABANDONED_MS = 2 * 60_000;
const WATCH_MS = 5_000;
/** See `heldRows`: looking at so many takes a second or two. */
const HELD_ROWS = 100_000;
const CREATE_MS = 60_000;

/** Names of the indices that a table has by itself: the first, and those that it moves into, of which each attempt has its own. */
const ownNames = (prefix: string, table: string) => {
  const start = `${prefix}-i-${table}-`;
  return {
    fresh: (): string => `${start}m${hexId().slice(0, 8)}`,
    all: `${start}*`,
    isOne: (index: string): boolean =>
      index.startsWith(start) && /^(?:1|m[0-9a-f]{8})$/.test(index.slice(start.length)),
  };
};

/** Indices of a table in which it does not lie (yet, or any more), and how old they are. Throws IndexError. */
export async function unusedIndices(client: Client, prefix: string, table: string, alias: string) {
  const names = ownNames(prefix, table);
  const { body } = await askFor(client, table, names.all, { method: 'GET', path: `/${names.all}` });
  // oxlint-disable-next-line typescript/no-explicit-any -- JSON of another server
  return Object.entries<any>(body ?? {})
    .filter(([index, { aliases = {} }]) => names.isOne(index) && !Object.hasOwn(aliases, alias))
    .map(([index, { settings }]) => ({ index, ageMs: Date.now() - Number(settings?.index?.creation_date ?? 0) }));
}

/** Whether somebody writes to an index. Throws IndexError. */
async function isWritten(client: Client, table: string, index: string): Promise<boolean> {
  const count = async () => {
    const path = `/${index}/_stats/docs`;
    const { body } = await askFor(client, table, index, { method: 'GET', path, query: { level: 'shards' } });
    const copies = Object.values<readonly { readonly seq_no?: { readonly max_seq_no?: number } }[]>(
      body?.indices?.[index]?.shards ?? {},
    ).flat();
    return copies.reduce((sum, { seq_no: numbers }) => sum + (numbers?.max_seq_no ?? 0), 0);
  };
  const before = await count();
  await delay(WATCH_MS);
  return (await count()) !== before;
}

/**
 * Removes what moves of a table left behind that ended by the way. Resolves with false where somebody may be at it. Throws IndexError.
 */
export async function dropAbandoned(client: Client, prefix: string, table: string, alias: string): Promise<boolean> {
  for (const { index, ageMs } of await unusedIndices(client, prefix, table, alias)) {
    if (ageMs < ABANDONED_MS || (await isWritten(client, table, index))) return false;
    await dropIndex(client, table, index);
  }
  return true;
}

interface Move {
  readonly client: Client;
  readonly options: OpenSearchOptions;
  readonly table: OpenTable;
  /** How many rows it has, by which its shards are counted. */
  readonly rows: number;
  readonly signal: AbortSignal;
}

/**
 * Moves a table into a new index of its own. Resolves with whether it did: another process may be at it. Throws IndexError, and the reason of
 * the signal.
 */
export async function moveTable({ client, options, table, rows, signal }: Move): Promise<boolean> {
  const { place, layout } = table;
  const { alias, index: from } = place;
  const { body: lies } = await askFor(client, table.name, alias, { method: 'GET', path: `/_alias/${alias}` });
  // Another process has moved it already.
  if (!Object.hasOwn(lies ?? {}, from)) return false;
  if (!(await finishMove(client, options, table, signal))) return false;
  if (!(await dropAbandoned(client, options.prefix, table.name, alias))) return false;
  const index = ownNames(options.prefix, table.name).fresh();
  const target = writerTo(client, table.name, index, signal);
  const { put, failure } = target;
  const sized = { ...options, shards: shardsFor(options, rows) };
  const shape =
    layout.slot === null ? indexOf(sized, table.dimension) : movedIndexOf(sized, table.dimension, layout.slot);
  const only = place.slot === null ? { match_all: {} } : { term: { table: { value: table.name } } };
  const transfer = createTransfer({
    client,
    table: table.name,
    from,
    shards: table.shards,
    to: index,
    only,
    put,
    signal,
  });

  /** Carries the alias over. Resolves with what is left to do then; null where it did not go over. */
  async function switchOver(): Promise<(() => Promise<void>) | null> {
    const heldAt = performance.now();
    if (!(await hold(client, place, false))) return null;
    try {
      await transfer.bring();
      await target.ask({ method: 'POST', path: '/_refresh' });
      const removeGone = await transfer.compare();
      // Where this process ends after that, nothing is left to do, or it is noted what.
      const isSmall = rows <= (options.heldRows ?? HELD_ROWS);
      if (isSmall) await removeGone();
      else await noteLeft(client, table.name, index, shape.mappings._meta, from);
      if (performance.now() - heldAt < MAX_HOLD_MS) {
        const reply = await changeAliases(client, table.name, [
          { remove: { index: from, alias, must_exist: true } },
          { add: { index, alias, is_write_index: true } },
        ]);
        if (reply.status < 300) return isSmall ? () => Promise.resolve() : () => compareNow(removeGone);
        if (!wasOvertaken(reply)) throw await failure(reply);
      }
    } catch (error) {
      await hold(client, place, true).catch(() => false);
      throw error;
    }
    await hold(client, place, true);
    return null;
  }

  let finish: (() => Promise<void>) | null = null;
  try {
    await makeTarget();
    for (let round = 0; round <= ROUNDS && (await transfer.bring()) > LITTLE; round++) signal.throwIfAborted();
    finish = await switchOver();
  } finally {
    // Where nobody knows whether it went over, the next attempt, or the end of the table, looks.
    if (finish === null) await dropIndexUnlessUsed().catch(() => undefined);
  }
  if (finish === null) return false;
  await finish();
  // Where it ends before this, who comes next finds it.
  await leave().catch((error: unknown) => {
    if (!signal.aborted)
      options.log.warn({ table: table.name, err: error }, 'place of a moved table could not be cleared');
  });
  return true;

  async function compareNow(removeGone: () => Promise<void>): Promise<void> {
    try {
      await removeGone();
      await noteCompared(client, table.name, index, shape.mappings._meta);
    } catch (error) {
      // It took so long that another process has ended it, and taken the old place away.
      if (signal.aborted || (await readLeft(client, table.name, alias)) !== null) throw error;
    }
  }

  async function leave(): Promise<void> {
    const { searchGraceMs = SEARCH_GRACE_MS } = options;
    await delay(place.slot === null ? searchGraceMs : VIEW_MS, undefined, { signal });
    if (place.slot === null) await dropIndex(client, table.name, from);
    else await clearPlace(client, table.name, from);
  }

  async function makeTarget(): Promise<void> {
    const reply = await client
      .send({
        method: 'PUT',
        path: `/${index}`,
        query: { timeout: '30s' },
        body: { ...shape, aliases: { [copyOf(index)]: {} } },
        timeoutMs: CREATE_MS,
        attempts: 1,
      })
      .catch((error: unknown) => {
        throw error instanceof Unreachable ? unavailable(table.name, error.message, error) : error;
      });
    if (reply.status >= 300) throw unavailable(table.name, (await failure(reply)).message);
    if (reply.body?.shards_acknowledged === false) throw unavailable(table.name, 'its shards were not started in time');
  }

  async function dropIndexUnlessUsed(): Promise<void> {
    const left = await unusedIndices(client, options.prefix, table.name, alias);
    if (left.some((one) => one.index === index)) await dropIndex(client, table.name, index);
  }
}
