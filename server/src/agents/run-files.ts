import type { RunFile } from '@ai-studio/contract/agents/run.ts';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { StudioError } from '../kernel/errors.ts';
import type { Principal } from '../kernel/actor.ts';
import type { TenantId } from '../kernel/context.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { Database } from '../ports/database.ts';
import { blobKey, plainName } from './files.ts';
import { typeByName } from './media-types.ts';
import { storable } from './runs/json.ts';

// Files that nodes make: of tools, and written ones. They lie beside those that messages brought, and go with the session of their run.

/** Largest file that a node may make, in bytes: callers get it within a message. */
export const MAX_MADE_FILE_BYTES = 8 * 1024 * 1024;

/** A file that a node made. */
export interface MadeFile {
  /** Unique for the run. A file that is made again after a crash, under the same name of it, is the same file. */
  readonly key: string;
  readonly name: string;
  /** Null: by the end of the name. */
  readonly mediaType: string | null;
  readonly bytes: Buffer;
}

/** The run that a file belongs to. */
export interface FileOwner extends Principal {
  readonly runId: string;
  readonly agentId: string;
}

/** The files of runs. */
export interface RunFileStore {
  /** Keeps a file with its run. Errors: `too_large`, `unavailable`. */
  keep(owner: FileOwner, file: MadeFile): Promise<RunFile>;
  /** Those of the ids that are files of this run, in the order of the ids. */
  find(tenantId: TenantId, runId: string, ids: readonly string[]): Promise<readonly RunFile[]>;
  /** A file of a run that the same key, or the same person, began; null where there is none. */
  findOwn(owner: Principal, id: string): Promise<RunFile | null>;
  /** Their bytes; null where they are not kept any more. Errors: `too_large` above `maxBytes`. */
  read(tenantId: TenantId, file: Pick<RunFile, 'id' | 'name'>, maxBytes: number): Promise<Buffer | null>;
}

const tooLarge = (name: string, maxBytes: number) =>
  new StudioError('too_large', `The file ${JSON.stringify(name)} has more than ${maxBytes} bytes`);

interface RunFileDeps {
  readonly db: Database;
  readonly blobs: BlobStore;
}

async function keep({ db, blobs }: RunFileDeps, owner: FileOwner, file: MadeFile): Promise<RunFile> {
  const { tenantId, keyId, userId, runId, agentId } = owner;
  const { bytes } = file;
  const name = plainName(file.name);
  if (bytes.length > MAX_MADE_FILE_BYTES) throw tooLarge(name, MAX_MADE_FILE_BYTES);
  const id = createHash('sha256').update(`${runId}/${file.key}`).digest('hex').slice(0, 32);
  const media_type = file.mediaType === null ? typeByName(name) : storable(file.mediaType).slice(0, 200);
  const kept = { name, media_type, size: bytes.length };
  // The row comes first, so that no bytes lie there of which nobody knows.
  await db.query
    .insertInto('agent_files')
    .values({ id, tenant_id: tenantId, agent_id: agentId, run_id: runId, key_id: keyId, user_id: userId, ...kept })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(kept))
    .execute();
  await blobs.put(blobKey(tenantId, id), Readable.from([bytes]));
  return { id, ...kept };
}

async function find({ db }: RunFileDeps, tenantId: TenantId, runId: string, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const rows = await db.query
    .selectFrom('agent_files')
    .select(['id', 'name', 'media_type', 'size'])
    .where('tenant_id', '=', tenantId)
    .where('run_id', '=', runId)
    .where('id', 'in', [...new Set(ids)])
    .execute();
  const found = new Map(rows.map((row) => [row.id, { ...row, size: Number(row.size) }]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

async function findOwn({ db }: RunFileDeps, { tenantId, keyId, userId }: Principal, id: string) {
  const row = await db.query
    .selectFrom('agent_files')
    .select(['id', 'name', 'media_type', 'size'])
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .where('run_id', 'is not', null)
    .where((is) => (keyId === null ? is('user_id', '=', userId) : is('key_id', '=', keyId)))
    .executeTakeFirst();
  return row === undefined ? null : { ...row, size: Number(row.size) };
}

export const createRunFiles = (deps: RunFileDeps): RunFileStore => ({
  keep: (owner, file) => keep(deps, owner, file),
  find: (tenantId, runId, ids) => find(deps, tenantId, runId, ids),
  findOwn: (owner, id) => findOwn(deps, owner, id),
  async read(tenantId, { id, name }, maxBytes) {
    const content = await deps.blobs.get(blobKey(tenantId, id));
    if (content === null) return null;
    const pieces: Buffer[] = [];
    let size = 0;
    for await (const piece of content as AsyncIterable<Buffer>) {
      size += piece.length;
      if (size > maxBytes) throw tooLarge(name, maxBytes);
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  },
});
