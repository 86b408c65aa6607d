import { Call, type CallAccounting } from './call.ts';
import type { PreparedChat } from './request/prepare.ts';
import type { Principal } from '../kernel/actor.ts';
import { hexId } from '../kernel/ids.ts';
import type { Catalogue } from '../models/catalogue.ts';
import { reasoningKwargs } from '../models/reasoning-switch.ts';
import { EngineError } from '../ports/engine.ts';
import { toStudioError } from '../ports/failure.ts';
import type { AskModel, Spend } from '../privacy/index.ts';
import type { RunChat } from './run-chat.ts';
import { gatherText } from './whole-text.ts';

export interface InternalCompletionDeps extends CallAccounting {
  readonly catalogue: Catalogue;
  /** Checks a body. Throws StudioError. */
  readonly prepare: (bytes: Buffer, allowed: null) => PreparedChat;
  readonly run: RunChat;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/**
 * Internal completions: short questions to chat models by the service itself, one text each, without reasoning, answered in JSON. They
 * are a part of a call that was admitted and guarded, and are metered for its actor.
 */
export function createInternalCompletions(deps: InternalCompletionDeps): AskModel {
  const { catalogue, prepare, run, now = Date.now } = deps;

  async function answer(actor: Principal, body: object, signal: AbortSignal, spend: Spend): Promise<string> {
    const chat = prepare(Buffer.from(JSON.stringify(body)), null);
    const call = new Call(deps, { actor, requestId: hexId(), endpoint: 'text/pii-mask', startedMs: now() });
    const { running, ended } = gatherText((target, done) => run(call, chat, { toolStream: 'openai' }, target, done));
    const cancel = () => running.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
    const { outcome, error, usage, text } = await ended;
    signal.removeEventListener('abort', cancel);
    // What was asked is spent however it ended.
    spend(usage);
    if (outcome === 'error') throw error;
    if (outcome === 'canceled') throw new Error('it took too long');
    return text;
  }

  return {
    has: (model) => catalogue.get(model)?.kind === 'chat',
    async ask(actor, { model, system, text, schema, signal, spend }) {
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
        return await answer(actor, { ...body, response_format: format }, signal, spend).catch((error: unknown) => {
          // A server that has no schemas: the words of the question ask for the same.
          if (error instanceof EngineError && error.kind === 'refused') return answer(actor, body, signal, spend);
          throw error;
        });
      } catch (error) {
        throw new Error(signal.aborted ? 'it took too long' : toStudioError(error).message, { cause: error });
      }
    },
  };
}
