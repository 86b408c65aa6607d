import { Readable } from 'node:stream';
import { SpeechRequest, TranscriptionFields } from '@ai-studio/contract/audio.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  audioUsage,
  countSpoken,
  createTranscriptionUsage,
  type TranscriptionUsage,
  renderTranscript,
  speak,
  transcribe,
  type TranscribeDeps,
  type TranscribeEvent,
  transcribing,
} from '../../audio/index.ts';
import { compileCheck } from '../../chat/index.ts';
import { pinged } from '../../kernel/pinged.ts';
import type { Metering } from '../../usage/index.ts';
import type { Guard } from '../guard.ts';
import { readUpload } from '../upload.ts';
import { jsonRoute, recordCall } from './json-route.ts';

export interface AudioRouteDeps extends TranscribeDeps {
  readonly guard: Guard;
  readonly metering: Metering;
  /** Where files are kept while they are worked on. */
  readonly folder: string;
  readonly maxUploadBytes: number;
  readonly maxJsonBytes: number;
  /** The body that tells of a failure. */
  readonly failure: (error: unknown, requestId: string) => object;
}

const EVENTS = 'text/event-stream; charset=utf-8';

/** Events whose `audio` is base64. Source: decisions section 6. */
async function* events(
  parts: AsyncIterable<Uint8Array>,
  failure: (error: unknown) => object,
): AsyncGenerator<string, void> {
  try {
    for await (const part of parts)
      yield eventOf({ type: 'speech.audio.delta', audio: Buffer.from(part).toString('base64') });
    yield `${eventOf({ type: 'speech.audio.done' })}data: [DONE]\n\n`;
  } catch (error) {
    yield eventOf(failure(error));
  }
}

const eventOf = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;

/** Parts until the signal aborts, which ends them with its reason at once, whatever they wait for. */
async function* unlessCut<T>(parts: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T, void> {
  const cut = new Promise<never>((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    else signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  cut.catch(() => undefined);
  const reading = parts[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = reading.next();
      const { done, value } = await Promise.race([next, cut]);
      if (done === true) return;
      yield value;
    }
  } finally {
    // Not waited for: it may stand in the middle of what was cut.
    void reading.return?.().catch(() => undefined);
  }
}

/** Events of a transcript. Source: OpenAI, API reference, "Transcription streaming events". */
async function* transcriptEvents(
  events: AsyncIterable<TranscribeEvent>,
  failure: (error: unknown) => object,
): AsyncGenerator<string, void> {
  let said = '';
  try {
    for await (const event of events) {
      if (event.type === 'progress') {
        const { segment } = event.progress;
        if (segment === null) continue;
        const delta = said === '' ? segment.text : ` ${segment.text}`;
        said += delta;
        yield eventOf({ type: 'transcript.text.delta', delta });
        continue;
      }
      const { text, seconds } = event.transcribed;
      if (said === '' && text !== '') yield eventOf({ type: 'transcript.text.delta', delta: text });
      yield eventOf({ type: 'transcript.text.done', text, usage: audioUsage(seconds) });
      yield 'data: [DONE]\n\n';
    }
  } catch (error) {
    yield eventOf(failure(error));
  }
}

/** The same events, once there is one of work that was done: what fails before that is told by a status. */
async function begun(events: AsyncGenerator<TranscribeEvent, void>): Promise<AsyncGenerator<TranscribeEvent, void>> {
  const held: TranscribeEvent[] = [];
  for (;;) {
    const next = await events.next();
    if (next.done === true) break;
    held.push(next.value);
    if (next.value.type === 'done' || next.value.progress.done > 0) break;
  }
  return (async function* all() {
    yield* held;
    yield* events;
  })();
}

/** POST /audio/transcriptions and /audio/speech. Source: decisions section 6. */
export function audioRoutes(app: FastifyInstance, deps: AudioRouteDeps): void {
  const { guard, metering, folder, maxUploadBytes: maxBytes } = deps;
  const checkFields = compileCheck(TranscriptionFields);
  const checkSpeech = compileCheck(SpeechRequest);

  /** Counts what was heard, all of it or as far as it came. */
  const count = (request: FastifyRequest, heard: TranscriptionUsage, signal: AbortSignal) => {
    const found = heard.read(signal);
    if (found === null) return;
    recordCall(metering, request, { endpoint: 'transcriptions', ...found });
  };
  /** What is told of a failure within a stream. */
  const failureOf = (request: FastifyRequest) => (error: unknown) => {
    request.record.error = error;
    return deps.failure(error, request.id);
  };

  app.register((scope, _options, done) => {
    // The form is read as it comes, by the handler.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null));
    scope.post('/audio/transcriptions', { bodyLimit: maxBytes }, async (request, reply) => {
      const key = await guard.key(request, reply, 'utilities');
      await guard.reserve(key, reply, 0);
      const signal = guard.until(request, reply);
      const upload = await readUpload(request.raw, { folder, maxBytes, signal });
      const heard = createTranscriptionUsage();
      let kept = false;
      try {
        const given = upload.fields;
        const fields = checkFields.passes(given) ? TranscriptionFields.parse(given) : checkFields.explain(given);
        const context = { requestId: request.id, allowedModels: key.allowedModels, signal };
        if (fields.stream === 'true') {
          const events = await begun(transcribing(deps, context, upload.path, fields, heard.watch));
          // Nobody would read it.
          signal.throwIfAborted();
          // Read to its end, or broken off: the file goes then.
          kept = true;
          async function* counting(): AsyncGenerator<TranscribeEvent, void> {
            try {
              for await (const event of events) {
                if (event.type === 'done') heard.finish(event.transcribed);
                yield event;
              }
            } finally {
              count(request, heard, signal);
              await upload.remove();
            }
          }
          const lines = transcriptEvents(unlessCut(counting(), signal), failureOf(request));
          return reply
            .type(EVENTS)
            .header('Cache-Control', 'no-cache')
            .header('X-Accel-Buffering', 'no')
            .send(Readable.from(pinged(lines), { objectMode: false }));
        }
        const transcribed = await transcribe(deps, context, upload.path, fields, heard.watch);
        heard.finish(transcribed);
        const { type, body } = renderTranscript(transcribed, fields.response_format);
        return reply.type(type).header('X-Model', transcribed.model).send(body);
      } catch (error) {
        throw signal.aborted ? signal.reason : error;
      } finally {
        if (!kept) {
          count(request, heard, signal);
          await upload.remove();
        }
      }
    });
    done();
  });

  app.post('/audio/speech', jsonRoute(deps, 'utilities'), async (request: FastifyRequest, reply: FastifyReply) => {
    const key = await guard.key(request, reply, 'utilities');
    const body = checkSpeech.passes(request.body)
      ? SpeechRequest.parse(request.body)
      : checkSpeech.explain(request.body);
    await guard.reserve(key, reply, 0);
    const signal = guard.until(request, reply);
    const context = { requestId: request.id, allowedModels: key.allowedModels, signal };
    const spoken = await speak(deps, context, body);
    const { model, engine, mediaType } = spoken;
    async function* counting(): AsyncGenerator<Uint8Array, void> {
      let whole = false;
      try {
        yield* spoken.parts;
        whole = true;
      } finally {
        const counts = countSpoken(body.input, spoken);
        const outcome = whole ? 'ok' : signal.aborted ? 'canceled' : 'error';
        recordCall(metering, request, { endpoint: 'speech', model, engine, outcome, ...counts });
      }
    }
    const parts = unlessCut(counting(), signal);
    // Which voice it was: of the program, or of a model.
    reply.header('X-Model', model);
    if (body.stream_format === 'sse')
      return reply
        .type(EVENTS)
        .header('Cache-Control', 'no-cache')
        .send(Readable.from(events(parts, failureOf(request)), { objectMode: false }));
    return reply.type(mediaType).send(Readable.from(parts, { objectMode: false }));
  });
}
