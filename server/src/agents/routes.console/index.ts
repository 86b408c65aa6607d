import type { ConsoleRoute } from '../../console-kit/route.ts';
import { agentBuildingRoutes } from './building.ts';
import { deployedAgentRoutes } from './deployed.ts';
import type { AgentRouteDeps } from './deps.ts';
import { agentRunRoutes } from './runs.ts';
import { toolServerRoutes } from './tool-servers.ts';

export type { AgentRouteDeps, AgentRunsDeps } from './deps.ts';

/** Agents: built, reviewed, tried and used, and the servers of their tools. */
export const agentRoutes = (deps: AgentRouteDeps): ConsoleRoute[] => [
  ...agentBuildingRoutes(deps),
  ...toolServerRoutes(deps),
  ...agentRunRoutes(deps),
  ...deployedAgentRoutes(deps),
];
