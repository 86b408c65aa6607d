import type { Logger } from '../../../../kernel/log.ts';
import type { EncodedBody, EngineModel } from '../../../../ports/engine.ts';
import type { Dialect } from '../dialects.ts';
import { type BufferedResponse, parseJsonResponse } from '../exchange-json.ts';
import { ChatContext, type ChatContextOptions } from './chat-context.ts';
import { type AskPage, contextRulesOf } from './length-pages.ts';
import { ContextLengths } from './lengths.ts';

/** How the server is asked; paths are relative to its root. All reject with EngineError. */
export interface ServerContextOptions {
  readonly engineId: string;
  readonly dialect: () => Dialect;
  /** Resolves once the kind of server was looked for. */
  readonly detect: () => Promise<void>;
  readonly listModels: (signal: AbortSignal) => Promise<readonly EngineModel[]>;
  readonly get: (path: string, signal: AbortSignal) => Promise<BufferedResponse>;
  readonly post: (path: string, body: EncodedBody, model: string, signal: AbortSignal) => Promise<unknown>;
  readonly tokenize: ChatContextOptions['tokenize'];
  readonly log: Logger;
}

const TIMEOUT_MS = 5_000;

/** What is known of the lengths of one server's models, and the room that requests have by it. */
export function createServerContext(options: ServerContextOptions) {
  const { engineId, dialect, detect, listModels, get, post, tokenize, log } = options;

  /** The models with their lengths, from wherever the kind of server has them. Rejects with EngineError. */
  const models = async (signal: AbortSignal): Promise<readonly EngineModel[]> => {
    const listed = await listModels(signal);
    const ask: AskPage = async (path, body) => {
      try {
        if (body) return await post(path, [Buffer.from(JSON.stringify(body))], '', signal);
        return parseJsonResponse(await get(path, signal), { engineId, model: '' });
      } catch {
        // A page that not every version has: the list alone tells then.
        return null;
      }
    };
    return (await contextRulesOf(dialect()).readLengths?.(listed, ask)) ?? listed;
  };
  const lengths = new ContextLengths({
    ask: async () => {
      await detect();
      return models(AbortSignal.timeout(TIMEOUT_MS));
    },
    onLearned: (model, contextLength) =>
      log.info({ engine: engineId, model, contextLength }, 'context length of a model learned'),
    onFailed: (error) =>
      log.debug({ engine: engineId, error: String(error) }, 'context lengths could not be asked for'),
    now: () => performance.now(),
  });
  return { models, lengths, context: new ChatContext({ engineId, lengths, dialect, tokenize }) };
}
