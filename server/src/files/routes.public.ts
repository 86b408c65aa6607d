import {
  DeletedFile,
  FILE_EXPIRY_SECONDS,
  FileFields,
  FileList,
  FilesQuery,
  StoredFile,
} from '@ai-studio/contract/files.ts';
import { keyAuditActor, type KeyRecord, originOf, writeAudit } from '../identity/index.ts';
import { invalidRequest, StudioError } from '../kernel/errors.ts';
import { attachment } from '../http-kit/attachment.ts';
import { publicRoute, type PublicRoute } from '../http-kit/public-route.ts';
import { describeFile, findFile, keepFile, listFiles, openFile, removeFile, type UploadDeps } from './index.ts';

export interface FileRouteDeps {
  readonly files: UploadDeps;
  /** Where files are kept until they are put away. */
  readonly folder: string;
  readonly maxBytes: number;
}

/** Files for batches that say nothing else go after 30 days. */
const BATCH_FILE_SECONDS = FILE_EXPIRY_SECONDS.max;

/** Files are for calls of models. Throws StudioError `forbidden`. */
function requireModels({ scopes }: KeyRecord): void {
  if (!scopes.has('chat') && !scopes.has('embeddings'))
    throw new StudioError('forbidden', 'The API key has no permission for files: it needs chat or embeddings');
}

/** After how many seconds a file goes; null: never. Throws StudioError `invalid_request`. */
function expiryOf({
  purpose,
  'expires_after[anchor]': anchor,
  'expires_after[seconds]': given,
}: FileFields): number | null {
  if (given === undefined) {
    if (anchor !== undefined)
      throw invalidRequest('expires_after[seconds] is missing beside expires_after[anchor]', 'expires_after[seconds]');
    return purpose === 'batch' ? BATCH_FILE_SECONDS : null;
  }
  const seconds = Number(given);
  const { min, max } = FILE_EXPIRY_SECONDS;
  if (seconds < min || seconds > max)
    throw invalidRequest(`expires_after[seconds] must be ${min} to ${max}`, 'expires_after[seconds]');
  return seconds;
}

const common = { access: 'any_key', tag: 'Files' } as const;
const params = { file_id: 'Id of a file' };

/** POST and GET /files, and single files. Source: decisions section 3. */
export const fileRoutes = ({ files, folder, maxBytes }: FileRouteDeps): readonly PublicRoute[] => [
  publicRoute({
    ...common,
    method: 'POST',
    path: '/files',
    summary: 'Upload a file',
    description:
      'Keeps a file for the tenant of the key, until it is deleted or its time is over: input of batches (`purpose=batch`) and of requests that name files by their ids. All files of a tenant together have a limit, past which this is a 413.',
    form: { fields: { FileFields }, folder, maxBytes },
    formExample: { purpose: 'user_data' },
    reply: { StoredFile },
    async handle({ key, ctx, upload, request }) {
      try {
        requireModels(key);
      } catch (error) {
        // What goes nowhere need not be read; the connection stays.
        request.raw.resume();
        throw error;
      }
      const given = await upload();
      try {
        const { path, bytes, fields } = given;
        const name = given.name ?? 'file';
        const { purpose } = fields;
        const file = { path, bytes, name, purpose, expiresAfterSeconds: expiryOf(fields) };
        return describeFile(await keepFile(files, ctx.actor, file));
      } finally {
        await given.remove();
      }
    },
  }),
  publicRoute({
    ...common,
    method: 'GET',
    path: '/files',
    summary: 'Files',
    description: 'The files of the tenant, the newest first, page by page.',
    query: { FilesQuery },
    reply: { FileList },
    async handle({ key, ctx, query }) {
      requireModels(key);
      const { rows, hasMore } = await listFiles(files, ctx.actor.tenantId, query);
      return {
        object: 'list' as const,
        data: rows.map(describeFile),
        first_id: rows[0]?.id ?? null,
        last_id: rows.at(-1)?.id ?? null,
        has_more: hasMore,
      };
    },
  }),
  publicRoute({
    ...common,
    method: 'GET',
    path: '/files/:file_id',
    params,
    summary: 'One file',
    description: 'What is known of a file; its bytes are at `/v1/files/{file_id}/content`.',
    reply: { StoredFile },
    async handle({ key, ctx, params: { file_id: id } }) {
      requireModels(key);
      return describeFile(await findFile(files, ctx.actor.tenantId, id));
    },
  }),
  publicRoute({
    ...common,
    method: 'GET',
    path: '/files/:file_id/content',
    params,
    summary: 'Content of a file',
    description: 'Its bytes, as they were uploaded; of a file that a batch wrote its JSON lines.',
    media: ['application/octet-stream'],
    async handle({ key, ctx, params: { file_id: id }, reply }) {
      requireModels(key);
      const { name, size, content } = await openFile(files, ctx.actor.tenantId, id);
      return reply.headers(attachment(name)).header('Content-Length', size).send(content);
    },
  }),
  publicRoute({
    ...common,
    method: 'DELETE',
    path: '/files/:file_id',
    params,
    summary: 'Delete a file',
    description: 'It can neither be read nor named in requests any more. A batch that still reads it fails.',
    reply: { DeletedFile },
    async handle({ key, ctx, params: { file_id: id }, request }) {
      requireModels(key);
      await removeFile(files, ctx.actor.tenantId, id, (tx, name) =>
        writeAudit(tx, keyAuditActor(key, originOf(request)), {
          action: 'file_deleted',
          target: { kind: 'file', id, name },
          detail: { key_id: key.id },
        }),
      );
      return { id, object: 'file' as const, deleted: true as const };
    },
  }),
];
