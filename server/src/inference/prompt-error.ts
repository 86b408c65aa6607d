import { EngineError } from '../ports/engine.ts';

const isMessages = (param: string | null) => param !== null && /^messages\b/.test(param);

/** A refusal of the messages that the prompt became, as one of the prompt: the only field that the caller knows. */
export function ofThePrompt(error: unknown): unknown {
  if (!(error instanceof EngineError) || error.kind !== 'refused' || !isMessages(error.param)) return error;
  const { message, detail, status, cause } = error;
  return new EngineError('refused', message, { detail, status, cause, param: 'prompt' });
}
