import type { CallContext } from '../../kernel/actor.ts';
import type { Deployed } from '../lifecycle/runnable.ts';
import type { CardAddresses } from './cards.ts';

/** A call of an agent. */
export interface AgentContext extends CallContext {
  readonly agent: Deployed;
  /** Addresses of the agent's doors as the caller reaches them. */
  readonly url: CardAddresses;
}
