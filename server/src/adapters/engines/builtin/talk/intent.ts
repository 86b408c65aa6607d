import type { Answer } from '../answer.ts';
import { calculate, showNumber } from './arithmetic.ts';
import type { Conversation } from '../conversation.ts';
import { echo } from './echo.ts';
import { passOn } from './notes.ts';
import { remember } from './memory.ts';
import { replies } from './replies.ts';
import { MAX_QUESTION, type Rule } from './rule.ts';
import { clock, introduce, smallTalk } from './small-talk.ts';
import { count, letters, pickLines, summarise } from './text-rules.ts';

const CALCULATES =
  /계산|더하|더한|빼|뺀|곱하|곱한|나누|나눈|[+*×÷=]|\b(?:calculate|compute|plus|minus|times|divided)\b/i;

/** Arithmetic, with its steps. */
const compute: Rule = ({ question, message, material, language }) => {
  // What comes with material is searched, not calculated, unless it says so: a telephone number is no difference.
  if (material !== '' && !CALCULATES.test(question)) return null;
  const found = calculate(question) ?? (material === '' && message.length <= MAX_QUESTION ? calculate(message) : null);
  if (!found) return null;
  const says = replies[language];
  const { expression, result, steps } = found;
  const trace = [says.trace.arithmetic(expression), ...steps];
  if (result === 'division_by_zero') return { text: says.divisionByZero(expression), trace, found: true };
  if (result === 'too_large') return { text: says.tooLarge(expression), trace, found: true };
  return { text: `${expression} = ${showNumber(result)}`, trace, found: true };
};

/** Rules in the order of their claim. Those before the search of the documents are about the message itself. */
const rules: readonly Rule[] = [
  passOn,
  smallTalk,
  echo,
  remember,
  introduce,
  count,
  letters,
  pickLines,
  summarise,
  clock,
  compute,
];

/** What one of the rules says to a conversation; null when none is meant. */
export function byRule(conversation: Conversation, now: Date): Answer | null {
  for (const rule of rules) {
    const answer = rule(conversation, now);
    if (answer) return answer;
  }
  return null;
}
