import { WeightsUpload, WeightsUploaded } from '@ai-studio/contract/console/models.ts';
import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { StudioError } from '../../kernel/errors.ts';
import { untilCatalogue } from '../../console-kit/until-catalogue.ts';
import { type ConsoleRoute, tenantRoute } from '../../console-kit/route.ts';
import { fileOf } from '../../console-kit/upload.ts';
import type { WeightsRouteDeps } from './deps.ts';
import { withReason } from './weights.ts';

/** Room that an upload leaves to everybody else. */
const KEPT_FREE_BYTES = 512 * 1024 * 1024;
/** What is left of an upload that nobody goes on with. */
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
    const found = await stat(path).catch(() => null);
    if (found && Date.now() - found.mtimeMs > FORGOTTEN_MS) await rm(path, { force: true });
  }
}

async function requireRoom(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const room = bavail * bsize - KEPT_FREE_BYTES;
  if (bytes > room)
    throw new StudioError('too_large', `The disk of the model folder has not enough room for it`, {
      values: { missing_bytes: bytes - Math.max(0, room) },
    });
}

/** Why a piece could not be written. */
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

/** Writes a piece behind what is there. Resolves with the length of all. Throws StudioError where it is too long or no model. */
async function writePiece({ path, body, offset, size }: Piece): Promise<number> {
  const file = await open(path, offset === 0 ? 'w' : 'r+', 0o600);
  let at = offset;
  try {
    // The stream is the connection's: to end it would leave nobody to answer.
    for await (const part of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if (at + part.length > size) throw notAModel('The file is longer than its size says');
      if (at === 0 && part.length >= MAGIC.length && !part.subarray(0, MAGIC.length).equals(MAGIC))
        throw notAModel('The file is no GGUF model: it begins with something else');
      let written = 0;
      while (written < part.length) {
        const { bytesWritten } = await file.write(part, written, part.length - written, at + written);
        written += bytesWritten;
      }
      at += part.length;
    }
    if (at === size) await file.sync();
    return at;
  } finally {
    await file.close();
  }
}

/** POST /weights/upload: a model file from the browser, piece by piece. It appears in the folder when it is whole and right. */
export function uploadRoutes({ store, catalogue, folder }: WeightsRouteDeps): ConsoleRoute[] {
  const uploads = join(folder, '.uploads');
  /** One piece of a file at a time. */
  const open = new Set<string>();

  const take = async (
    person: string,
    { name, size, offset }: { name: string; size: number; offset: number },
    body: Readable,
  ) => {
    await mkdir(uploads, { recursive: true });
    if (offset === 0) await removeForgotten(uploads);
    // Of each person their own: nobody goes on with another's file.
    const mark = createHash('sha256').update(name).digest('hex').slice(0, 32);
    const path = join(uploads, `${person}-${size}-${mark}.part`);
    if (open.has(path))
      throw new StudioError('conflict', `${name} is being uploaded already`, { reason: 'download_running' });
    open.add(path);
    try {
      const there = await sizeOf(path);
      if (offset !== 0 && offset !== there)
        throw new StudioError('conflict', `The piece begins at ${offset}, but ${there} bytes are here`, {
          param: 'offset',
          values: { received: there },
        });
      await requireRoom(uploads, size - offset);
      const received = await writePiece({ path, body, offset, size }).catch(async (error: unknown) => {
        const known = knownFailure(error);
        // Browsers hear the answer when they have sent all.
        body.resume();
        // What came before the connection broke is gone on with.
        if (known.code !== 'client_closed') await rm(path, { force: true });
        throw known;
      });
      if (received < size) return { received, local_id: null };
      const reasons = { invalid_request: 'not_a_model_file', conflict: 'file_exists' };
      try {
        const { id } = await withReason(store.import(path, { name, move: true }), reasons);
        // So that it can be used when the answer is there: the folder is looked at once a second.
        await untilCatalogue(catalogue, () => catalogue.get(id) !== undefined);
        return { received, local_id: id };
      } finally {
        await rm(path, { force: true });
      }
    } finally {
      open.delete(path);
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
        const taken = await take(person.userId, query, fileOf(call));
        if (taken.local_id !== null)
          await audit({
            action: 'model_imported',
            target: { kind: 'weights', id: taken.local_id, name: query.name },
            detail: { bytes: query.size },
          });
        return taken;
      },
    }),
  ];
}
