import type { DefinitionProblem } from '@ai-studio/contract/agents/definition.ts';

export type ProblemCode = DefinitionProblem['code'];

/** Where a problem is: a field of a node, of an edge (`edges.3`), or the whole. */
interface ProblemLocation {
  readonly node?: string | null;
  readonly field?: string | null;
}

export const problem = (
  code: ProblemCode,
  message: string,
  { node = null, field = null }: ProblemLocation = {},
): DefinitionProblem => ({ severity: 'error', code, message, node, field });

/** What does no harm, but is hardly meant. */
export const warning = (...parts: Parameters<typeof problem>): DefinitionProblem => ({
  ...problem(...parts),
  severity: 'warning',
});

/** As many as anybody reads. */
const MAX_PROBLEMS = 100;

/** Errors first, none twice, and not too many. */
export function sortedProblems(found: Iterable<DefinitionProblem>): DefinitionProblem[] {
  const problems = new Map([...found].map((one) => [JSON.stringify(one), one]));
  const all = [...problems.values()];
  const errors = all.filter(({ severity }) => severity === 'error');
  return [...errors, ...all.filter(({ severity }) => severity !== 'error')].slice(0, MAX_PROBLEMS);
}
