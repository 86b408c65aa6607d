import { StudioError } from '../../kernel/errors.ts';
import type { RunSnapshot } from '../runs/types.ts';
import type { AgentContext } from './context.ts';
import type { A2aDeps } from './deps.ts';
import { A2aError } from './errors.ts';

/** Ids of tasks: 32 hex characters. Source: decisions section 1, "Ids". */
const TASK_ID = /^[0-9a-f]{32}$/;

/** A task of the agent that came over A2A; what people do in the console is none. Throws A2aError `taskNotFound`. */
export async function readTask(
  { runs }: Pick<A2aDeps, 'runs'>,
  { actor, agent }: AgentContext,
  id: string,
): Promise<RunSnapshot> {
  const missing = (cause?: unknown) => new A2aError('taskNotFound', 'This agent has no such task', { cause });
  if (!TASK_ID.test(id)) throw missing();
  try {
    const found = await runs.read(actor.tenantId, agent.agent.id, id);
    if (found.sessionType !== 'api') throw missing();
    return found;
  } catch (error) {
    if (error instanceof StudioError && error.code === 'not_found') throw missing(error);
    throw error;
  }
}
