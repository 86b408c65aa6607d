import type { InputItem } from '@ai-studio/contract/responses/items.ts';
import type { OutputItem, Response } from '@ai-studio/contract/responses/response.ts';
import { type Kysely, sql } from 'kysely';
import { invalidRequest, quoteId, StudioError } from '../kernel/errors.ts';
import type { TenantId } from '../kernel/context.ts';
import type { Logger } from '../kernel/log.ts';
import { HOUR_MS, repeat } from '../kernel/repeat.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import type { Database, DatabaseDeps, Tables } from '../ports/database.ts';
import { shownItem } from './hosted-items.ts';

/** A response that is kept. */
export interface StoredResponse {
  /** As it was sent, with what of its items the caller did not ask for. */
  readonly response: Response;
  /** What the caller asked to be included. */
  readonly include?: readonly string[];
  /** Of its request, each with an id. */
  readonly input: readonly (InputItem & { readonly id: string })[];
}

export interface ResponseStoreDeps {
  readonly db: Database;
  readonly box: SecretBox;
  /** How long responses are kept; 0 keeps none. */
  readonly retentionDays: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Responses that are kept, each for its tenant alone; sealed, as they hold what people asked. */
export interface ResponseStore {
  /** Whether anything is kept. */
  readonly keeps: boolean;
  /** Keeps one, within a transaction where one is given. */
  save(tenantId: TenantId, stored: StoredResponse, query?: Kysely<Tables>): Promise<void>;
  /** Changes one that is made in the background. */
  change(tenantId: TenantId, stored: StoredResponse, query: Kysely<Tables>): Promise<void>;
  /** Throws StudioError `not_found`. */
  get(tenantId: TenantId, id: string): Promise<StoredResponse>;
  /** Throws StudioError `not_found`. */
  remove(tenantId: TenantId, id: string): Promise<void>;
  /** Items of kept responses, by their ids; those that are not there are left out. */
  items(tenantId: TenantId, ids: readonly string[]): Promise<ReadonlyMap<string, InputItem>>;
  /** All that was said up to and with a response, the oldest first. Throws StudioError `invalid_request`. */
  conversation(tenantId: TenantId, id: string): Promise<readonly InputItem[]>;
}

const DAY_MS = 86_400_000;
/** Responses of one conversation. */
const MAX_CHAIN = 1_000;
const RESPONSE_ID = /^resp_[0-9a-f]{32}$/;
const ITEM_ID = /^[\w-]{1,200}$/;

const notFound = (id: string) =>
  new StudioError('not_found', `There is no response ${quoteId(id)}; it was not stored, was deleted, or is too old`);

const noPrevious = (id: string) =>
  invalidRequest(
    `previous_response_id: there is no response ${quoteId(id)}; it was not stored, was deleted, or is too old`,
    'previous_response_id',
  );

/** An item of an answer, as one of a request. */
const asInput = (item: OutputItem): InputItem =>
  item.type === 'message' || item.type === 'function_call' || item.type === 'reasoning'
    ? { ...item, status: 'completed' }
    : item;

/** A response as its caller is shown it; `more`: what is asked to be included now. */
export function shownResponse({ response, include }: StoredResponse, more: readonly string[] = []): Response {
  const included = new Set([...(include ?? []), ...more]);
  return { ...response, output: response.output.map((item) => shownItem(item, included)) };
}

const OPEN_STATES: ReadonlySet<string> = new Set(['queued', 'in_progress']);
/** Whether a response is not made yet. */
export const isOpen = ({ status }: Pick<Response, 'status'>): boolean => OPEN_STATES.has(status);

/** All items of a response, those of its request first. */
export const storedItems = ({ input, response }: StoredResponse): readonly InputItem[] => [
  ...input,
  ...response.output.map(asInput),
];

export function createResponseStore({ db, box, retentionDays, now }: ResponseStoreDeps): ResponseStore {
  const purposeOf = (id: string) => `response ${id}`;
  const open = ({ id, sealed }: { readonly id: string; readonly sealed: string }) =>
    JSON.parse(box.open(sealed, purposeOf(id))) as StoredResponse;
  const alive = () => new Date(now());

  const rowOf = (stored: StoredResponse) => {
    const { id } = stored.response;
    const item_ids = storedItems(stored).flatMap((item) => item.id ?? []);
    return { item_ids, sealed: box.seal(JSON.stringify(stored), purposeOf(id)) };
  };

  return {
    keeps: retentionDays > 0,
    async save(tenantId, stored, query = db.query) {
      const values = {
        id: stored.response.id,
        tenant_id: tenantId,
        previous_id: stored.response.previous_response_id,
        ...rowOf(stored),
        created_at: new Date(now()),
        expires_at: new Date(now() + retentionDays * DAY_MS),
      };
      await query.insertInto('responses').values(values).execute();
    },
    async change(tenantId, stored, query) {
      const { id } = stored.response;
      await query
        .updateTable('responses')
        .set(rowOf(stored))
        .where('id', '=', id)
        .where('tenant_id', '=', tenantId)
        .execute();
    },
    async get(tenantId, id) {
      const found = RESPONSE_ID.test(id)
        ? await db.query
            .selectFrom('responses')
            .leftJoin('response_jobs', 'response_jobs.id', 'responses.id')
            .select(['responses.id', 'sealed', 'response_jobs.state'])
            .where('responses.id', '=', id)
            .where('responses.tenant_id', '=', tenantId)
            .where('expires_at', '>', alive())
            .executeTakeFirst()
        : undefined;
      if (!found) throw notFound(id);
      const stored = open(found);
      if (found.state !== 'running' || !isOpen(stored.response)) return stored;
      return { ...stored, response: { ...stored.response, status: 'in_progress' } };
    },
    async remove(tenantId, id) {
      const gone = RESPONSE_ID.test(id)
        ? await db.query
            .deleteFrom('responses')
            .where('id', '=', id)
            .where('tenant_id', '=', tenantId)
            .where('expires_at', '>', alive())
            .returning('id')
            .executeTakeFirst()
        : undefined;
      if (!gone) throw notFound(id);
    },
    async items(tenantId, ids) {
      const { rows } = await sql<{ id: string; sealed: string }>`
        SELECT id, sealed FROM responses
          WHERE item_ids && ${ids.filter((id) => ITEM_ID.test(id))}::text[] AND tenant_id = ${tenantId} AND expires_at > ${alive()}`.execute(
        db.query,
      );
      const wanted = new Set(ids);
      const found = rows.flatMap((row) => storedItems(open(row)));
      return new Map(found.flatMap((item) => (item.id && wanted.has(item.id) ? [[item.id, item]] : [])));
    },
    async conversation(tenantId, id) {
      if (!RESPONSE_ID.test(id)) throw noPrevious(id);
      const { rows } = await sql<{ id: string; sealed: string; previous_id: string | null }>`
        WITH RECURSIVE chain AS (
          SELECT id, sealed, previous_id, 1 AS place FROM responses
            WHERE id = ${id} AND tenant_id = ${tenantId} AND expires_at > ${alive()}
          UNION ALL
          SELECT before.id, before.sealed, before.previous_id, chain.place + 1 FROM responses AS before
            JOIN chain ON before.id = chain.previous_id
            WHERE before.tenant_id = ${tenantId} AND before.expires_at > ${alive()} AND chain.place < ${MAX_CHAIN}
        )
        SELECT id, sealed, previous_id FROM chain ORDER BY place DESC`.execute(db.query);
      const missing = rows.length === 0 ? id : rows[0]?.previous_id;
      if (missing) throw noPrevious(missing);
      const chain = rows.map(open);
      const unfinished = chain.find(({ response }) => isOpen(response));
      if (unfinished)
        throw invalidRequest(
          `previous_response_id: the response ${quoteId(unfinished.response.id)} is still being made; wait until it has ended`,
          'previous_response_id',
        );
      return chain.flatMap(storedItems);
    },
  };
}

/** Names the lock that lets one process of all do this at a time. */
const LOCK = 4_203_025;

/** Deletes responses and conversations whose time is over. Returns how many responses; null while another process is at it. */
export function deleteOldResponses({ db }: DatabaseDeps): Promise<number | null> {
  return db.transaction(async (tx) => {
    const { rows } = await sql<{ mine: boolean }>`SELECT pg_try_advisory_xact_lock(${LOCK}) AS mine`.execute(tx);
    if (rows[0]?.mine !== true) return null;
    const old = await sql`DELETE FROM responses WHERE expires_at < now()`.execute(tx);
    await sql`DELETE FROM response_conversations WHERE expires_at < now()`.execute(tx);
    return Number(old.numAffectedRows ?? 0);
  });
}

/** Deletes old responses now and once an hour. Returns a function that stops this; safe to repeat. */
export const startResponseRetention = ({ db, log }: DatabaseDeps & { readonly log: Logger }): (() => Promise<void>) =>
  repeat(HOUR_MS, async () => {
    try {
      const count = await deleteOldResponses({ db });
      if (count !== null && count > 0) log.info({ count }, 'old responses deleted');
    } catch (error) {
      log.warn({ err: error }, 'old responses could not be deleted');
    }
  });
