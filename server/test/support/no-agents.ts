import type { AgentChats } from '../../src/agents/index.ts';

/** There are no agents that answer in place of models. */
export const noAgents: Pick<AgentChats, 'open' | 'takesFiles' | 'cancelLasting'> = {
  open: () => Promise.resolve(null),
  takesFiles: () => Promise.resolve(false),
  cancelLasting: () => Promise.resolve(),
};
