import { consoleReasons } from '@ai-studio/contract/console/errors.ts';
import {
  SayRequest,
  SpeechOptions,
  TranscribeQuery,
  type TranscriptEvent,
} from '@ai-studio/contract/console/speech.ts';
import { SpeechRequest } from '@ai-studio/contract/audio.ts';
import { Readable } from 'node:stream';
import { audioUsage, speak, speechModels, type TranscribeDeps, type TranscribeEvent, transcribing } from './index.ts';
import { StudioError } from '../kernel/errors.ts';
import { EngineError } from '../ports/engine.ts';
import { allowanceOf } from '../identity/index.ts';
import { admitModelCall, type CountedCalls } from '../console-kit/allowance.ts';
import { sendEvents } from '../console-kit/event-stream.ts';
import { receiveUpload } from '../console-kit/upload.ts';
import { type AnyCall, type ConsoleRoute, tenantRoute, type TenantCall } from '../console-kit/route.ts';

/** What the page of speech works with. */
export interface SpeechPageDeps extends TranscribeDeps {
  /** Largest file, in bytes. */
  readonly maxUploadBytes: number;
  /** Where files lie while they are worked on. */
  readonly folder: string;
}

/** What the routes of speech work with. */
interface SpeechRouteDeps extends CountedCalls {
  readonly speech: SpeechPageDeps;
}

/** People speak in chats, and have answers read to them. */
const access = 'chat';

/** Why a recording was not written down, once the answer has begun. */
function failed(error: unknown): TranscriptEvent {
  const known = error instanceof StudioError ? error : null;
  const engine = error instanceof EngineError;
  const reason = consoleReasons.find((one) => one === known?.reason) ?? (engine ? 'audio_model_failed' : null);
  const message = known?.message ?? (engine ? error.detail : null) ?? 'The recording could not be written down';
  return { type: 'failed', reason, values: { ...known?.values }, message };
}

/** Recordings that are written down, and texts that are said, for people who try it. */
export function speechRoutes(deps: SpeechRouteDeps): ConsoleRoute[] {
  const { speech } = deps;
  const { maxUploadBytes: maxBytes, folder } = speech;

  /** Takes the file and begins: resolves with what comes of it, once that is known to be something. */
  async function write(call: TenantCall<unknown, TranscribeQuery>): Promise<AsyncGenerator<TranscriptEvent, void>> {
    const { query, signal } = call;
    const admit = () => admitModelCall(deps, call, 'transcriptions');
    const { path, admitted, remove } = await receiveUpload(call, { folder, maxBytes }, admit);
    try {
      const { model, language } = query;
      const fields = { model, language, response_format: 'verbose_json' } as const;
      const events = transcribing(speech, admitted, path, fields);
      const first = await events.next();
      // Nobody would read it.
      signal.throwIfAborted();
      return transcriptEvents(call, first.done === true ? [] : [first.value], events, remove);
    } catch (error) {
      await remove();
      throw error;
    }
  }

  async function* transcriptEvents(
    call: AnyCall,
    first: readonly TranscribeEvent[],
    rest: AsyncGenerator<TranscribeEvent, void>,
    remove: () => Promise<void>,
  ): AsyncGenerator<TranscriptEvent, void> {
    const render = (event: TranscribeEvent): TranscriptEvent => {
      if (event.type === 'progress') {
        const { seconds, done, segment } = event.progress;
        return { type: 'progress', text: segment?.text ?? null, done, length: seconds };
      }
      const { model, text, language, seconds, segments } = event.transcribed;
      const usage = audioUsage(seconds);
      return {
        type: 'done',
        transcript: { model, text, language, duration: usage.seconds, usage, segments: [...segments] },
      };
    };
    try {
      for (const event of first) yield render(event);
      for await (const event of rest) yield render(event);
    } catch (error) {
      if (!call.signal.aborted) yield failed(error);
    } finally {
      await remove();
    }
  }

  return [
    tenantRoute({
      method: 'GET',
      path: '/speech',
      access,
      reply: SpeechOptions,
      async handle({ ctx }) {
        const { models } = await allowanceOf(deps, ctx.actor.tenantId);
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
      handle: async (call) => sendEvents(call.reply, await write(call)),
    }),
    tenantRoute({
      method: 'POST',
      path: '/speech/say',
      access,
      body: SayRequest,
      async handle(call) {
        const admitted = await admitModelCall(deps, call, 'speech');
        const { mediaType, parts } = await speak(
          speech,
          admitted,
          SpeechRequest.parse({ ...call.body, response_format: 'mp3' }),
        );
        return call.reply.type(mediaType).send(Readable.from(parts, { objectMode: false }));
      },
    }),
  ];
}
