import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isDiskFull } from '../kernel/disk-full.ts';
import { StudioError } from '../kernel/errors.ts';
import type { TenantCall } from './route.ts';

/** A call that brings a file, with the length that the browser says it has. */
export type FileCall = TenantCall<unknown, { readonly size: number }>;

/** The body of a route that takes a file. Throws StudioError `unsupported_media_type` where it came as something else. */
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

/** Writes a file as it comes. Resolves with its length. Throws StudioError `too_large`, `client_closed`. */
async function receive(body: Readable, path: string, maxBytes: number, signal: AbortSignal): Promise<number> {
  let bytes = 0;
  const counted = new Transform({
    transform(part: Buffer, _encoding, done) {
      bytes += part.length;
      done(bytes > maxBytes ? tooLarge(maxBytes) : null, part);
    },
  });
  try {
    await pipeline(body.iterator({ destroyOnReturn: false }), counted, createWriteStream(path, { mode: 0o600 }), {
      signal,
    });
    return bytes;
  } catch (error) {
    // Browsers hear the answer when they have sent all.
    body.resume();
    if (error instanceof StudioError || isDiskFull(error)) throw error;
    throw new StudioError('client_closed', 'The upload broke off', { cause: error });
  }
}

/** A file that arrived, in a folder of its own. */
export interface Upload<T> {
  readonly path: string;
  readonly bytes: number;
  /** What the check before it resolved with. */
  readonly admitted: T;
  /** Removes the file. Safe to repeat. */
  readonly remove: () => Promise<void>;
}

/**
 * Takes the file of a call as it comes; whoever gets it removes it. `admit` says whether the person may send it, before anything
 * of it is read. Throws StudioError `unsupported_media_type`, `too_large`, `client_closed`.
 */
export async function takeUpload<T>(
  call: FileCall,
  { folder, maxBytes }: { readonly folder: string; readonly maxBytes: number },
  admit: () => Promise<T>,
): Promise<Upload<T>> {
  const body = fileOf(call);
  try {
    if (call.query.size > maxBytes) throw tooLarge(maxBytes);
    const admitted = await admit();
    const place = await mkdtemp(join(folder, 'upload-'));
    const remove = () => rm(place, { recursive: true, force: true });
    try {
      const path = join(place, 'file');
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

/** What people call a file, without what no name should hold; null where nothing is left. */
export const nameOf = (name: string): string | null => name.replaceAll(/[\0-\u001F\u007F]/g, ' ').trim() || null;
