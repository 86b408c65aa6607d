import type { RunEvent } from '@ai-studio/contract/agents/run.ts';
import type { AgentRuns, FollowOptions } from '../runs/types.ts';
import { isLast } from './events.ts';

/** An event of a run, and whether its stream ends with it. */
export interface TaskEvent {
  readonly event: RunEvent;
  readonly last: boolean;
}

/**
 * The events of a run after `after`. A question ends a stream only while nobody has answered it: whether one does is known once it is
 * known whether anything comes after it. With `pastQuestions` the stream goes on after it, whether or not anybody does.
 */
export async function* followTask(
  runs: Pick<AgentRuns, 'follow'>,
  runId: string,
  after: number,
  signal: AbortSignal,
  options: FollowOptions = {},
): AsyncGenerator<TaskEvent, void> {
  let question: RunEvent | null = null;
  for await (const event of runs.follow(runId, after, signal, options)) {
    if (question !== null) yield { event: question, last: false };
    question = null;
    const ends = event.type === 'state' && isLast(event.state);
    if (ends && event.state === 'input-required' && options.pastQuestions !== true) question = event;
    else yield { event, last: ends };
  }
  if (question !== null) yield { event: question, last: true };
}
