import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { withoutByteOrderMark } from '../kernel/byte-order-mark.ts';
import { StudioError } from '../kernel/errors.ts';
import { checkJsonValues } from '../kernel/json-values.ts';

const tooLarge = (maxBytes: number) => new StudioError('too_large', `The body is larger than ${maxBytes} bytes`);

/**
 * Refuses bodies that are not JSON by their headers. Without a Content-Type, JSON is assumed. Throws StudioError
 * `unsupported_media_type`, `too_large`.
 */
export function checkJsonHeaders(headers: IncomingHttpHeaders, maxBytes: number): void {
  const { 'content-type': type, 'content-encoding': encoding, 'content-length': length } = headers;
  if (type !== undefined && type !== 'application/json') {
    const [media, ...parameters] = type.toLowerCase().split(';');
    if (media?.trim() !== 'application/json')
      throw new StudioError('unsupported_media_type', 'The Content-Type must be application/json');
    const charset = parameters.map((p) => p.trim()).find((p) => p.startsWith('charset='));
    if (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset)) {
      throw new StudioError('unsupported_media_type', 'The body must be UTF-8');
    }
  }
  if (encoding !== undefined && encoding !== 'identity') {
    throw new StudioError('unsupported_media_type', 'The body must not be compressed (Content-Encoding)');
  }
  if (length !== undefined && Number(length) > maxBytes) throw tooLarge(maxBytes);
}

/** The value of a JSON body, which may hold so many values; left out: as many as any. Throws StudioError `invalid_request`. */
export function parseJsonBody(given: Buffer, maxValues?: number): unknown {
  const bytes = withoutByteOrderMark(given);
  if (!isUtf8(bytes)) throw new StudioError('invalid_request', 'The body is not valid UTF-8');
  const text = bytes.toString('utf8');
  checkJsonValues(text, maxValues);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new StudioError('invalid_request', 'The body is not valid JSON', { cause });
  }
}

/** Reads a JSON body whole. Rejects with StudioError `unsupported_media_type`, `too_large` or `client_closed`. */
export function readBody(req: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    checkJsonHeaders(req.headers, maxBytes);
    let first: Buffer | null = null;
    let more: Buffer[] | null = null;
    let size = 0;
    const stop = (error: StudioError) => {
      req.off('data', onData);
      reject(error);
    };
    const onData = (piece: Buffer) => {
      size += piece.length;
      if (size > maxBytes) stop(tooLarge(maxBytes));
      else if (!first) first = piece;
      else (more ??= [first]).push(piece);
    };
    req.on('data', onData);
    req.on('end', () => resolve(more ? Buffer.concat(more, size) : (first ?? Buffer.alloc(0))));
    req.on('error', (cause) => stop(new StudioError('client_closed', 'The client closed the connection', { cause })));
    req.on('close', () => {
      if (!req.complete) stop(new StudioError('client_closed', 'The client closed the connection'));
    });
  });
}
