import type { InputItem } from '@ai-studio/contract/responses/items.ts';
import type { OutputItem, Response } from '@ai-studio/contract/responses/response.ts';
import { sql } from 'kysely';
import { invalidRequest, quoteId, StudioError } from '../kernel/errors.ts';
import type { TenantId } from '../kernel/context.ts';
import type { Logger } from '../kernel/log.ts';
import { HOUR_MS, repeat } from '../kernel/repeat.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import type { Database, DatabaseDeps } from '../ports/database.ts';

/** A response that is kept. */
export interface StoredResponse {
  /** As it was sent. */
  readonly response: Response;
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
  save(tenantId: TenantId, stored: StoredResponse): Promise<void>;
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
const asInput = (item: OutputItem): InputItem => ({ ...item, status: 'completed' });

/** All items of a response, those of its request first. */
const itemsOf = ({ input, response }: StoredResponse): readonly InputItem[] => [
  ...input,
  ...response.output.map(asInput),
];

export function createResponseStore({ db, box, retentionDays, now }: ResponseStoreDeps): ResponseStore {
  const purposeOf = (id: string) => `response ${id}`;
  const open = ({ id, sealed }: { readonly id: string; readonly sealed: string }) =>
    JSON.parse(box.open(sealed, purposeOf(id))) as StoredResponse;
  const alive = () => new Date(now());

  return {
    keeps: retentionDays > 0,
    async save(tenantId, stored) {
      const { id, previous_response_id: previous } = stored.response;
      const values = {
        id,
        tenant_id: tenantId,
        previous_id: previous,
        item_ids: itemsOf(stored).flatMap((item) => item.id ?? []),
        sealed: box.seal(JSON.stringify(stored), purposeOf(id)),
        created_at: new Date(now()),
        expires_at: new Date(now() + retentionDays * DAY_MS),
      };
      await db.query.insertInto('responses').values(values).execute();
    },
    async get(tenantId, id) {
      const found = RESPONSE_ID.test(id)
        ? await db.query
            .selectFrom('responses')
            .select(['id', 'sealed'])
            .where('id', '=', id)
            .where('tenant_id', '=', tenantId)
            .where('expires_at', '>', alive())
            .executeTakeFirst()
        : undefined;
      if (!found) throw notFound(id);
      return open(found);
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
      const found = rows.flatMap((row) => itemsOf(open(row)));
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
      return rows.flatMap((row) => itemsOf(open(row)));
    },
  };
}

/** Names the lock that lets one process of all do this at a time. */
const LOCK = 4_203_025;

/** Deletes responses whose time is over. Returns how many; null while another process is at it. */
export function deleteOldResponses({ db }: DatabaseDeps): Promise<number | null> {
  return db.transaction(async (tx) => {
    const { rows } = await sql<{ mine: boolean }>`SELECT pg_try_advisory_xact_lock(${LOCK}) AS mine`.execute(tx);
    if (rows[0]?.mine !== true) return null;
    const old = await sql`DELETE FROM responses WHERE expires_at < now()`.execute(tx);
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
