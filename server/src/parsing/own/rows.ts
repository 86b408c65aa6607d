import type { ParserDocument } from '@ai-studio/contract/console/parser.ts';
import { sql } from 'kysely';
import type { Person } from '../../kernel/actor.ts';
import type { Database } from '../../ports/database.ts';

const clock = sql<Date>`clock_timestamp()`;
/** Older ones are still opened by their address. */
const MAX_LISTED = 200;
const ID = /^[0-9a-f]{32}$/;

const own = ({ query }: Database, { tenantId, userId }: Person) =>
  query
    .selectFrom('document_parses')
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .where('state', '<>', 'arriving')
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', clock)]));

const columns = [
  'id',
  'name',
  'size',
  'format',
  'state',
  'pages_done',
  'pages_total',
  'error_code',
  'created_at',
  'started_at',
  'finished_at',
  'expires_at',
] as const;

const listed = (db: Database, owner: Person) => own(db, owner).select(columns);
export type OwnRow = Awaited<ReturnType<ReturnType<typeof listed>['executeTakeFirstOrThrow']>>;

/** The newest documents of a person, newest first. */
export const listOwn = (db: Database, owner: Person): Promise<OwnRow[]> =>
  listed(db, owner).orderBy('created_at', 'desc').orderBy('id').limit(MAX_LISTED).execute();

/** A person's document; none where it has expired, or is another's. */
export const findOwn = async (db: Database, owner: Person, id: string): Promise<OwnRow | undefined> =>
  ID.test(id) ? listed(db, owner).where('id', '=', id).executeTakeFirst() : undefined;

/** What was read of it, packed; none until then. */
export async function resultOf(db: Database, owner: Person, id: string): Promise<Buffer | null> {
  const row = await own(db, owner).select('result').where('id', '=', id).executeTakeFirst();
  return row?.result ?? null;
}

/** Removes it. Resolves with false where there was none. */
export async function deleteOwn({ query }: Database, { tenantId, userId }: Person, id: string): Promise<boolean> {
  const { numDeletedRows } = await query
    .deleteFrom('document_parses')
    .where('id', '=', id)
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

const states = {
  arriving: 'waiting',
  queued: 'waiting',
  running: 'reading',
  done: 'done',
  failed: 'failed',
} as const satisfies Record<OwnRow['state'], ParserDocument['state']>;

/** A document as its person is told of it. */
export const shown = (row: OwnRow): ParserDocument => ({
  id: row.id,
  name: row.name,
  size: Number(row.size),
  format: row.format,
  state: states[row.state],
  pages_done: row.pages_done,
  pages_total: row.pages_total,
  failure: row.state === 'failed' ? (row.error_code as ParserDocument['failure']) : null,
  created_at: row.created_at.toISOString(),
  took_ms:
    row.started_at === null || row.finished_at === null ? null : row.finished_at.getTime() - row.started_at.getTime(),
  expires_at: row.expires_at?.toISOString() ?? null,
});
