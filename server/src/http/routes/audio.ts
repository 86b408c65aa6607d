import { Readable } from 'node:stream';
import { SpeechRequest, TranscriptionFields } from '@ai-studio/contract/audio.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { renderTranscript, speak, transcribe, type TranscribeDeps } from '../../audio/index.ts';
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
}

/** Events whose `audio` is base64. Source: decisions section 6. */
async function* events(parts: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  for await (const part of parts)
    yield `data: ${JSON.stringify({ type: 'speech.audio.delta', audio: Buffer.from(part).toString('base64') })}\n\n`;
  yield `data: ${JSON.stringify({ type: 'speech.audio.done' })}\n\ndata: [DONE]\n\n`;
}

/** POST /audio/transcriptions and /audio/speech. Source: decisions section 6. */
export function audioRoutes(app: FastifyInstance, deps: AudioRouteDeps): void {
  const { guard, meter, folder, maxUploadBytes: maxBytes, now } = deps;
  const checkFields = compileCheck(TranscriptionFields);
  const checkSpeech = compileCheck(SpeechRequest);
  const counted = { meter, now };

  const until = (reply: FastifyReply): AbortSignal => {
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    return gone.signal;
  };

  app.register((scope, _options, done) => {
    // The form is read as it comes, by the handler.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null));
    scope.post('/audio/transcriptions', { bodyLimit: maxBytes }, async (request, reply) => {
      const key = await guard.key(request, reply, 'utilities');
      await guard.reserve(key, reply, 0);
      const signal = until(reply);
      const upload = await readUpload(request.raw, { folder, maxBytes, signal });
      try {
        const given = upload.fields;
        const fields = checkFields.passes(given) ? TranscriptionFields.parse(given) : checkFields.explain(given);
        const context = { requestId: request.id, allowedModels: key.allowedModels, signal };
        const { model, engine, ...rest } = await transcribe(deps, context, upload.path, fields);
        recordWhole(counted, request, 'transcriptions', { model, engine, promptTokens: 0 }, signal.aborted);
        const { type, body } = renderTranscript({ model, engine, ...rest }, fields.response_format);
        return reply.type(type).send(body);
      } finally {
        await upload.remove();
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
    const signal = until(reply);
    const context = { requestId: request.id, allowedModels: key.allowedModels, signal };
    const { model, engine, mediaType, parts } = await speak(deps, context, body);
    recordWhole(counted, request, 'speech', { model, engine, promptTokens: 0 }, signal.aborted);
    // Which voice it was: of the program, or of a model.
    reply.header('X-Model', model);
    if (body.stream_format === 'sse')
      return reply
        .type('text/event-stream; charset=utf-8')
        .header('Cache-Control', 'no-cache')
        .send(Readable.from(events(parts), { objectMode: false }));
    return reply.type(mediaType).send(Readable.from(parts, { objectMode: false }));
  });
}
