import { type ChatRouter, type CompleteDeps, complete, createPrepare } from '../chat/index.ts';
import { reasoningKwargs } from '../conversations/index.ts';
import { tellFailure } from '../http/index.ts';
import { StudioError } from '../kernel/errors.ts';
import { hexId } from '../kernel/ids.ts';
import type { Catalogue } from '../models/catalogue.ts';
import { EngineError } from '../ports/engine.ts';
import type { AskModel } from '../privacy/index.ts';

interface Means {
  readonly catalogue: Catalogue;
  readonly router: ChatRouter;
  readonly maxJsonBytes: number;
}

/** The content of a whole reply. */
function contentOf(reply: string): string {
  const { choices } = JSON.parse(Buffer.from(reply, 'latin1').toString('utf8')) as {
    readonly choices: readonly { readonly message: { readonly content: string | null } }[];
  };
  return choices[0]?.message.content ?? '';
}

/** Short questions to chat models, by the service itself: one text each, no thinking, an answer in JSON. */
export function createAskModel({ catalogue, router, maxJsonBytes }: Means): AskModel {
  const pipeline: CompleteDeps = { router, memory: new Map(), now: Date.now };
  const prepare = createPrepare({ catalogue, maxJsonBytes });

  function answer(body: object, signal: AbortSignal): Promise<string> {
    const chat = prepare(Buffer.from(JSON.stringify(body)), null);
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const running = complete(
      pipeline,
      chat,
      { requestId: hexId(), toolStream: 'openai' },
      {
        open: () => undefined,
        write: () => true,
        end: () => undefined,
        reply: (bytes) => resolve(contentOf(bytes)),
        fail: reject,
      },
      () => reject(new Error('it was stopped')),
    );
    const stop = () => {
      running.cancel();
      reject(new Error('it took too long'));
    };
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    return promise.finally(() => signal.removeEventListener('abort', stop));
  }

  return {
    knows: (model) => catalogue.get(model)?.kind === 'chat',
    async ask({ model, system, text, schema, signal }) {
      const known = catalogue.get(model);
      const kwargs = known?.kind === 'chat' ? reasoningKwargs(known, false) : null;
      const body = {
        model,
        temperature: 0,
        messages: [
          { role: 'system', content: system },
          { role: 'user', content: text },
        ],
        ...(kwargs ? { chat_template_kwargs: kwargs } : {}),
      };
      const format = { type: 'json_schema', json_schema: { name: 'values', schema, strict: true } };
      try {
        return await answer({ ...body, response_format: format }, signal).catch((error: unknown) => {
          // A server that knows no schemas: the words of the question ask for the same.
          if (error instanceof EngineError && error.kind === 'refused') return answer(body, signal);
          throw error;
        });
      } catch (error) {
        if (error instanceof Error && !(error instanceof EngineError) && !(error instanceof StudioError)) throw error;
        throw new Error(tellFailure(error).message, { cause: error });
      }
    },
  };
}
