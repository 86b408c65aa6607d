import type { RunFile } from '@ai-studio/contract/agents/run.ts';
import { Readable } from 'node:stream';
import { StudioError } from '../kernel/errors.ts';
import { hexId } from '../kernel/ids.ts';
import type { Principal } from '../kernel/actor.ts';
import type { TenantId } from '../kernel/context.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { Database } from '../ports/database.ts';
import { typeByName } from './media-types.ts';
import { storable } from './runs/json.ts';

// Files that come with messages: a row each, their bytes in the blob store.

interface StoredFilesDeps {
  readonly db: Database;
  readonly blobs: BlobStore;
}

interface FilesDeps extends StoredFilesDeps {
  /** Largest file, in bytes. */
  readonly maxBytes: number;
}

/** A file that somebody gives to an agent. */
interface FileToStore {
  readonly agentId: string;
  readonly name: string;
  /** Left out: by the end of the name. */
  readonly mediaType?: string;
  readonly size: number;
  /** Its bytes, or where they lie on this machine; they are copied. */
  readonly content: Buffer | { readonly path: string };
}

const MAX_NAME_LENGTH = 300;
/** Where the bytes of a file lie in the blob store. */
export const blobKey = (tenantId: TenantId, id: string) => `agent-files/${tenantId}/${id}`;

/** The name without folders and signs that no name has. */
export const plainName = (name: string): string =>
  storable(name)
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/[\u0000-\u001f\u007f]/g, '')
    .split(/[/\\]/)
    .at(-1)
    ?.trim()
    .slice(0, MAX_NAME_LENGTH)
    .toWellFormed() || 'file';

/** Keeps a file until a message brings it. Errors: `too_large`; `unavailable` where it cannot be kept. */
async function storeAgentFile(
  { db, blobs, maxBytes }: FilesDeps,
  { tenantId, keyId, userId }: Principal,
  file: FileToStore,
): Promise<RunFile> {
  if (file.size > maxBytes) throw new StudioError('too_large', `A file may have at most ${maxBytes} bytes`);
  const { content } = file;
  const id = hexId();
  const name = plainName(file.name);
  const media_type = file.mediaType === undefined ? typeByName(name) : storable(file.mediaType).slice(0, 200);
  // The row comes first, so that no bytes lie there of which nobody knows.
  await db.query
    .insertInto('agent_files')
    .values({
      id,
      tenant_id: tenantId,
      agent_id: file.agentId,
      key_id: keyId,
      user_id: userId,
      name,
      media_type,
      size: file.size,
    })
    .execute();
  const key = blobKey(tenantId, id);
  await (Buffer.isBuffer(content) ? blobs.put(key, Readable.from([content])) : blobs.putFile(key, content.path));
  return { id, name, media_type, size: file.size };
}

/** Brings a file of the tenant into one of this machine. Errors: `not_found` where it is not there any more. */
export async function openAgentFile(
  { blobs }: { readonly blobs: BlobStore },
  tenantId: TenantId,
  fileId: string,
  path: string,
): Promise<void> {
  const found = /^[0-9a-f]{32}$/.test(fileId) && (await blobs.toFile(blobKey(tenantId, fileId), path));
  if (!found) throw new StudioError('not_found', 'The file is not there any more');
}

/** Removes files with their bytes. */
async function remove(
  { db, blobs }: StoredFilesDeps,
  files: readonly { readonly id: string; readonly tenant_id: TenantId }[],
): Promise<void> {
  for (const { id, tenant_id: tenantId } of files) {
    await blobs.delete(blobKey(tenantId, id));
    await db.query.deleteFrom('agent_files').where('id', '=', id).execute();
  }
}

/** Removes the files that the messages of a session brought. */
async function removeFilesOfSession(deps: StoredFilesDeps, sessionId: number): Promise<void> {
  const files = await deps.db.query
    .selectFrom('agent_files')
    .innerJoin('agent_runs', 'agent_runs.id', 'agent_files.run_id')
    .select(['agent_files.id', 'agent_files.tenant_id'])
    .where('agent_runs.session_id', '=', sessionId)
    .execute();
  await remove(deps, files);
}

/** Removes all files of an agent. */
async function removeFilesOfAgent(deps: StoredFilesDeps, agentId: string): Promise<void> {
  const files = await deps.db.query
    .selectFrom('agent_files')
    .select(['id', 'tenant_id'])
    .where('agent_id', '=', agentId)
    .execute();
  await remove(deps, files);
}

/** Removes at most so many files that no run has, a day after they came. Returns how many. */
export async function removeUnusedFiles(deps: StoredFilesDeps, most: number): Promise<number> {
  const files = await deps.db.query
    .selectFrom('agent_files')
    .select(['id', 'tenant_id'])
    .where('run_id', 'is', null)
    .where('created_at', '<', new Date(Date.now() - 86_400_000))
    .limit(most)
    .execute();
  await remove(deps, files);
  return files.length;
}

/** Keeps the files of messages, for whoever takes them in. */
export interface AgentFileStore {
  /** Keeps a file of this machine until a message brings it. Errors: `too_large`, `unavailable`. */
  store(
    actor: Principal,
    file: Omit<FileToStore, 'content' | 'mediaType'> & { readonly path: string },
  ): Promise<RunFile>;
  /** Keeps bytes. Errors: the same. */
  storeBytes(
    actor: Principal,
    file: Omit<FileToStore, 'content' | 'size'> & { readonly bytes: Buffer },
  ): Promise<RunFile>;
  /** Removes the files that the messages of a session brought. */
  removeOf(sessionId: number): Promise<void>;
  /** Removes all files that were given to an agent. */
  removeOfAgent(agentId: string): Promise<void>;
}

export const createFileStore = (deps: FilesDeps): AgentFileStore => ({
  store: (actor, { path, ...file }) => storeAgentFile(deps, actor, { ...file, content: { path } }),
  storeBytes: (actor, { bytes, ...file }) =>
    storeAgentFile(deps, actor, { ...file, size: bytes.length, content: bytes }),
  removeOf: (sessionId) => removeFilesOfSession(deps, sessionId),
  removeOfAgent: (agentId) => removeFilesOfAgent(deps, agentId),
});
