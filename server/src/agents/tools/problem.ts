import { type ToolServerProblem, toolServerProblems } from '@ai-studio/contract/console/agents.ts';
import { StudioError } from '../../kernel/errors.ts';
import type { FetchRefused } from '../../net-guard/index.ts';

/** Why a server of tools could not be asked: StudioError `unavailable`, whose reason the console has words for. */
export const problem = (
  reason: ToolServerProblem,
  message: string,
  {
    values = {},
    cause,
  }: { readonly values?: Readonly<Record<string, string | number>>; readonly cause?: unknown } = {},
): StudioError =>
  new StudioError('unavailable', message, { reason, values, ...(cause === undefined ? {} : { cause }) });

/** The problem of a refused fetch. `who` begins the sentence. */
export const refusedProblem = (who: string, refused: FetchRefused): StudioError =>
  problem(
    toolServerProblems.find((one) => one === refused.kind) ?? 'unreachable',
    `${who} did not answer: ${refused.message}`,
    {
      cause: refused,
      ...(refused.status === null ? {} : { values: { status: refused.status } }),
    },
  );
