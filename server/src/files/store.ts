import type { FilePurpose, FilesQuery, KeptPurpose, StoredFile } from '@ai-studio/contract/files.ts';
import { sql } from 'kysely';
import type { Readable } from 'node:stream';
import type { Query } from '../jobs/job-table.ts';
import type { Principal } from '../kernel/actor.ts';
import type { TenantId } from '../kernel/context.ts';
import { invalidRequest, quoteId, StudioError } from '../kernel/errors.ts';
import { hexId } from '../kernel/ids.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { Database, Queryable } from '../ports/database.ts';

export interface FilesDeps {
  readonly db: Database;
  readonly blobs: BlobStore;
}

export interface UploadDeps extends FilesDeps {
  /** Bytes that all files of a tenant may have together. */
  readonly tenantBytes: number;
}

/** A file as its row has it. */
export interface FileRow {
  readonly id: string;
  readonly name: string;
  readonly purpose: KeptPurpose;
  readonly size: number;
  readonly created_at: Date;
  readonly expires_at: Date | null;
}

/** A file to be kept, which lies on this machine. */
export interface NewFile {
  readonly path: string;
  readonly name: string;
  readonly bytes: number;
  readonly purpose: FilePurpose;
  /** After how many seconds it is removed; null: never. */
  readonly expiresAfterSeconds: number | null;
}

const FILE_ID = /^file-[0-9a-f]{32}$/;
/** An upload that is not complete after so long never will be. */
const ARRIVAL_SECONDS = 3_600;

/** A new id of a file. */
export const fileId = (): string => `file-${hexId()}`;
/** Where the bytes of a file lie in the blob store. */
export const blobKey = (tenantId: TenantId, id: string): string => `files/${tenantId}/${id}`;

const clock = sql<Date>`clock_timestamp()`;
const afterSeconds = (seconds: number) => sql<Date>`clock_timestamp() + ${seconds} * interval '1 second'`;
const columns = ['id', 'name', 'purpose', 'size', 'created_at', 'expires_at'] as const;

const notFound = (id: string) =>
  new StudioError('not_found', `There is no file ${quoteId(id)}; it was deleted, has expired, or never was`);

const secondsOf = (at: Date): number => Math.floor(at.getTime() / 1000);

/** A file as callers see it. */
export const describeFile = (row: FileRow): StoredFile => ({
  id: row.id,
  object: 'file',
  bytes: row.size,
  created_at: secondsOf(row.created_at),
  expires_at: row.expires_at && secondsOf(row.expires_at),
  filename: row.name,
  purpose: row.purpose,
  status: 'processed',
});

/** It is whole, and its time is not over. */
const isReadable = sql<boolean>`ready AND (expires_at IS NULL OR expires_at > clock_timestamp())`;

const files = ({ query }: Queryable, tenantId: TenantId) =>
  query.selectFrom('files').select(columns).where('tenant_id', '=', tenantId).where(isReadable);

/** Notes a file whose bytes are about to come. Throws StudioError `too_large` where the tenant has no room for it. */
const insertArriving = ({ db, tenantBytes }: UploadDeps, { tenantId, keyId }: Principal, id: string, file: NewFile) =>
  db.transaction(async (tx) => {
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`files ${tenantId}`}, 0))`.execute(tx);
    const { used } = await tx
      .selectFrom('files')
      .select(({ fn }) => fn.coalesce(fn.sum<number>('size'), sql<number>`0`).as('used'))
      .where('tenant_id', '=', tenantId)
      .executeTakeFirstOrThrow();
    const left = tenantBytes - Number(used);
    if (file.bytes > left)
      throw new StudioError(
        'too_large',
        `The file has ${file.bytes} bytes, and your organisation has room for ${Math.max(0, left)} more of its ${tenantBytes}; delete files that are not needed`,
        { param: 'file' },
      );
    await tx
      .insertInto('files')
      .values({
        id,
        tenant_id: tenantId,
        key_id: keyId,
        name: file.name,
        purpose: file.purpose,
        size: file.bytes,
        ready: false,
        expires_at: afterSeconds(ARRIVAL_SECONDS),
      })
      .execute();
  });

/** Keeps a file of this machine, which is copied. Throws StudioError `too_large`, `unavailable`. */
export async function keepFile(deps: UploadDeps, actor: Principal, file: NewFile): Promise<FileRow> {
  const id = fileId();
  // The row comes first, so that no bytes lie there of which nobody knows.
  await insertArriving(deps, actor, id, file);
  await deps.blobs.putFile(blobKey(actor.tenantId, id), file.path);
  const { expiresAfterSeconds } = file;
  return deps.db.query
    .updateTable('files')
    .set({
      ready: true,
      expires_at:
        expiresAfterSeconds === null ? null : sql<Date>`created_at + ${expiresAfterSeconds} * interval '1 second'`,
    })
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow();
}

/** A tenant's own file. Throws StudioError `not_found`. */
export async function findFile(deps: { readonly db: Queryable }, tenantId: TenantId, id: string): Promise<FileRow> {
  const row = FILE_ID.test(id) ? await files(deps.db, tenantId).where('id', '=', id).executeTakeFirst() : undefined;
  if (!row) throw notFound(id);
  return row;
}

/** A file of a tenant, with its bytes. Throws StudioError `not_found`, `unavailable`. */
export async function openFile(
  { db, blobs }: FilesDeps,
  tenantId: TenantId,
  id: string,
): Promise<FileRow & { readonly content: Readable }> {
  const row = await findFile({ db }, tenantId, id);
  const content = await blobs.get(blobKey(tenantId, id));
  if (!content) throw notFound(id);
  return { ...row, content };
}

/** Brings the bytes of a tenant's file into one of this machine. Throws StudioError `not_found`, `unavailable`. */
export async function copyFile({ db, blobs }: FilesDeps, tenantId: TenantId, id: string, path: string): Promise<void> {
  await findFile({ db }, tenantId, id);
  if (!(await blobs.toFile(blobKey(tenantId, id), path))) throw notFound(id);
}

/** A page of a tenant's files, and whether there are more. Throws StudioError `invalid_request`. */
export async function listFiles(
  { db }: Pick<FilesDeps, 'db'>,
  tenantId: TenantId,
  { limit, order, after, purpose }: FilesQuery,
): Promise<{ readonly rows: readonly FileRow[]; readonly hasMore: boolean }> {
  const comes = sql.raw(order === 'asc' ? '>' : '<');
  let query = files(db, tenantId)
    .orderBy('created_at', order)
    .orderBy('id', order)
    .limit(limit + 1);
  if (purpose !== undefined) query = query.where('purpose', '=', purpose);
  if (after !== undefined) {
    const begin = FILE_ID.test(after)
      ? await files(db, tenantId).where('id', '=', after).executeTakeFirst()
      : undefined;
    if (!begin) throw invalidRequest(`after: there is no file ${quoteId(after)}`, 'after');
    query = query.where(
      sql<boolean>`(created_at, id) ${comes} (SELECT created_at, id FROM files AS begin WHERE begin.id = ${after})`,
    );
  }
  const rows = await query.execute();
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
}

/**
 * Removes a tenant's file with its bytes. `noted` is done, with its name, in the transaction that takes it from its readers. Throws
 * StudioError `not_found`.
 */
export async function removeFile(
  { db, blobs }: FilesDeps,
  tenantId: TenantId,
  id: string,
  noted?: (tx: Query, name: string) => Promise<void>,
): Promise<void> {
  if (!FILE_ID.test(id)) throw notFound(id);
  // Gone for its readers at once; where the bytes cannot be removed now they are when expired files are.
  await db.transaction(async (tx) => {
    const row = await tx
      .updateTable('files')
      .set({ expires_at: clock })
      .where('id', '=', id)
      .where('tenant_id', '=', tenantId)
      .where(isReadable)
      .returning('name')
      .executeTakeFirst();
    if (!row) throw notFound(id);
    await noted?.(tx, row.name);
  });
  await blobs.delete(blobKey(tenantId, id));
  await db.query.deleteFrom('files').where('id', '=', id).execute();
}

/** A file that the service wrote for a tenant, whose bytes are in the blob store already. */
export interface WrittenFile {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly name: string;
  readonly bytes: number;
  readonly expiresAfterSeconds: number;
}

/** Makes a written file readable, together with whatever else the transaction does. */
export async function addWrittenFile(tx: Query, file: WrittenFile): Promise<void> {
  await tx
    .insertInto('files')
    .values({
      id: file.id,
      tenant_id: file.tenantId,
      name: file.name,
      purpose: 'batch_output',
      size: file.bytes,
      ready: true,
      expires_at: afterSeconds(file.expiresAfterSeconds),
    })
    .execute();
}
