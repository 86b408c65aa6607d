import { type ChatResult, type ChatRouter, type CompleteDeps, complete, createPrepare } from '../chat/index.ts';
import { reasoningKwargs } from '../conversations/index.ts';
import { tellFailure } from '../http/index.ts';
import { StudioError } from '../kernel/errors.ts';
import { hexId } from '../kernel/ids.ts';
import type { Catalogue } from '../models/catalogue.ts';
import { EngineError } from '../ports/engine.ts';
import type { AskModel, Asker } from '../privacy/index.ts';
import type { UsageRow } from '../usage/index.ts';

interface Deps {
  readonly catalogue: Catalogue;
  readonly router: ChatRouter;
  readonly maxJsonBytes: number;
  /** Counts what was asked, as the asker's. */
  readonly meter: { record(row: UsageRow): void };
}

/** The content of a whole reply. */
function contentOf(reply: string): string {
  const { choices } = JSON.parse(Buffer.from(reply, 'latin1').toString('utf8')) as {
    readonly choices: readonly { readonly message: { readonly content: string | null } }[];
  };
  return choices[0]?.message.content ?? '';
}

/** Short questions to chat models, by the service itself: one text each, no thinking, an answer in JSON. */
export function createAskModel({ catalogue, router, maxJsonBytes, meter }: Deps): AskModel {
  const pipeline: CompleteDeps = { router, memory: new Map(), now: Date.now };
  const prepare = createPrepare({ catalogue, maxJsonBytes });

  function count(
    { tenantId, keyId, userId, spend }: Asker,
    model: string,
    startedMs: number,
    result: ChatResult,
  ): void {
    const { usage, outcome } = result;
    spend?.(usage);
    meter.record({
      at: startedMs,
      tenantId,
      keyId,
      userId: keyId === null ? userId : null,
      endpoint: 'text/pii-mask',
      model,
      engine: result.engine,
      status: outcome === 'ok' ? 200 : outcome === 'canceled' ? 499 : tellFailure(result.error).status,
      outcome,
      stream: false,
      promptTokens: usage.promptTokens,
      completionTokens: usage.completionTokens,
      reasoningTokens: usage.reasoningTokens,
      firstTokenMs: result.firstTokenMs,
      latencyMs: Date.now() - startedMs,
    });
  }

  function answer(body: object, signal: AbortSignal, asker: Asker): Promise<string> {
    const chat = prepare(Buffer.from(JSON.stringify(body)), null);
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const startedMs = Date.now();
    let reply: string | null = null;
    const running = complete(
      pipeline,
      chat,
      { requestId: hexId(), toolStream: 'openai' },
      {
        open: () => undefined,
        write: () => true,
        end: () => undefined,
        reply: (bytes) => {
          reply = bytes;
        },
        fail: reject,
      },
      // What was asked is counted before anybody goes on with the answer.
      (result) => {
        count(asker, chat.model.id, startedMs, result);
        if (reply === null) reject(new Error('it was stopped'));
        else resolve(contentOf(reply));
      },
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
    async ask({ model, system, text, schema, signal, asker }) {
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
        return await answer({ ...body, response_format: format }, signal, asker).catch((error: unknown) => {
          // A server that knows no schemas: the words of the question ask for the same.
          if (error instanceof EngineError && error.kind === 'refused') return answer(body, signal, asker);
          throw error;
        });
      } catch (error) {
        if (error instanceof Error && !(error instanceof EngineError) && !(error instanceof StudioError)) throw error;
        throw new Error(tellFailure(error).message, { cause: error });
      }
    },
  };
}
