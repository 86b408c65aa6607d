import { Readable } from 'node:stream';
import {
  SpeechEvent,
  SpeechModelList,
  SpeechRequest,
  Transcription,
  TranscriptionFields,
  TranslationFields,
  VoiceList,
  VoiceListQuery,
} from '@ai-studio/contract/audio.ts';
import type { FastifyReply } from 'fastify';
import {
  audioUsage,
  listVoices,
  renderTranscript,
  speak,
  speechModelNames,
  transcribe,
  type TranscribeDeps,
  type TranscribeEvent,
  transcribing,
  type VoiceDeps,
} from './index.ts';
import { pinged } from '../kernel/pinged.ts';
import { type KeyCall, publicRoute, type PublicRoute } from '../http-kit/public-route.ts';
import type { Upload } from '../http-kit/upload.ts';

export interface AudioRouteDeps extends TranscribeDeps, VoiceDeps {
  /** Where files are kept while they are worked on. */
  readonly folder: string;
  readonly maxUploadBytes: number;
}

const EVENTS = 'text/event-stream; charset=utf-8';

/** Events whose `audio` is base64. Source: decisions section 6. */
async function* speechEvents(
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

/** Yields parts until the signal aborts; then throws its reason at once, even while a part is awaited. */
async function* abortable<T>(parts: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T, void> {
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
    // Not awaited: the iterator may be blocked in the aborted work.
    void reading.return?.().catch(() => undefined);
  }
}

/** Events of a transcript. Source: OpenAI, API reference, "Transcription streaming events". */
async function* transcriptEvents(
  events: AsyncIterable<TranscribeEvent>,
  failure: (error: unknown) => object,
): AsyncGenerator<string, void> {
  let sentText = '';
  try {
    for await (const event of events) {
      if (event.type === 'progress') {
        const { segment } = event.progress;
        if (segment === null) continue;
        const delta = sentText === '' ? segment.text : ` ${segment.text}`;
        sentText += delta;
        yield eventOf({ type: 'transcript.text.delta', delta });
        continue;
      }
      const { text, seconds } = event.transcribed;
      if (sentText === '' && text !== '') yield eventOf({ type: 'transcript.text.delta', delta: text });
      yield eventOf({ type: 'transcript.text.done', text, usage: audioUsage(seconds) });
      yield 'data: [DONE]\n\n';
    }
  } catch (error) {
    yield eventOf(failure(error));
  }
}

/** Buffers events until the first result, so that an earlier failure is still replied with an HTTP status. */
async function bufferUntilResult(
  events: AsyncGenerator<TranscribeEvent, void>,
): Promise<AsyncGenerator<TranscribeEvent, void>> {
  const buffered: TranscribeEvent[] = [];
  for (;;) {
    const next = await events.next();
    if (next.done === true) break;
    buffered.push(next.value);
    if (next.value.type === 'done' || next.value.progress.done > 0) break;
  }
  return (async function* all() {
    yield* buffered;
    yield* events;
  })();
}

/** Yields the events and removes the file afterwards, also when the reader stops early. */
async function* withCleanup<T>(
  events: AsyncIterable<T>,
  { remove }: { readonly remove: () => Promise<void> },
): AsyncGenerator<T, void> {
  try {
    yield* events;
  } finally {
    await remove();
  }
}

const common = { method: 'POST', access: 'utilities', tag: 'Speech', interruptible: true } as const;
/** Which model, or which voice of the program, it was. */
const headers = { 'X-Model': 'Who did it: a model, or a program' };

const sendEvents = (reply: FastifyReply, lines: AsyncIterable<string>): FastifyReply =>
  reply
    .type(EVENTS)
    .header('Cache-Control', 'no-cache')
    .send(Readable.from(lines, { objectMode: false }));

/** Answers a call with a recording: what is said in it, or the same in English. */
async function writeDown(
  deps: AudioRouteDeps,
  call: Pick<KeyCall, 'signal' | 'reply' | 'admitted' | 'failure'>,
  upload: Pick<Upload, 'path' | 'remove'>,
  fields: TranscriptionFields,
  task: 'transcribe' | 'translate',
): Promise<FastifyReply> {
  const { signal, reply, admitted } = call;
  const asked = { ...fields, translate: task === 'translate' };
  let isStreaming = false;
  try {
    if (fields.stream === 'true') {
      const events = await bufferUntilResult(transcribing(deps, admitted, upload.path, asked));
      // Nobody would read it.
      signal.throwIfAborted();
      isStreaming = true;
      const lines = transcriptEvents(abortable(withCleanup(events, upload), signal), call.failure);
      return sendEvents(reply.header('X-Accel-Buffering', 'no'), pinged(lines));
    }
    const transcribed = await transcribe(deps, admitted, upload.path, asked);
    const { type, body } = renderTranscript(transcribed, fields.response_format, task);
    return reply.type(type).header('X-Model', transcribed.model).send(body);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    if (!isStreaming) await upload.remove();
  }
}

/** What routes with a recording have in common. */
const ofRecordings = {
  ...common,
  reply: { Transcription },
  media: ['text/plain', 'application/x-subrip', 'text/vtt'],
  headers,
  errors: ['timeout'],
} as const;

/** POST /audio/transcriptions. Source: decisions section 6. */
const transcriptionRoute = (deps: AudioRouteDeps): PublicRoute =>
  publicRoute({
    ...ofRecordings,
    path: '/audio/transcriptions',
    summary: 'Speech to text',
    description:
      'Writes down the speech of a file: mp3, wav, m4a, flac, ogg, webm, aac, wma or opus, known by its content. `verbose_json`, `srt` and `vtt` have times. Without a model it is a 503 that says what to connect or install.',
    form: { fields: { TranscriptionFields }, folder: deps.folder, maxBytes: deps.maxUploadBytes },
    usage: 'transcriptions',
    async handle(call) {
      const upload = await call.upload();
      return writeDown(deps, call, upload, upload.fields, 'transcribe');
    },
  });

/** POST /audio/translations. Source: decisions section 3; OpenAI API reference, "Create translation". */
const translationRoute = (deps: AudioRouteDeps): PublicRoute =>
  publicRoute({
    ...ofRecordings,
    path: '/audio/translations',
    summary: 'Speech to English text',
    description:
      'Writes down the speech of a file in English, whatever language is spoken, by models of the family Whisper and by servers that have the endpoint; another model is a 400 that says so. Files and forms of the reply are those of POST /v1/audio/transcriptions.',
    form: { fields: { TranslationFields }, folder: deps.folder, maxBytes: deps.maxUploadBytes },
    usage: 'translations',
    async handle(call) {
      const upload = await call.upload();
      return writeDown(deps, call, upload, upload.fields, 'translate');
    },
  });

/** POST /audio/speech. Source: decisions section 6. */
const speechRoute = (deps: AudioRouteDeps): PublicRoute =>
  publicRoute({
    ...common,
    path: '/audio/speech',
    summary: 'Text to speech',
    description:
      'Says a text, as bytes that come while they are made, or with `stream_format` `sse` as events whose `audio` is base64, and `[DONE]`. Without a model or program it is a 503 that says what to connect or install.',
    body: { SpeechRequest },
    media: ['audio/mpeg', 'audio/wav', 'audio/ogg', 'audio/flac', 'audio/pcm', 'audio/aac'],
    stream: { SpeechEvent },
    lastEvent: '[DONE]',
    headers,
    example: { input: '안녕하세요. Hello.', response_format: 'mp3' },
    errors: ['timeout'],
    usage: 'speech',
    async handle({ body, signal, reply, admitted, failure }) {
      const { model, mediaType, ...spoken } = await speak(deps, admitted, body);
      const parts = abortable(spoken.parts, signal);
      reply.header('X-Model', model);
      if (body.stream_format === 'sse') return sendEvents(reply, speechEvents(parts, failure));
      return reply.type(mediaType).send(Readable.from(parts, { objectMode: false }));
    },
  });

const lists = { method: 'GET', access: 'utilities', tag: 'Speech' } as const;

/** GET /audio/voices and /audio/models, which programs fill their settings from. Source: Open WebUI 0.6. */
const listRoutes = (deps: AudioRouteDeps): readonly PublicRoute[] => [
  publicRoute({
    ...lists,
    path: '/audio/voices',
    summary: 'Voices',
    description:
      'The voices of the text-to-speech models that the key may use, each with its model, for the settings of programs such as Open WebUI. Servers of models are asked; one that tells none has `alloy`, which stands for the own voice of a model everywhere.',
    query: { VoiceListQuery },
    reply: { VoiceList },
    handle: ({ ctx, query }) => listVoices(deps, ctx, query.model),
  }),
  publicRoute({
    ...lists,
    path: '/audio/models',
    summary: 'Text-to-speech models',
    description:
      'The text-to-speech models that the key may use and their aliases, for the settings of programs such as Open WebUI. `GET /v1/models` lists them among all others.',
    reply: { SpeechModelList },
    handle: ({ key }) => ({ models: speechModelNames(deps, key.allowedModels).map((id) => ({ id, name: id })) }),
  }),
];

/** Speech to text and text to speech. */
export const audioRoutes = (deps: AudioRouteDeps): readonly PublicRoute[] => [
  transcriptionRoute(deps),
  translationRoute(deps),
  speechRoute(deps),
  ...listRoutes(deps),
];
