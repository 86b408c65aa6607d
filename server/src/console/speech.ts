import { SayRequest, SpeechMeans, TranscribeQuery, Transcript } from '@ai-studio/contract/console/speech.ts';
import { SpeechRequest } from '@ai-studio/contract/audio.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { speak, speechModels, transcribe, type TranscribeDeps } from '../audio/index.ts';
import { personSubject } from '../conversations/index.ts';
import { StudioError } from '../kernel/errors.ts';
import type { RateLimiter } from '../ports/rate-limiter.ts';
import type { UsageRow } from '../usage/index.ts';
import { type AllowanceDeps, allowanceOf } from './allowance.ts';
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

  async function write(call: TenantCall<unknown, TranscribeQuery>): Promise<Transcript> {
    const { request, query, signal } = call;
    const at = Date.now();
    const body = request.body as Readable | null | undefined;
    if (typeof body?.pipe !== 'function')
      throw new StudioError('unsupported_media_type', 'The Content-Type must be application/octet-stream');
    const place = await mkdtemp(join(folder, 'upload-'));
    try {
      if (query.size > maxBytes) throw tooLarge(maxBytes);
      const context = await contextOf(call);
      const path = join(place, 'file');
      await receive(body, path, maxBytes, signal);
      const { model, engine, text, language, seconds, segments } = await transcribe(speech, context, path, {
        model: query.model,
        language: query.language,
        response_format: 'verbose_json',
      });
      count(call, 'transcriptions', { model, engine }, at);
      const usage = { audio_duration_ms: Math.round(seconds * 1000) };
      return { model, text, language, duration: seconds, usage, segments: [...segments] };
    } catch (error) {
      body.resume();
      throw error;
    } finally {
      await rm(place, { recursive: true, force: true });
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
      reply: Transcript,
      handle: write,
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
