import type { NodeOf } from '@ai-studio/contract/agents/definition.ts';
import { StudioError } from '../../../kernel/errors.ts';
import { checkAnswer } from '../../tools/index.ts';
import type { ModelReply } from './call-model.ts';

const FENCE = '```';
/** Where a fence begins: its language, if it names one. */
const FENCE_BEGIN = /^```(?:json\b|\w*[ \t]*\r?\n|)/i;

/** What stands in the fence that encloses a whole text; the text where none does. */
function withoutFence(text: string): string {
  const whole = text.trim();
  const begin = FENCE_BEGIN.exec(whole)?.[0];
  if (begin === undefined || !whole.endsWith(FENCE) || whole.length < begin.length + FENCE.length) return whole;
  return whole.slice(begin.length, -FENCE.length);
}

/** Longest description of what does not fit. */
const MAX_REASON_LENGTH = 1_000;

const misfit = (reason: string, cause?: unknown) =>
  new StudioError(
    'unprocessable',
    `The model did not answer in the form that the node asks for: ${reason.slice(0, MAX_REASON_LENGTH).toWellFormed()}`,
    { cause },
  );

/** The JSON of an answer, as the schema of its node wants it; null for a node without one. Throws StudioError `unprocessable`. */
export function jsonOf({ content, cut }: Pick<ModelReply, 'content' | 'cut'>, { schema }: NodeOf<'model'>): unknown {
  if (schema === undefined) return null;
  let given: unknown;
  try {
    given = JSON.parse(withoutFence(content));
  } catch (cause) {
    throw misfit(cut ? 'it was cut where its tokens were used up' : 'it is no JSON', cause);
  }
  const checked = checkAnswer(schema, given);
  if (!checked.ok) throw misfit(checked.message);
  return checked.value;
}
