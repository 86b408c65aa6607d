import type { EmbedCall, EmbedResult, EncodedBody, Engine, EngineModel } from '../../../ports/engine.ts';
import type { CallTags } from './connections.ts';
import type { Dialect } from './dialects.ts';
import { type EmbedderPages, readEmbedderLimits, tokenizerOf } from './embedder-limits.ts';
import { embedBody, readEmbeddings } from './embeddings.ts';
import { type BufferedResponse, parseJsonResponse } from './exchange-json.ts';
import type { CallTarget } from './failures.ts';
import { readBatchLimit, tooLongFailure } from './too-long.ts';

/** How long is kept what a server says of the lengths of its embedding models. */
const LIMITS_KEPT_MS = 300_000;
const ASK_TIMEOUT_MS = 5000;

/** What an embedder asks its server by. */
export interface EmbedderDeps {
  readonly engineId: string;
  readonly dialect: () => Dialect;
  readonly detect: () => Promise<void>;
  readonly models: (signal: AbortSignal) => Promise<readonly EngineModel[]>;
  readonly get: (page: string, signal: AbortSignal) => Promise<BufferedResponse>;
  readonly send: (
    page: string,
    body: EncodedBody,
    target: CallTarget,
    signal: AbortSignal,
    tags?: CallTags,
  ) => Promise<BufferedResponse>;
}

/** The embedding models of a server: their vectors, and what is known of how long texts may be. */
export function createEmbedder({
  engineId,
  dialect,
  detect,
  models,
  get,
  send,
}: EmbedderDeps): Required<Pick<Engine, 'embed' | 'embedderLimits' | 'countTokens'>> {
  let pages: { readonly atMs: number; readonly read: Promise<EmbedderPages> } | undefined;
  /** Texts that the server takes in one call; any number until it refused some. */
  let batchSize = Infinity;

  async function readPages(): Promise<EmbedderPages> {
    const signal = AbortSignal.timeout(ASK_TIMEOUT_MS);
    const list = await models(signal).catch(() => null);
    await detect();
    if (dialect() !== 'unknown') return { dialect: dialect(), models: list, info: null };
    const info = await get('/info', signal)
      .then(({ status, text }) => (status === 200 ? (JSON.parse(text) as unknown) : null))
      .catch(() => null);
    return { dialect: dialect(), models: list, info };
  }

  /** What the server says of its embedding models, asked anew once in a while. */
  function embedderPages(): Promise<EmbedderPages> {
    if (!pages || performance.now() - pages.atMs >= LIMITS_KEPT_MS) {
      pages = { atMs: performance.now(), read: readPages() };
    }
    return pages.read;
  }

  async function embedOnce(call: EmbedCall): Promise<EmbedResult> {
    const target = { engineId, model: call.model };
    const answer = await send('embeddings', [embedBody(call)], target, call.signal, call);
    const limit = readBatchLimit(answer.status, answer.text);
    if (limit !== null && limit < call.input.length) {
      batchSize = limit;
      return embedInParts(call);
    }
    const failure = tooLongFailure(engineId, answer.status, answer.text);
    if (failure) throw failure;
    return readEmbeddings(parseJsonResponse(answer, target), call, engineId);
  }

  async function embedInParts(call: EmbedCall): Promise<EmbedResult> {
    const parts: EmbedResult[] = [];
    for (let from = 0; from < call.input.length; from += batchSize)
      parts.push(await embedOnce({ ...call, input: call.input.slice(from, from + batchSize) }));
    return {
      vectors: parts.flatMap(({ vectors }) => vectors),
      promptTokens: parts.reduce((sum, { promptTokens }) => sum + promptTokens, 0),
    };
  }

  return {
    embed: (call) => (call.input.length > batchSize ? embedInParts(call) : embedOnce(call)),
    embedderLimits: async (model) => readEmbedderLimits(await embedderPages(), model),
    async countTokens(model, texts, signal) {
      const { dialect: kind, info } = await embedderPages();
      const tokenizer = tokenizerOf(kind, info);
      if (tokenizer === null) return null;
      const target = { engineId, model };
      const counts = await Promise.all(
        texts.map(async (text) => {
          const body = Buffer.from(JSON.stringify(tokenizer.body(model, text)));
          return tokenizer.count(parseJsonResponse(await send(tokenizer.path, [body], target, signal), target));
        }),
      ).catch(() => null);
      return counts?.every((count) => count !== null) === true ? counts : null;
    },
  };
}
