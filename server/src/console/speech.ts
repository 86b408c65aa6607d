import { consoleReasons } from '@ai-studio/contract/console/errors.ts';
import { SayRequest, SpeechMeans, TranscribeQuery, type TranscriptEvent } from '@ai-studio/contract/console/speech.ts';
import { SpeechRequest } from '@ai-studio/contract/audio.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { speak, speechModels, type TranscribeDeps, type TranscribeEvent, transcribing } from '../audio/index.ts';
import { personSubject } from '../conversations/index.ts';
import { StudioError } from '../kernel/errors.ts';
import type { RateLimiter } from '../ports/rate-limiter.ts';
import type { UsageRow } from '../usage/index.ts';
import { type AllowanceDeps, allowanceOf } from './allowance.ts';
import { sendEvents } from './event-stream.ts';
import { receive, tooLarge } from './parser.ts';
import { type ConsoleRoute, tenantRoute, type TenantCall } from './route.ts';

/** What the page of speech works with. */
export interface SpeechPageDeps extends TranscribeDeps {
  /** Largest file, in bytes. */
  readonly maxUploadBytes: number;
  /** Where files lie while they are worked on. */
  readonly folder: string;
  readonly meter: { record(row: UsageRow): void };
}

interface RouteDeps extends AllowanceDeps {
  readonly speech: SpeechPageDeps;
  readonly limiter: RateLimiter;
}

const access = 'playground';

/** Recordings that are written down, and texts that are said, for people who try it. */
export function speechRoutes(deps: RouteDeps): ConsoleRoute[] {
  const { speech, limiter } = deps;
  const { maxUploadBytes: maxBytes, folder } = speech;

  /** What the person may use; the call counts like a request of an API key. */
  async function contextOf({ ctx, person, signal }: TenantCall<unknown, unknown>) {
    const { limits, models: allowedModels } = await allowanceOf(deps, ctx.tenantId);
    const subject = personSubject({ tenantId: ctx.tenantId, userId: person.userId });
    const { allowed, resetSeconds } = await limiter.reserve(subject, limits, 0);
    if (!allowed)
      throw new StudioError('rate_limited', `Your rate limit is reached; try again in ${resetSeconds} seconds`, {
        retryAfterSeconds: resetSeconds,
      });
    return { requestId: ctx.requestId, allowedModels, signal };
  }

  const count = (
    { ctx, person }: TenantCall<unknown, unknown>,
    endpoint: 'transcriptions' | 'speech',
    { model, engine }: { readonly model: string; readonly engine: string },
    at: number,
  ) =>
    speech.meter.record({
      at,
      tenantId: ctx.tenantId,
      keyId: null,
      userId: person.userId,
      endpoint,
      model,
      engine,
      status: 200,
      outcome: 'ok',
      stream: false,
      promptTokens: 0,
      completionTokens: 0,
      reasoningTokens: null,
      firstTokenMs: null,
      latencyMs: Date.now() - at,
    });

  /** Takes the file and begins: resolves with what comes of it, once that is known to be something. */
  async function write(call: TenantCall<unknown, TranscribeQuery>): Promise<AsyncGenerator<TranscriptEvent, void>> {
    const { request, query, signal } = call;
    const at = Date.now();
    const body = request.body as Readable | null | undefined;
    if (typeof body?.pipe !== 'function')
      throw new StudioError('unsupported_media_type', 'The Content-Type must be application/octet-stream');
    const place = await mkdtemp(join(folder, 'upload-'));
    const leave = () => rm(place, { recursive: true, force: true });
    try {
      if (query.size > maxBytes) throw tooLarge(maxBytes);
      const context = await contextOf(call);
      const path = join(place, 'file');
      await receive(body, path, maxBytes, signal);
      const { model, language } = query;
      const events = transcribing(speech, context, path, { model, language, response_format: 'verbose_json' });
      const first = await events.next();
      return told(call, at, first.done === true ? [] : [first.value], events, leave);
    } catch (error) {
      body.resume();
      await leave();
      throw error;
    }
  }

  async function* told(
    call: TenantCall<unknown, unknown>,
    at: number,
    first: readonly TranscribeEvent[],
    rest: AsyncGenerator<TranscribeEvent, void>,
    leave: () => Promise<void>,
  ): AsyncGenerator<TranscriptEvent, void> {
    const render = (event: TranscribeEvent): TranscriptEvent => {
      if (event.type === 'segment') return { type: 'segment', text: event.segment.text, share: event.share };
      const { model, engine, text, language, seconds, segments } = event.transcribed;
      count(call, 'transcriptions', { model, engine }, at);
      const usage = { audio_duration_ms: Math.round(seconds * 1000) };
      const transcript = { model, text, language, duration: seconds, usage, segments: [...segments] };
      return { type: 'done', transcript };
    };
    try {
      for (const event of first) yield render(event);
      for await (const event of rest) yield render(event);
    } catch (error) {
      if (call.signal.aborted) return;
      const known = error instanceof StudioError ? error : null;
      const reason = consoleReasons.find((one) => one === known?.reason) ?? null;
      yield { type: 'failed', reason, message: known?.message ?? 'The recording could not be written down' };
    } finally {
      await leave();
    }
  }

  return [
    tenantRoute({
      method: 'GET',
      path: '/speech',
      access,
      reply: SpeechMeans,
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
      handle: async (call) => sendEvents(call.reply, await write(call)),
    }),
    tenantRoute({
      method: 'POST',
      path: '/speech/say',
      access,
      body: SayRequest,
      async handle(call) {
        const at = Date.now();
        const spoken = await speak(speech, await contextOf(call), SpeechRequest.parse(call.body));
        count(call, 'speech', spoken, at);
        return call.reply.type(spoken.mediaType).send(Readable.from(spoken.parts, { objectMode: false }));
      },
    }),
  ];
}
