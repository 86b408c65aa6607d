export { type Graph, graphOf } from './definition/graph.ts';
export {
  type Deployed,
  deployedBySlug,
  listDeployed,
  type Runnable,
  type RunnableAgent,
  runnableOf,
} from './lifecycle/runnable.ts';
export type { AgentRuns } from './runs/types.ts';
export { listChats } from './sessions/chats.ts';
export { deleteSession } from './sessions/delete.ts';
export { type AgentFiles, filesOf } from './sessions/files.ts';
export { endOfOwnRun, readAgentRun, readCitation, readTrace } from './sessions/runs.ts';
export { listSessions, readAgentSession, requireOwnSession, sessionNumber } from './sessions/sessions.ts';
export { agentUsage } from './sessions/usage.ts';
export type { SessionScope } from './sessions/whose.ts';
