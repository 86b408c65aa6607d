import { WeightsUpload, WeightsUploaded } from '@ai-studio/contract/console/models.ts';
import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { StudioError } from '../../kernel/errors.ts';
import { waitForCatalogue } from '../../console-kit/wait-for-catalogue.ts';
import { type ConsoleRoute, tenantRoute } from '../../console-kit/route.ts';
import { fileOf } from '../../console-kit/upload.ts';
import type { WeightsRouteDeps } from './deps.ts';
import { withReason } from './weights.ts';

/** Disk space that an upload leaves free. */
const KEPT_FREE_BYTES = 512 * 1024 * 1024;
/** Age at which an abandoned upload is removed. */
const FORGOTTEN_MS = 24 * 60 * 60_000;
const MAGIC = Buffer.from('GGUF');

const notAModel = (message: string) =>
  new StudioError('invalid_request', message, { reason: 'not_a_model_file', param: 'name' });

const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

async function removeForgotten(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch((): string[] => [])) {
    const path = join(folder, name);
    const stats = await stat(path).catch(() => null);
    if (stats && Date.now() - stats.mtimeMs > FORGOTTEN_MS) await rm(path, { force: true });
  }
}

async function requireRoom(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const freeBytes = bavail * bsize - KEPT_FREE_BYTES;
  if (bytes > freeBytes)
    throw new StudioError('too_large', `The disk of the model folder has not enough room for it`, {
      values: { missing_bytes: bytes - Math.max(0, freeBytes) },
    });
}

/** Turns a failure to write a piece into a StudioError. */
function knownFailure(error: unknown): StudioError {
  if (error instanceof StudioError) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new StudioError('too_large', 'The disk of the model folder is full', { cause: error });
  if (code === 'EACCES' || code === 'EROFS' || code === 'EIO')
    return new StudioError('unavailable', 'The model folder cannot be written', { cause: error });
  return new StudioError('client_closed', 'The upload broke off', { cause: error });
}

interface Piece {
  readonly path: string;
  readonly body: Readable;
  readonly offset: number;
  readonly size: number;
}

/** Appends a piece. Resolves with the total length. Throws StudioError where the file is too long or no model. */
async function writePiece({ path, body, offset, size }: Piece): Promise<number> {
  const file = await open(path, offset === 0 ? 'w' : 'r+', 0o600);
  let position = offset;
  try {
    // The stream belongs to the connection: destroying it would prevent the reply.
    for await (const part of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if (position + part.length > size) throw notAModel('The file is longer than its size says');
      if (position === 0 && part.length >= MAGIC.length && !part.subarray(0, MAGIC.length).equals(MAGIC))
        throw notAModel('The file is no GGUF model: it begins with something else');
      let written = 0;
      while (written < part.length) {
        const { bytesWritten } = await file.write(part, written, part.length - written, position + written);
        written += bytesWritten;
      }
      position += part.length;
    }
    if (position === size) await file.sync();
    return position;
  } finally {
    await file.close();
  }
}

/** POST /weights/upload: a model file from the browser, piece by piece. It appears in the folder when it is whole and right. */
export function uploadRoutes({ store, catalogue, folder }: WeightsRouteDeps): ConsoleRoute[] {
  const uploads = join(folder, '.uploads');
  /** Uploads that are being written: one piece of a file at a time. */
  const openUploads = new Set<string>();

  const storePiece = async (
    person: string,
    { name, size, offset }: { name: string; size: number; offset: number },
    body: Readable,
  ) => {
    await mkdir(uploads, { recursive: true });
    if (offset === 0) await removeForgotten(uploads);
    // Each person has own files, so that nobody continues another person's upload.
    const nameHash = createHash('sha256').update(name).digest('hex').slice(0, 32);
    const path = join(uploads, `${person}-${size}-${nameHash}.part`);
    if (openUploads.has(path))
      throw new StudioError('conflict', `${name} is being uploaded already`, { reason: 'download_running' });
    openUploads.add(path);
    try {
      const receivedBytes = await sizeOf(path);
      if (offset !== 0 && offset !== receivedBytes)
        throw new StudioError('conflict', `The piece begins at ${offset}, but ${receivedBytes} bytes are here`, {
          param: 'offset',
          values: { received: receivedBytes },
        });
      await requireRoom(uploads, size - offset);
      const received = await writePiece({ path, body, offset, size }).catch(async (error: unknown) => {
        const failure = knownFailure(error);
        // Browsers read the reply only when they have sent everything.
        body.resume();
        // An upload can be continued after a broken connection.
        if (failure.code !== 'client_closed') await rm(path, { force: true });
        throw failure;
      });
      if (received < size) return { received, local_id: null };
      const reasons = { invalid_request: 'not_a_model_file', conflict: 'file_exists' };
      try {
        const { id } = await withReason(store.import(path, { name, move: true }), reasons);
        // Waits until the model can be used, as the folder is scanned once a second.
        await waitForCatalogue(catalogue, () => catalogue.get(id) !== undefined);
        return { received, local_id: id };
      } finally {
        await rm(path, { force: true });
      }
    } finally {
      openUploads.delete(path);
    }
  };

  return [
    tenantRoute({
      method: 'POST',
      path: '/weights/upload',
      access: 'models.manage',
      takesFile: true,
      query: WeightsUpload,
      reply: WeightsUploaded,
      async handle(call) {
        const { query, person, audit } = call;
        const stored = await storePiece(person.userId, query, fileOf(call));
        if (stored.local_id !== null)
          await audit({
            action: 'model_imported',
            target: { kind: 'weights', id: stored.local_id, name: query.name },
            detail: { bytes: query.size },
          });
        return stored;
      },
    }),
  ];
}
