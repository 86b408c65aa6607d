import { Readable } from 'node:stream';
import { SpeechRequest, TranscriptionFields } from '@ai-studio/contract/audio.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  renderTranscript,
  speak,
  transcribe,
  type TranscribeDeps,
  type TranscribeEvent,
  transcribing,
} from '../../audio/index.ts';
import { compileCheck } from '../../chat/index.ts';
import type { UsageRow } from '../../usage/index.ts';
import type { Guard } from '../guard.ts';
import { readUpload } from '../upload.ts';
import { jsonRoute, recordWhole } from './json-route.ts';

export interface AudioRouteDeps extends TranscribeDeps {
  readonly guard: Guard;
  readonly meter: { record(row: UsageRow): void };
  /** Where files are kept while they are worked on. */
  readonly folder: string;
  readonly maxUploadBytes: number;
  readonly maxJsonBytes: number;
  readonly now: () => number;
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
  first: TranscribeEvent,
  rest: AsyncIterable<TranscribeEvent>,
  failure: (error: unknown) => object,
): AsyncGenerator<string, void> {
  let said = '';
  const render = (event: TranscribeEvent): string => {
    if (event.type === 'segment') {
      const delta = said === '' ? event.segment.text : ` ${event.segment.text}`;
      said += delta;
      return eventOf({ type: 'transcript.text.delta', delta });
    }
    const { text, seconds } = event.transcribed;
    const whole = said === '' && text !== '' ? eventOf({ type: 'transcript.text.delta', delta: text }) : '';
    const usage = { audio_duration_ms: Math.round(seconds * 1000) };
    return `${whole}${eventOf({ type: 'transcript.text.done', text, usage })}data: [DONE]\n\n`;
  };
  yield render(first);
  try {
    for await (const event of rest) yield render(event);
  } catch (error) {
    yield eventOf(failure(error));
  }
}

/** POST /audio/transcriptions and /audio/speech. Source: decisions section 6. */
export function audioRoutes(app: FastifyInstance, deps: AudioRouteDeps): void {
  const { guard, meter, folder, maxUploadBytes: maxBytes, now } = deps;
  const checkFields = compileCheck(TranscriptionFields);
  const checkSpeech = compileCheck(SpeechRequest);
  const counted = { meter, now };

  const count = (
    request: FastifyRequest,
    { model, engine }: { readonly model: string; readonly engine: string },
    { aborted }: AbortSignal,
  ) => recordWhole(counted, request, 'transcriptions', { model, engine, promptTokens: 0 }, aborted);
  /** What is told of a failure within a stream. */
  const failureOf = (request: FastifyRequest) => (error: unknown) => {
    request.account.error = error;
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
      let kept = false;
      try {
        const given = upload.fields;
        const fields = checkFields.passes(given) ? TranscriptionFields.parse(given) : checkFields.explain(given);
        const context = { requestId: request.id, allowedModels: key.allowedModels, signal };
        if (fields.stream === 'true') {
          const events = transcribing(deps, context, upload.path, fields);
          const first = await events.next();
          if (first.done === true) throw new Error('a transcript has a last event');
          // Read to its end, or broken off: the file goes then.
          kept = true;
          async function* counting(): AsyncGenerator<TranscribeEvent, void> {
            try {
              for await (const event of events) {
                if (event.type === 'done') count(request, event.transcribed, signal);
                yield event;
              }
            } finally {
              await upload.remove();
            }
          }
          if (first.value.type === 'done') count(request, first.value.transcribed, signal);
          const lines = transcriptEvents(first.value, unlessCut(counting(), signal), failureOf(request));
          return reply
            .type(EVENTS)
            .header('Cache-Control', 'no-cache')
            .send(Readable.from(lines, { objectMode: false }));
        }
        const { model, engine, ...rest } = await transcribe(deps, context, upload.path, fields);
        count(request, { model, engine }, signal);
        const { type, body } = renderTranscript({ model, engine, ...rest }, fields.response_format);
        return reply.type(type).send(body);
      } catch (error) {
        throw signal.aborted ? signal.reason : error;
      } finally {
        if (!kept) await upload.remove();
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
    const { model, engine, mediaType, parts: made } = await speak(deps, context, body);
    const parts = unlessCut(made, signal);
    recordWhole(counted, request, 'speech', { model, engine, promptTokens: 0 }, signal.aborted);
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
