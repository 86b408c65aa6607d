import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isDiskFull } from '../kernel/disk-full.ts';
import { StudioError } from '../kernel/errors.ts';
import type { TenantCall } from './route.ts';

/** A call with a file, and the size that the browser announces. */
export type FileCall = TenantCall<unknown, { readonly size: number }>;

/** The body of a route that takes a file. Throws StudioError `unsupported_media_type` for another content type. */
export function fileOf({ request }: FileCall): Readable {
  const body = request.body as Readable | null | undefined;
  if (typeof body?.pipe === 'function') return body;
  throw new StudioError('unsupported_media_type', 'The Content-Type must be application/octet-stream');
}

const tooLarge = (maxBytes: number) =>
  new StudioError('too_large', `The file is larger than ${maxBytes} bytes`, {
    reason: 'document_too_large',
    values: { max_bytes: maxBytes },
  });

/** Streams a body into a file. Resolves with its length. Throws StudioError `too_large`, `client_closed`. */
async function receive(body: Readable, path: string, maxBytes: number, signal: AbortSignal): Promise<number> {
  let bytes = 0;
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      done(bytes > maxBytes ? tooLarge(maxBytes) : null, chunk);
    },
  });
  try {
    await pipeline(body.iterator({ destroyOnReturn: false }), counter, createWriteStream(path, { mode: 0o600 }), {
      signal,
    });
    return bytes;
  } catch (error) {
    // Browsers read the reply only when they have sent everything.
    body.resume();
    if (error instanceof StudioError || isDiskFull(error)) throw error;
    throw new StudioError('client_closed', 'The upload broke off', { cause: error });
  }
}

/** An uploaded file, in a folder of its own. */
export interface Upload<T> {
  readonly path: string;
  readonly bytes: number;
  /** Result of `admit`. */
  readonly admitted: T;
  /** Removes the file. Safe to repeat. */
  readonly remove: () => Promise<void>;
}

/**
 * Receives the file of a call, which the caller removes. `admit` decides before the file is read whether the person may send it.
 * Throws StudioError `unsupported_media_type`, `too_large`, `client_closed`.
 */
export async function receiveUpload<T>(
  call: FileCall,
  { folder, maxBytes }: { readonly folder: string; readonly maxBytes: number },
  admit: () => Promise<T>,
): Promise<Upload<T>> {
  const body = fileOf(call);
  try {
    if (call.query.size > maxBytes) throw tooLarge(maxBytes);
    const admitted = await admit();
    const uploadFolder = await mkdtemp(join(folder, 'upload-'));
    const remove = () => rm(uploadFolder, { recursive: true, force: true });
    try {
      const path = join(uploadFolder, 'file');
      return { path, bytes: await receive(body, path, maxBytes, call.signal), admitted, remove };
    } catch (error) {
      await remove();
      throw error;
    }
  } catch (error) {
    body.resume();
    throw error;
  }
}

/** A file name without control characters; null where nothing is left. */
export const cleanName = (name: string): string | null => name.replaceAll(/[\0-\u001F\u007F]/g, ' ').trim() || null;
