import type { Test } from '@ai-studio/contract/agents/definition.ts';
import { compilePattern } from '../definition/pattern/index.ts';

interface Tests {
  readonly match: 'all' | 'any';
  readonly tests: readonly Test[];
}

/** A number where both sides are numbers, else texts by their characters. */
function compare(left: string, right: string): number {
  const [a, b] = [Number(left), Number(right)];
  if (left.trim() !== '' && right.trim() !== '' && !Number.isNaN(a) && !Number.isNaN(b)) return a - b;
  return left < right ? -1 : left > right ? 1 : 0;
}

const isEmpty = (text: string) => ['', '[]', '{}', 'null'].includes(text.trim());

function holds({ op, ...sides }: Test, text: (template: string) => string): boolean {
  const left = text(sides.left);
  const right = text(sides.right);
  switch (op) {
    case 'equals':
      return compare(left.trim(), right.trim()) === 0;
    case 'not_equals':
      return compare(left.trim(), right.trim()) !== 0;
    case 'contains':
      return left.includes(right);
    case 'not_contains':
      return !left.includes(right);
    case 'starts_with':
      return left.startsWith(right);
    case 'matches':
      return compilePattern(right).test(left);
    case 'greater':
      return compare(left, right) > 0;
    case 'less':
      return compare(left, right) < 0;
    case 'empty':
      return isEmpty(left);
    case 'not_empty':
      return !isEmpty(left);
  }
}

/** Whether tests hold. `text` fills the placeholders of their sides. Throws StudioError for a pattern that is none. */
export const testsHold = ({ match, tests }: Tests, text: (template: string) => string): boolean =>
  match === 'all' ? tests.every((test) => holds(test, text)) : tests.some((test) => holds(test, text));
