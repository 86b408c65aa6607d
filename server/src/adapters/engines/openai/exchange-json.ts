import type { IncomingHttpHeaders } from 'node:http';
import { type EncodedBody, EngineError } from '../../../ports/engine.ts';
import type { CallTags, Connections, RequestHead } from './connections.ts';
import { type CallTarget, connectionFailure, parseServerError, retryAfterSeconds, statusFailure } from './failures.ts';

export interface BufferedResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

const MAX_ANSWER_BYTES = 256 * 1024 * 1024;

/** Reads an answer whole, of `maxBytes` at most. Rejects with the EngineError of a broken connection, or the reason of the signal. */
export function exchangeBuffered(
  connections: Connections,
  head: RequestHead,
  body: EncodedBody | null,
  target: CallTarget,
  signal: AbortSignal,
  { maxBytes = MAX_ANSWER_BYTES, tags }: { readonly maxBytes?: number; readonly tags?: CallTags } = {},
): Promise<BufferedResponse> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error);
    const parts: Buffer[] = [];
    let size = 0;
    let status = 0;
    let headers: IncomingHttpHeaders = {};
    const onAbort = () => {
      exchange.abort();
      reject(signal.reason as Error);
    };
    const done = () => signal.removeEventListener('abort', onAbort);
    const exchange = connections.send(
      head,
      body,
      {
        onHeaders(given, named) {
          status = given;
          headers = named;
        },
        onData(bytes) {
          size += bytes.length;
          if (size <= maxBytes) return void parts.push(Buffer.from(bytes));
          exchange.abort();
          done();
          reject(new EngineError('protocol', `Engine ${target.engineId} sent an answer that is too long`));
        },
        onEnd() {
          done();
          resolve({ status, headers, text: Buffer.concat(parts).toString('utf8') });
        },
        onError(error) {
          done();
          reject(connectionFailure(target, error));
        },
      },
      tags,
    );
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

/** The JSON of an answer with status 2xx. Throws the EngineError of any other. */
export function parseJsonResponse({ status, headers, text }: BufferedResponse, target: CallTarget): unknown {
  if (status < 200 || status > 299)
    throw statusFailure(target, status, parseServerError(text), retryAfterSeconds(headers));
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new EngineError('protocol', `Engine ${target.engineId} sent something that is not JSON`, { cause });
  }
}
