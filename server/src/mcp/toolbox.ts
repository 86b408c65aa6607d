import type { PrivacyDeps } from '../privacy/index.ts';
import type { RetrievalDeps } from '../retrieval/index.ts';
import type { McpCaller } from './caller.ts';
import type { Tool } from './tool.ts';
import { type AgentToolDeps, findAgentTool, listAgentTools } from './tools/agents.ts';
import { maskTool } from './tools/mask.ts';
import { parseTool, type ParseToolDeps } from './tools/parse.ts';
import { retrievalTools } from './tools/search.ts';

export interface ToolboxDeps {
  readonly retrieval: RetrievalDeps;
  readonly privacy: PrivacyDeps;
  readonly parsing: ParseToolDeps;
  readonly agents: AgentToolDeps;
}

/** The tools, as they are there for a caller: others are not known to it. */
export interface Toolbox {
  list(caller: McpCaller): Promise<readonly Tool[]>;
  /** Null for a name that is none, or not for the caller. */
  find(caller: McpCaller, name: string): Promise<Tool | null>;
}

export function createToolbox({ retrieval, privacy, parsing, agents }: ToolboxDeps): Toolbox {
  const common = [...retrievalTools(retrieval), parseTool(parsing), maskTool(privacy)];
  const isFor =
    ({ scopes }: McpCaller) =>
    ({ scope }: Tool) =>
      scopes.has(scope);
  return {
    async list(caller) {
      const own = common.filter(isFor(caller));
      return caller.scopes.has('agents') ? [...own, ...(await listAgentTools(agents, caller))] : own;
    },
    async find(caller, name) {
      const known = common.find(({ listed }) => listed.name === name);
      if (known) return isFor(caller)(known) ? known : null;
      return caller.scopes.has('agents') ? findAgentTool(agents, caller, name) : null;
    },
  };
}
