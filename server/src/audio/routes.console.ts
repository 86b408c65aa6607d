import { consoleReasons } from '@ai-studio/contract/console/errors.ts';
import {
  SayRequest,
  SpeechOptions,
  TranscribeQuery,
  type TranscriptEvent,
} from '@ai-studio/contract/console/speech.ts';
import { SpeechRequest } from '@ai-studio/contract/audio.ts';
import { Readable } from 'node:stream';
import {
  audioUsage,
  countSpoken,
  createTranscriptionUsage,
  type TranscriptionUsage,
  speak,
  speechModels,
  type TranscribeDeps,
  type TranscribeEvent,
  transcribing,
} from './index.ts';
import { StudioError } from '../kernel/errors.ts';
import { EngineError } from '../ports/engine.ts';
import type { MeteredCall, Metering } from '../usage/index.ts';
import { allowanceOf } from '../identity/index.ts';
import { type CountedCalls, admitPerson } from '../console-kit/allowance.ts';
import { sendEvents } from '../console-kit/event-stream.ts';
import { takeUpload } from '../console-kit/upload.ts';
import { type AnyCall, type ConsoleRoute, ownerOf, tenantRoute, type TenantCall } from '../console-kit/route.ts';

/** Dependencies of the page of speech. */
export interface SpeechPageDeps extends TranscribeDeps {
  /** Maximum size of a file in bytes. */
  readonly maxUploadBytes: number;
  /** Folder for uploads while they are processed. */
  readonly folder: string;
  readonly metering: Metering;
}

/** Dependencies of the routes of speech. */
interface SpeechRouteDeps extends CountedCalls {
  readonly speech: SpeechPageDeps;
}

const access = 'playground';

/** The event for a transcription that failed after the reply had begun. */
function toFailedEvent(error: unknown): TranscriptEvent {
  const studioError = error instanceof StudioError ? error : null;
  const isEngineError = error instanceof EngineError;
  const reason =
    consoleReasons.find((one) => one === studioError?.reason) ?? (isEngineError ? 'audio_model_failed' : null);
  const message =
    studioError?.message ?? (isEngineError ? error.detail : null) ?? 'The recording could not be written down';
  return { type: 'failed', reason, values: { ...studioError?.values }, message };
}

/** Routes for transcribing recordings and speaking texts in the playground. */
export function speechRoutes(deps: SpeechRouteDeps): ConsoleRoute[] {
  const { speech } = deps;
  const { maxUploadBytes: maxBytes, folder } = speech;

  /** Admits the call, which counts like a request with an API key, and returns the context with the models of the person. */
  async function contextOf(call: AnyCall) {
    const { allowedModels } = await admitPerson(deps, call);
    return { requestId: call.ctx.requestId, allowedModels, signal: call.signal };
  }

  const record = (call: AnyCall, metered: Omit<MeteredCall, 'actor'>) =>
    speech.metering.record({ actor: { ...ownerOf(call), keyId: null }, ...metered });

  /** Stores the upload and starts transcribing. Resolves once the first event is there. */
  async function transcribeUpload(
    call: TenantCall<unknown, TranscribeQuery>,
  ): Promise<AsyncGenerator<TranscriptEvent, void>> {
    const { query, signal } = call;
    const startedMs = Date.now();
    const { path, admitted, remove } = await takeUpload(call, { folder, maxBytes }, () => contextOf(call));
    const usage = createTranscriptionUsage();
    const finish = async () => {
      const metered = usage.read(signal);
      if (metered !== null) record(call, { endpoint: 'transcriptions', startedMs: startedMs, ...metered });
      await remove();
    };
    try {
      const { model, language } = query;
      const fields = { model, language, response_format: 'verbose_json' } as const;
      const events = transcribing(speech, admitted, path, fields, usage.watch);
      const firstEvents = await events.next();
      // The client is gone, and nobody would read the events.
      signal.throwIfAborted();
      return renderEvents(call, firstEvents.done === true ? [] : [firstEvents.value], events, usage, finish);
    } catch (error) {
      await finish();
      throw error;
    }
  }

  async function* renderEvents(
    call: AnyCall,
    firstEvents: readonly TranscribeEvent[],
    events: AsyncGenerator<TranscribeEvent, void>,
    usage: TranscriptionUsage,
    finish: () => Promise<void>,
  ): AsyncGenerator<TranscriptEvent, void> {
    const render = (event: TranscribeEvent): TranscriptEvent => {
      if (event.type === 'progress') {
        const { seconds, done, segment } = event.progress;
        return { type: 'progress', text: segment?.text ?? null, done, length: seconds };
      }
      usage.finish(event.transcribed);
      const { model, text, language, seconds, segments } = event.transcribed;
      const duration = audioUsage(seconds);
      return {
        type: 'done',
        transcript: { model, text, language, duration: duration.seconds, usage: duration, segments: [...segments] },
      };
    };
    try {
      for (const event of firstEvents) yield render(event);
      for await (const event of events) yield render(event);
    } catch (error) {
      if (!call.signal.aborted) yield toFailedEvent(error);
    } finally {
      await finish();
    }
  }

  return [
    tenantRoute({
      method: 'GET',
      path: '/speech',
      access,
      reply: SpeechOptions,
      async handle({ ctx }) {
        const { models } = await allowanceOf(deps, ctx.tenantId);
        const ids = (kind: 'transcription' | 'speech') => speechModels(speech, kind, models).map(({ id }) => id);
        return { transcription_models: ids('transcription'), speech_models: ids('speech'), max_bytes: maxBytes };
      },
    }),
    tenantRoute({
      method: 'POST',
      path: '/speech/transcriptions',
      access,
      takesFile: true,
      query: TranscribeQuery,
      handle: async (call) => sendEvents(call.reply, await transcribeUpload(call)),
    }),
    tenantRoute({
      method: 'POST',
      path: '/speech/say',
      access,
      body: SayRequest,
      async handle(call) {
        const startedMs = Date.now();
        const spoken = await speak(speech, await contextOf(call), SpeechRequest.parse(call.body));
        async function* meteredParts(): AsyncGenerator<Uint8Array, void> {
          let isComplete = false;
          try {
            yield* spoken.parts;
            isComplete = true;
          } finally {
            const { model, engine: isEngineError } = spoken;
            const outcome = isComplete ? 'ok' : call.signal.aborted ? 'canceled' : 'error';
            const counts = countSpoken(call.body.input, spoken);
            record(call, {
              endpoint: 'speech',
              startedMs: startedMs,
              model,
              engine: isEngineError,
              outcome,
              ...counts,
            });
          }
        }
        return call.reply.type(spoken.mediaType).send(Readable.from(meteredParts(), { objectMode: false }));
      },
    }),
  ];
}
