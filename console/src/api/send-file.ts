import type { z } from 'zod';
import { apiUrl } from './client.ts';
import { ApiError, errorOf } from './error.ts';

interface SendOptions {
  readonly query: Parameters<typeof apiUrl>[1];
  readonly signal: AbortSignal;
  /** Bytes that were sent. */
  readonly onProgress: (sent: number) => void;
  /** Given the answer as far as it has come. */
  readonly onAnswer?: (text: string) => void;
}

/**
 * Posts a file as the raw body and resolves with the text of the response. Uses XMLHttpRequest, because `fetch` reports no
 * upload progress. Rejects with ApiError, or the signal's reason.
 */
export function postFile(
  path: string,
  file: Blob,
  { query, signal, onProgress, onAnswer }: SendOptions,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const call = new XMLHttpRequest();
    const stop = () => call.abort();
    const refuse = (error: Error) => {
      signal.removeEventListener('abort', stop);
      reject(error);
    };
    const settle = async () => {
      if (call.status >= 300) throw await errorOf(new Response(call.responseText, { status: call.status }));
      return call.responseText;
    };
    call.open('POST', apiUrl(path, query));
    call.setRequestHeader('Content-Type', 'application/octet-stream');
    call.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded));
    call.addEventListener('progress', () => {
      if (call.status < 300) onAnswer?.(call.responseText);
    });
    call.addEventListener('error', () => refuse(new ApiError(0, 'network', 'The service did not answer')));
    call.addEventListener('abort', () => refuse(signal.reason as Error));
    call.addEventListener('load', () => {
      settle().then(resolve, refuse);
      signal.removeEventListener('abort', stop);
    });
    signal.addEventListener('abort', stop, { once: true });
    call.send(file);
  });
}

/** Sends a file and reads the answer by its schema. Rejects like `postFile`. */
export async function sendFile<S extends z.ZodType>(
  path: string,
  file: Blob,
  schema: S,
  options: Omit<SendOptions, 'onAnswer'>,
): Promise<z.output<S>> {
  return schema.parse(JSON.parse(await postFile(path, file, options)));
}
