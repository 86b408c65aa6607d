import type { z } from 'zod';
import { addressOf } from './client.ts';
import { ApiError, errorOf } from './error.ts';

interface SendOptions {
  readonly query: Parameters<typeof addressOf>[1];
  readonly signal: AbortSignal;
  /** Bytes that were sent. */
  readonly onProgress: (sent: number) => void;
}

/** Sends a file as it is. What `fetch` does not tell is how far it is. Rejects with ApiError, or the signal's reason. */
export function sendFile<S extends z.ZodType>(
  path: string,
  file: File,
  schema: S,
  { query, signal, onProgress }: SendOptions,
): Promise<z.output<S>> {
  return new Promise((resolve, reject) => {
    const call = new XMLHttpRequest();
    const stop = () => call.abort();
    const refuse = (error: Error) => {
      signal.removeEventListener('abort', stop);
      reject(error);
    };
    const settle = async () => {
      if (call.status >= 300) throw await errorOf(new Response(call.responseText, { status: call.status }));
      return schema.parse(JSON.parse(call.responseText));
    };
    call.open('POST', addressOf(path, query));
    call.setRequestHeader('Content-Type', 'application/octet-stream');
    call.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded));
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
