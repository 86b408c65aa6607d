import { setTimeout as delay } from 'node:timers/promises';
import { IndexError, type IndexFailure } from '../../../ports/search-index.ts';
import type { Client, Reply } from './client.ts';

/** What the server says of an error. */
interface Trouble {
  readonly type?: string;
  readonly reason?: string;
  readonly caused_by?: Trouble;
  readonly root_cause?: readonly Trouble[];
  readonly failed_shards?: readonly { readonly reason?: Trouble }[];
}

/** The error and what lies below it. */
function* troubles(trouble: Trouble | string | null | undefined): Generator<Trouble, undefined> {
  if (trouble === null || trouble === undefined || typeof trouble === 'string') return;
  yield trouble;
  yield* troubles(trouble.caused_by);
  for (const one of trouble.root_cause ?? []) yield* troubles(one);
  for (const { reason } of trouble.failed_shards ?? []) yield* troubles(reason);
}

const MISSING = /^(?:index_not_found_exception|aliases_not_found_exception|index_closed_exception)$/;
/** Files that can't be read, in the names of OpenSearch or of Java. */
const CORRUPT = /corrupt|e_?o_?f_?exception|index_?format_?too_?|no_?such_?file|file_?not_?found/i;

/** A short sentence of what went wrong, of names and numbers of the server alone. */
function describe({ status, body }: Reply): string {
  const [first] = troubles(body?.error);
  const text =
    first === undefined ? (typeof body?.error === 'string' ? body.error : '') : `${first.type}: ${first.reason}`;
  return `${status} ${text}`.trim().slice(0, 300);
}

const errorOf = (kind: IndexFailure, table: string, what: string): IndexError =>
  new IndexError(kind, table, `Table ${table} of the search index is ${kind}: ${what}`);

export const unavailable = (table: string, what: string, cause?: unknown): IndexError =>
  new IndexError('unavailable', table, `Table ${table} of the search index is unavailable: ${what}`, cause);

/** How long the server is asked what has become of a shard: it knows some seconds after the damage. */
const EXAMINE_MS = 10_000;
const LOOK_MS = 500;

interface Shard {
  readonly index: string;
  readonly shard: number;
}

/** Primary shards of a table that nobody serves; null where the table is not there. */
async function missingShards(client: Client, target: string): Promise<readonly Shard[] | null> {
  const { status, body } = await client.send({
    method: 'GET',
    path: `/_cluster/health/${target}`,
    query: { level: 'shards', timeout: '1s' },
    timeoutMs: 5_000,
  });
  if (status === 404) return null;
  const missing: Shard[] = [];
  for (const [index, { shards = {} }] of Object.entries<{ shards?: Record<string, { primary_active?: boolean }> }>(
    body?.indices ?? {},
  ))
    for (const [shard, { primary_active: active }] of Object.entries(shards))
      if (active === false) missing.push({ index, shard: Number(shard) });
  return missing;
}

/** Whether the data of a shard can't be read by any node; undefined where the server does not know yet. */
async function isBroken(client: Client, { index, shard }: Shard): Promise<boolean | undefined> {
  const { status, body } = await client.send({
    method: 'POST',
    path: '/_cluster/allocation/explain',
    body: { index, shard, primary: true },
    timeoutMs: 5_000,
  });
  // Assigned meanwhile.
  if (status === 400) return false;
  if (status !== 200) return undefined;
  const { can_allocate: state, unassigned_info: info, node_allocation_decisions: decisions = [] } = body;
  const problems: string[] = decisions.map(({ store }: { store?: { store_exception?: object } }) =>
    JSON.stringify(store?.store_exception ?? ''),
  );
  const details = info?.reason === 'ALLOCATION_FAILED' ? String(info.details ?? '') : '';
  if ([...problems, details].some((text) => CORRUPT.test(text))) return true;
  // Opened again while it is being closed, or looked at by somebody else: that passes.
  if (problems.some((text) => text !== '""')) return undefined;
  // A node that has left may come back with its copy.
  if (state === 'no_valid_shard_copy') return false;
  return state === 'awaiting_info' || state === 'throttled' || state === 'yes' ? undefined : false;
}

/** Whether the table is broken, or only cannot be reached at the moment. Both look the same to who searches or writes. */
async function examine(client: Client, target: string): Promise<IndexFailure> {
  const end = Date.now() + EXAMINE_MS;
  for (let look = 0; Date.now() < end; look++) {
    const missing = await missingShards(client, target);
    if (missing === null) return 'lost';
    if (missing.length === 0 && look > 0) return 'unavailable';
    const states = await Promise.all(missing.map((shard) => isBroken(client, shard)));
    if (states.includes(true)) return 'lost';
    if (states.length > 0 && !states.includes(undefined)) return 'unavailable';
    await delay(LOOK_MS);
  }
  return 'unavailable';
}

/**
 * What an answer that is an error means for the table behind `target`: an IndexError, or an Error where the request was wrong, which is our
 * bug. Never rejects.
 */
export async function failureOf(client: Client, table: string, target: string, reply: Reply): Promise<Error> {
  const text = describe(reply);
  const all = [...troubles(reply.body?.error)];
  if (all.some(({ type = '' }) => MISSING.test(type))) return errorOf('lost', table, text);
  if (reply.status === 404 && typeof reply.body?.error === 'string') return errorOf('lost', table, text);
  if (all.some(({ type = '', reason = '' }) => CORRUPT.test(type) || /corrupt/i.test(reason)))
    return errorOf('lost', table, text);
  // An index that is being copied is not removed meanwhile.
  if (all.some(({ type = '' }) => /snapshot_in_progress/.test(type))) return errorOf('unavailable', table, text);
  if (reply.status === 400) return new Error(`OpenSearch refuses a request: ${text}`);
  if (reply.status !== 500 && reply.status !== 503) return errorOf('unavailable', table, text);
  const kind = await examine(client, target).catch(() => 'unavailable' as const);
  return errorOf(kind, table, text);
}
