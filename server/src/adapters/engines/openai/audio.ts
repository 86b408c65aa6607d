import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { EngineError, type SpeakCall, type TranscribeCall, type TranscribeResult } from '../../../ports/engine.ts';
import type { CallTags, Connections, RequestHead } from './connections.ts';
import { connectionFailure, type CallTarget, parseServerError, retryAfterSeconds, statusFailure } from './failures.ts';
import { asArray, asNumber, asObject, asText } from './json.ts';

// Speech at a server of the OpenAI format. Source: OpenAI, API reference, "Audio".

/** A form with a file, as bytes, and the Content-Type that goes with it. */
export interface FormBody {
  readonly type: string;
  readonly parts: readonly Buffer[];
}

/** The form of POST /audio/transcriptions. With times where the server gives them. */
export async function transcribeForm(call: TranscribeCall, withTimes: boolean): Promise<FormBody> {
  const boundary = `ai-studio-${randomBytes(18).toString('hex')}`;
  const fields: Record<string, string> = {
    model: call.model,
    response_format: withTimes ? 'verbose_json' : 'json',
    ...(call.language === null ? {} : { language: call.language }),
    ...(call.prompt === null ? {} : { prompt: call.prompt }),
    ...(call.temperature === null ? {} : { temperature: String(call.temperature) }),
  };
  const granularities = call.words ? ['word', 'segment'].map((one) => ['timestamp_granularities[]', one] as const) : [];
  const head = [...Object.entries(fields), ...granularities].map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const name = basename(call.name).replaceAll(/[^\w.-]/g, '_');
  const file = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    parts: [Buffer.from(head.join('') + file), await readFile(call.path), Buffer.from(`\r\n--${boundary}--\r\n`)],
  };
}

/** Whether a failure is that of a server which gives no times: it names the field, as OpenAI does for its newer models. */
export const refusesTimes = (error: unknown): boolean =>
  error instanceof EngineError &&
  error.kind === 'refused' &&
  (error.param === 'response_format' || /response_format|verbose_json/i.test(error.detail ?? ''));

/** What a call for times of words gets of such a server. */
export const withoutTimes = (model: string): EngineError =>
  new EngineError('refused', 'no times', {
    param: 'timestamp_granularities[]',
    detail: `The model ${model} gives no times of words; leave timestamp_granularities out`,
  });

/** Reads `{text, language?, duration?, segments?}`. Throws an EngineError of kind `protocol` where there is no text. */
export function readTranscription(value: unknown, engineId: string): TranscribeResult {
  const reply = asObject(value);
  const text = asText(reply?.['text']);
  if (text === null) throw new EngineError('protocol', `Engine ${engineId} sent no text`);
  const segments = asArray(reply?.['segments']).flatMap((item) => {
    const segment = asObject(item);
    const [start, end] = [asNumber(segment?.['start']), asNumber(segment?.['end'])];
    const words = asText(segment?.['text']);
    return start === null || end === null || words === null ? [] : [{ start, end, text: words }];
  });
  const words = asArray(reply?.['words']).flatMap((item) => {
    const one = asObject(item);
    const [start, end] = [asNumber(one?.['start']), asNumber(one?.['end'])];
    const word = asText(one?.['word']);
    return start === null || end === null || word === null ? [] : [{ word, start, end }];
  });
  return {
    words,
    text: text.trim(),
    language: asText(reply?.['language']),
    seconds: asNumber(reply?.['duration']) ?? asNumber(asObject(reply?.['usage'])?.['seconds']),
    segments: segments.length === 0 ? null : segments,
  };
}

/** The body of POST /audio/speech. */
export const speakBody = ({ model, input, voice, speed, format }: SpeakCall): Buffer =>
  Buffer.from(
    JSON.stringify({
      model,
      input,
      voice: voice ?? 'alloy',
      response_format: format,
      ...(speed === 1 ? {} : { speed }),
    }),
  );

/** Maximum buffered bytes; beyond it the connection is paused. */
const MAX_WAITING = 1024 * 1024;
/** Largest message of a failure that is read. */
const MAX_ERROR_BYTES = 64 * 1024;

/**
 * Sends a request whose answer is sound and gives its bytes as they come. Resolves with the first; rejects with the
 * EngineError of what came instead.
 */
export function exchangeAudio(
  connections: Connections,
  head: RequestHead,
  body: Buffer,
  target: CallTarget,
  signal: AbortSignal,
  tags?: CallTags,
): Promise<AsyncIterable<Uint8Array>> {
  const begun = Promise.withResolvers<AsyncIterable<Uint8Array>>();
  const parts: Buffer[] = [];
  let waiting = 0;
  let over = false;
  let failure: Error | null = null;
  let status = 0;
  let errorText = '';
  let retryAfter: number | null = null;
  let wake: () => void = () => undefined;
  const fail = (error: Error) => {
    failure = error;
    over = true;
    begun.reject(error);
    wake();
  };
  async function* bytes(): AsyncGenerator<Uint8Array, void> {
    try {
      for (;;) {
        const part = parts.shift();
        if (part !== undefined) {
          waiting -= part.length;
          if (waiting < MAX_WAITING) exchange.resume();
          yield part;
        } else if (failure !== null) throw failure;
        else if (over) return;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      signal.removeEventListener('abort', onAbort);
      if (!over) exchange.abort();
    }
  }
  const onAbort = () => {
    exchange.abort();
    fail(signal.reason as Error);
  };
  const exchange = connections.send(
    head,
    [body],
    {
      onHeaders(given, headers) {
        status = given;
        retryAfter = retryAfterSeconds(headers);
      },
      onData(data) {
        if (status < 200 || status > 299) {
          if (errorText.length < MAX_ERROR_BYTES) errorText += Buffer.from(data).toString('utf8');
          return;
        }
        parts.push(Buffer.from(data));
        waiting += data.length;
        if (waiting >= MAX_WAITING) exchange.pause();
        begun.resolve(bytes());
        wake();
      },
      onEnd() {
        if (over) return;
        if (status < 200 || status > 299)
          return fail(statusFailure(target, status, parseServerError(errorText), retryAfter));
        over = true;
        if (parts.length === 0) begun.reject(new EngineError('protocol', `Engine ${target.engineId} sent no sound`));
        wake();
      },
      onError(error) {
        if (!over) fail(connectionFailure(target, error));
      },
    },
    tags,
  );
  signal.addEventListener('abort', onAbort, { once: true });
  return begun.promise;
}
