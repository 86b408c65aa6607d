import type { DocumentParseFields } from '@ai-studio/contract/utilities/document.ts';
import { sql } from 'kysely';
import type { TenantId } from '../../kernel/context.ts';
import type { Database } from '../../ports/database.ts';

// Rows of `document_parses`. Every change of a document that runs names its claim: a process that was taken for gone, and is not,
// changes nothing any more.

/** A running document whose process gave no sign of life for so long is one of a process that is gone. */
const LEASE_SECONDS = 15;
/** How often a document is begun: one that ends the service with it does not do so for ever. */
const MAX_ATTEMPTS = 3;
/** An upload that is not complete after so long never will be. */
const ARRIVAL_HOURS = 1;

const clock = sql<Date>`clock_timestamp()`;
const afterHours = (hours: number) => sql<Date>`clock_timestamp() + ${hours} * interval '1 hour'`;

/** Where the file of a document lies in the blob store. */
export const blobKey = ({ id, tenantId }: { readonly id: string; readonly tenantId: TenantId }): string =>
  `documents/${tenantId}/${id}`;

/** A document as it was given. */
export interface NewParse {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly keyId: string | null;
  /** Who gave it in the console. */
  readonly userId: string | null;
  readonly name: string | null;
  readonly size: number;
  readonly fields: DocumentParseFields;
}

/** A document that this process reads. */
export interface ClaimedParse extends Omit<NewParse, 'size'> {
  readonly claim: string;
}

/** How many documents of a tenant are not read yet. */
export async function countOpen({ query }: Database, tenantId: TenantId): Promise<number> {
  const { open } = await query
    .selectFrom('document_parses')
    .select(({ fn }) => fn.countAll<number>().as('open'))
    .where('tenant_id', '=', tenantId)
    .where('state', 'in', ['arriving', 'queued', 'running'])
    .executeTakeFirstOrThrow();
  return Number(open);
}

/** Notes a document whose file is about to be put away: from now on it is removed if nothing comes of it. */
export async function insertArriving({ query }: Database, parse: NewParse): Promise<void> {
  await query
    .insertInto('document_parses')
    .values({
      id: parse.id,
      tenant_id: parse.tenantId,
      key_id: parse.keyId,
      user_id: parse.userId,
      name: parse.name,
      size: parse.size,
      fields: JSON.stringify(parse.fields),
      state: 'arriving',
      expires_at: afterHours(ARRIVAL_HOURS),
    })
    .execute();
}

/** Its file is there. */
export async function queueArrived({ query }: Database, id: string): Promise<void> {
  await query
    .updateTable('document_parses')
    .set({ state: 'queued', expires_at: null })
    .where('id', '=', id)
    .where('state', '=', 'arriving')
    .execute();
}

interface ClaimedRow {
  readonly id: string;
  readonly tenant_id: TenantId;
  readonly key_id: string | null;
  readonly user_id: string | null;
  readonly name: string | null;
  readonly fields: DocumentParseFields;
}

/**
 * Takes the next document; null where none waits. First come those of the tenant of which the fewest are being read, and of these
 * the one whose turn was longest ago.
 */
export async function claimNext({ query }: Database, claim: string): Promise<ClaimedParse | null> {
  const { rows } = await sql<ClaimedRow>`
    WITH turns AS (
      SELECT tenant_id,
        (SELECT count(*) FROM document_parses AS other
          WHERE other.tenant_id = waiting.tenant_id AND other.state = 'running') AS running,
        (SELECT max(started_at) FROM document_parses AS other WHERE other.tenant_id = waiting.tenant_id) AS served
      FROM (SELECT DISTINCT tenant_id FROM document_parses WHERE state = 'queued') AS waiting
    ), chosen AS (
      SELECT one.id FROM document_parses AS one JOIN turns ON turns.tenant_id = one.tenant_id
      WHERE one.state = 'queued'
      ORDER BY turns.running, turns.served NULLS FIRST, one.created_at, one.id
      LIMIT 1 FOR UPDATE OF one SKIP LOCKED
    )
    UPDATE document_parses AS taken
    SET state = 'running', claim = ${claim}, attempts = attempts + 1, started_at = clock_timestamp(),
      seen_at = clock_timestamp(), pages_done = 0, pages_total = NULL
    FROM chosen WHERE taken.id = chosen.id
    RETURNING taken.id, taken.tenant_id, taken.key_id, taken.user_id, taken.name, taken.fields`.execute(query);
  const [row] = rows;
  if (row === undefined) return null;
  const { id, tenant_id: tenantId, key_id: keyId, user_id: userId, name, fields } = row;
  return { id, tenantId, keyId, userId, name, fields, claim };
}

const own = ({ query }: Database, { id, claim }: ClaimedParse) =>
  query.updateTable('document_parses').where('id', '=', id).where('claim', '=', claim).where('state', '=', 'running');

/** How far the reading of a document is. */
export interface Progress {
  readonly done: number;
  /** Null until it is known. */
  readonly total: number | null;
}

/** A sign of life. Resolves with false where the document is no longer this process's. */
export async function beat(db: Database, parse: ClaimedParse, { done, total }: Progress): Promise<boolean> {
  const { numUpdatedRows } = await own(db, parse)
    .set({ seen_at: clock, pages_done: done, pages_total: total })
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

interface Result {
  readonly result: Buffer;
  readonly pages: number;
  readonly format: string;
  readonly keepHours: number;
}

/** Keeps what was read for so many hours. Resolves with false where the document is no longer this process's. */
export async function finish(
  db: Database,
  parse: ClaimedParse,
  { result, pages, format, keepHours }: Result,
): Promise<boolean> {
  const { numUpdatedRows } = await own(db, parse)
    .set({
      state: 'done',
      result,
      format,
      pages_done: pages,
      pages_total: pages,
      finished_at: clock,
      expires_at: afterHours(keepHours),
      claim: null,
      seen_at: null,
    })
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Why a document was not read. */
export interface Reason {
  readonly code: string;
  readonly message: string;
}

/** The document can't be read. Resolves with false where it is no longer this process's. */
export async function fail(
  db: Database,
  parse: ClaimedParse,
  { code, message }: Reason,
  keepHours: number,
): Promise<boolean> {
  const { numUpdatedRows } = await own(db, parse)
    .set({
      state: 'failed',
      error_code: code,
      error_message: message,
      finished_at: clock,
      expires_at: afterHours(keepHours),
      claim: null,
      seen_at: null,
    })
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Back to those that wait. The attempt counts unless this process is not to blame on the document. */
export async function putBack(db: Database, parse: ClaimedParse, counts: boolean): Promise<void> {
  await own(db, parse)
    .set(({ eb }) => ({
      state: 'queued',
      claim: null,
      seen_at: null,
      ...(counts ? {} : { attempts: eb('attempts', '-', 1) }),
    }))
    .execute();
}

/** Documents whose process is gone wait again, or have failed where that happened too often. Returns how many wait again. */
export async function takeUpAbandoned({ query }: Database, keepHours: number): Promise<number> {
  const abandoned = sql<boolean>`seen_at < clock_timestamp() - ${LEASE_SECONDS} * interval '1 second'`;
  await query
    .updateTable('document_parses')
    .set({
      state: 'failed',
      error_code: 'INTERNAL',
      error_message: 'The document could not be read: each time the service ended in the middle.',
      finished_at: clock,
      expires_at: afterHours(keepHours),
      claim: null,
      seen_at: null,
    })
    .where('state', '=', 'running')
    .where('attempts', '>=', MAX_ATTEMPTS)
    .where(abandoned)
    .execute();
  const { numUpdatedRows } = await query
    .updateTable('document_parses')
    .set({ state: 'queued', claim: null, seen_at: null })
    .where('state', '=', 'running')
    .where(abandoned)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Whether a document that failed for no reason of its own is begun again. */
export async function mayTryAgain({ query }: Database, { id, claim }: ClaimedParse): Promise<boolean> {
  const row = await query
    .selectFrom('document_parses')
    .select('attempts')
    .where('id', '=', id)
    .where('claim', '=', claim)
    .executeTakeFirst();
  return row !== undefined && row.attempts < MAX_ATTEMPTS;
}

/** A tenant's own document of this id, unless it has expired. */
export const findParse = ({ query }: Database, tenantId: TenantId, id: string) =>
  query
    .selectFrom('document_parses')
    .select([
      'id',
      'name',
      'fields',
      'state',
      'pages_done',
      'pages_total',
      'error_code',
      'error_message',
      'result',
      'started_at',
      'finished_at',
      'expires_at',
    ])
    .where('id', '=', id)
    .where('tenant_id', '=', tenantId)
    .where('state', '<>', 'arriving')
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', clock)]))
    .executeTakeFirst();
