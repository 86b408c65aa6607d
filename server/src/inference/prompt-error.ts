import { EngineError } from '../ports/engine.ts';

const isMessages = (param: string | null) => param !== null && /^messages\b/.test(param);

/** Maps a refusal of `messages` to `prompt`, the only field that callers of text completions know. */
export function asPromptError(error: unknown): unknown {
  if (!(error instanceof EngineError) || error.kind !== 'refused' || !isMessages(error.param)) return error;
  const { message, detail, status, context, cause } = error;
  return new EngineError('refused', message, { detail, status, context, cause, param: 'prompt' });
}
