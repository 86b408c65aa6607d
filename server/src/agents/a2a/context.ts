import type { CallContext } from '../../kernel/actor.ts';
import type { Deployed } from '../lifecycle/runnable.ts';

/** A call of an agent. */
export interface AgentContext extends CallContext {
  readonly agent: Deployed;
  /** Address of the agent's A2A as the caller reaches it. */
  readonly url: string;
}
