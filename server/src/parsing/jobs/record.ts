import type { DocumentParseFields } from '@ai-studio/contract/utilities/document.ts';
import type { DoclingFormat } from '@ai-studio/documents';
import { sql } from 'kysely';
import { createJobTable } from '../../jobs/job-table.ts';
import type { TenantId } from '../../kernel/context.ts';
import type { Database, Queryable, WithinChange } from '../../ports/database.ts';

/** An upload that is not complete after so long never will be. */
const ARRIVAL_HOURS = 1;

const clock = sql<Date>`clock_timestamp()`;
const afterHours = (hours: number) => sql<Date>`clock_timestamp() + ${hours} * interval '1 hour'`;

/** Where the file of a document lies in the blob store. */
export const blobKey = ({ id, tenantId }: { readonly id: string; readonly tenantId: TenantId }): string =>
  `documents/${tenantId}/${id}`;

/** How a document is read, and the form in which it is given where its endpoint keeps that with it. */
export interface ParseFields extends DocumentParseFields {
  readonly docling?: DoclingWish | undefined;
}

/** What a client of Docling Serve wants. */
export interface DoclingWish {
  readonly formats: readonly DoclingFormat[];
  /** Between the pages of Markdown. */
  readonly pageBreak: string;
}

/** A document as it was given. */
export interface NewParse {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly keyId: string | null;
  /** Who gave it in the console. */
  readonly userId: string | null;
  readonly name: string | null;
  readonly size: number;
  readonly fields: ParseFields;
}

/** A document that this process reads. */
export interface ClaimedParse extends Omit<NewParse, 'size'> {
  readonly claim: string;
  readonly attempts: number;
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

/** The queue of documents that wait to be read. */
export const parseJobs = createJobTable({
  table: 'document_parses',
  id: 'id',
  states: { queued: 'queued', running: 'running' },
  order: sql`created_at, id`,
  fairness: 'fewest_running',
  lastTurn: 'started_at',
  onClaim: { started_at: clock, pages_done: 0, pages_total: null },
  columns: ['id', 'tenant_id', 'key_id', 'user_id', 'name', 'fields', 'attempts'],
  leaseSeconds: 15,
  maxAttempts: 10,
});

/** All documents that were being read wait again: for a service that has its database to itself, before it begins to read any. */
export const takeUpParses = ({ query }: Queryable): Promise<number> => parseJobs.takeUpAll(query);

/** Claims the next document, of another tenant than these; null where none waits. */
export async function claimParse({ query }: Database, except: readonly TenantId[] = []): Promise<ClaimedParse | null> {
  const [row] = await parseJobs.claim(query, 1, { except });
  if (row === undefined) return null;
  const { tenant_id: tenantId, key_id: keyId, user_id: userId, ...rest } = row;
  return { ...rest, tenantId, keyId, userId };
}

/** How far the reading of a document is. */
export interface Progress {
  readonly done: number;
  /** Null until it is known. */
  readonly total: number | null;
}

interface Result {
  readonly result: Buffer;
  readonly pages: number;
  readonly format: string;
  readonly keepHours: number;
}

const ended = (keepHours: number) => ({ finished_at: clock, expires_at: afterHours(keepHours), claim: null });

/** Stores an outcome and its usage, or neither. Resolves with false where the document is no longer this process's. */
const end = (db: Database, parse: ClaimedParse, outcome: object, storeUsage: WithinChange): Promise<boolean> =>
  db.transaction(async (tx) => {
    if (!(await parseJobs.update(tx, parse, outcome))) return false;
    await storeUsage(tx);
    return true;
  });

/** Keeps what was read for so many hours, and its usage. Resolves with false where the document is no longer this process's. */
export const finish = (
  db: Database,
  parse: ClaimedParse,
  { result, pages, format, keepHours }: Result,
  storeUsage: WithinChange,
): Promise<boolean> =>
  end(
    db,
    parse,
    { state: 'done', result, format, pages_done: pages, pages_total: pages, ...ended(keepHours) },
    storeUsage,
  );

/** Why a document was not read. */
export interface Reason {
  readonly code: string;
  readonly message: string;
}

/** The document can't be read. Resolves with false where it is no longer this process's. */
export const fail = (
  db: Database,
  parse: ClaimedParse,
  { code, message, keepHours }: Reason & Pick<Result, 'keepHours'>,
  storeUsage: WithinChange,
): Promise<boolean> =>
  end(db, parse, { state: 'failed', error_code: code, error_message: message, ...ended(keepHours) }, storeUsage);

/** How a tenant's own document of this id stands, without what was read of it. */
export const findParseState = ({ query }: Database, tenantId: TenantId, id: string) =>
  query
    .selectFrom('document_parses')
    .select(['state', 'error_code', 'error_message'])
    .where('id', '=', id)
    .where('tenant_id', '=', tenantId)
    .where('state', '<>', 'arriving')
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', clock)]))
    .executeTakeFirst();

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
