import { setTimeout as delay } from 'node:timers/promises';
import { hexId } from '../../../kernel/ids.ts';
import { linesOfHits, piecesOf, sendPiece, type Line } from './bulk.ts';
import { Unreachable, type Client, type Reply } from './client.ts';
import { failureOf, unavailable } from './failure.ts';
import { movedIndexOf } from './mapping.ts';
import type { OpenSearchOptions } from './options.ts';
import { changeAliases, hold, wasOvertaken, type Place } from './places.ts';
import { scroll } from './scroll.ts';
import { sweepTable } from './sweep.ts';
import { askFor, type OpenTable } from './table.ts';

// A table that has grown leaves the index that it shares. Its rows are copied while others write; then it takes no writes for a moment, what
// has changed is copied, and its alias goes over. Searches go on all the while, and no row of a write that was answered is lost: one that
// was still under way to the old place is found there afterwards. Several processes may try at once: one of them carries the alias over.

const ROWS = 500;
const IDS = 5_000;
/** Rounds until what changes meanwhile is little. */
const ROUNDS = 5;
const LITTLE = 500;
/** What was under way when the table was held has mostly arrived after this time. */
const SETTLE_MS = 500;
/** Longer than this no write is kept waiting; the table moves another time. */
const MAX_HOLD_MS = 8_000;
/** What a process left behind that ended while it moved a table. */
const ABANDONED_MS = 60 * 60_000;
const CREATE_MS = 60_000;

interface Hit {
  readonly _id: string;
  readonly _seq_no: number;
  readonly _primary_term: number;
  readonly _source?: Readonly<Record<string, unknown>>;
  readonly found?: boolean;
}

const versionOf = ({ _seq_no: number, _primary_term: term }: Hit): string => `${term}:${number}`;

/** Names of the indices that a table moves into: each attempt has its own. */
const moveNames = (prefix: string, table: string) => {
  const start = `${prefix}-i-${table}-m`;
  return {
    index: start + hexId().slice(0, 8),
    all: `${start}*`,
    isOne: (index: string): boolean => index.startsWith(start) && /^[0-9a-f]{8}$/.test(index.slice(start.length)),
  };
};

/** Indices into which a table was being moved, and how old they are; not the one that it lies in. Throws IndexError. */
export async function unfinishedMoves(client: Client, prefix: string, table: string, alias: string) {
  const names = moveNames(prefix, table);
  const { body } = await askFor(client, table, names.all, { method: 'GET', path: `/${names.all}` });
  // oxlint-disable-next-line typescript/no-explicit-any -- JSON of another server
  return Object.entries<any>(body ?? {})
    .filter(([index, { aliases = {} }]) => names.isOne(index) && !Object.hasOwn(aliases, alias))
    .map(([index, { settings }]) => ({ index, ageMs: Date.now() - Number(settings?.index?.creation_date ?? 0) }));
}

export async function dropIndex(client: Client, table: string, index: string): Promise<void> {
  await askFor(client, table, index, { method: 'DELETE', path: `/${index}`, query: { ignore_unavailable: true } });
}

interface Move {
  readonly client: Client;
  readonly options: OpenSearchOptions;
  readonly table: OpenTable;
  readonly place: Place;
  readonly signal: AbortSignal;
}

/** Moves a table into an index of its own. Resolves with whether it did: another process may be at it. Throws IndexError, and the reason of the signal. */
export async function moveOut({ client, options, table, place, signal }: Move): Promise<boolean> {
  const { alias, index: from } = place;
  const { body: lies } = await askFor(client, table.name, alias, { method: 'GET', path: `/_alias/${alias}` });
  // Another process has moved it already.
  if (!Object.hasOwn(lies ?? {}, from)) return false;
  for (const { index, ageMs } of await unfinishedMoves(client, options.prefix, table.name, alias)) {
    if (ageMs < ABANDONED_MS) return false;
    await dropIndex(client, table.name, index);
  }
  const { index } = moveNames(options.prefix, table.name);
  const copy = `${index}.copy`;
  const failure = (reply: Reply) => failureOf(client, table.name, copy, reply);
  const target = {
    name: table.name,
    ask: (request: Parameters<OpenTable['ask']>[0]) =>
      askFor(client, table.name, copy, { ...request, path: `/${copy}${request.path}`, signal }),
    release: () => Promise.resolve(),
  };
  const put = async (lines: Iterable<Line>) => {
    for (const piece of piecesOf(lines)) await sendPiece({ table: target, failure, onWritten: () => undefined }, piece);
  };
  /** The rows that are in the copy, as they were in the old place. */
  const known = new Map<string, string>();

  async function copyAll(): Promise<void> {
    for await (const hits of scroll(client, table, { size: ROWS, seq_no_primary_term: true, signal })) {
      for (const hit of hits as readonly Hit[]) known.set(hit._id, versionOf(hit));
      await put(linesOfHits(hits as readonly Hit[]));
    }
  }

  /** Copies what has changed since. Resolves with how much that was. */
  async function copyChanges(): Promise<number> {
    const gone = new Set(known.keys());
    const changed: string[] = [];
    const body = { size: IDS, _source: false, seq_no_primary_term: true, signal };
    for await (const hits of scroll(client, table, body))
      for (const hit of hits as readonly Hit[]) {
        gone.delete(hit._id);
        if (known.get(hit._id) !== versionOf(hit)) changed.push(hit._id);
      }
    for (let at = 0; at < changed.length; at += ROWS) {
      const ids = changed.slice(at, at + ROWS);
      const { body: answer } = await table.ask({ method: 'POST', path: '/_mget', body: { ids }, signal });
      const docs = ((answer?.docs ?? []) as readonly Hit[]).filter(({ found }) => found === true);
      for (const doc of docs) known.set(doc._id, versionOf(doc));
      await put(linesOfHits(docs));
    }
    await put([...gone].map((id) => ({ id })));
    for (const id of gone) known.delete(id);
    return changed.length + gone.size;
  }

  /** Whether the alias went over. */
  async function switchOver(): Promise<boolean> {
    const heldAt = performance.now();
    if (!(await hold(client, place, false))) return false;
    try {
      await delay(SETTLE_MS);
      await copyChanges();
      await target.ask({ method: 'POST', path: '/_refresh' });
      if (performance.now() - heldAt < MAX_HOLD_MS) {
        const reply = await changeAliases(client, table.name, [
          { remove: { index: from, alias, must_exist: true } },
          { add: { index, alias, is_write_index: true } },
        ]);
        if (reply.status < 300) return true;
        if (!wasOvertaken(reply)) throw await failure(reply);
      }
    } catch (error) {
      await hold(client, place, true).catch(() => false);
      throw error;
    }
    await hold(client, place, true);
    return false;
  }

  let moved = false;
  try {
    await makeTarget();
    await copyAll();
    for (let round = 0; round < ROUNDS && (await copyChanges()) > LITTLE; round++) signal.throwIfAborted();
    moved = await switchOver();
  } finally {
    // Where nobody knows whether it went over, the next attempt, or the end of the table, looks.
    if (!moved) await dropIndexUnlessUsed().catch(() => undefined);
  }
  if (moved) {
    const sweep = { client, options, table: table.name, place };
    await sweepTable({ ...sweep, known }).catch((error: unknown) =>
      options.log.warn(
        { table: table.name, err: error },
        'rows of a moved table are still in the index that it shared',
      ),
    );
  }
  return moved;

  async function makeTarget(): Promise<void> {
    const reply = await client
      .send({
        method: 'PUT',
        path: `/${index}`,
        query: { timeout: '30s' },
        body: { ...movedIndexOf(options, table.dimension, place.slot), aliases: { [copy]: {} } },
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
    const left = await unfinishedMoves(client, options.prefix, table.name, alias);
    if (left.some((one) => one.index === index)) await dropIndex(client, table.name, index);
  }
}
