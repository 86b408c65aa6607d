import type { ResponseRequest } from '@ai-studio/contract/responses/request.ts';
import { callChecked, type UncheckedTool, uniqueNames } from '../../agents/index.ts';
import type { Logger } from '../../kernel/log.ts';
import type { RetrievalDeps } from '../../retrieval/index.ts';
import { flatTools } from '../tool-names.ts';
import { fileSearch } from './file-search.ts';
import type { HostedTool, NamelessTool, ToolCaller } from './hosted-tool.ts';
import { type McpDeps, mcpTools } from './mcp.ts';
import { webSearch, type WebSearchServer } from './web-search.ts';

/** What tools that the service runs work with. */
export interface HostedDeps extends McpDeps {
  readonly retrieval: RetrievalDeps;
  /** Null where the operator configured none. */
  readonly webSearch: WebSearchServer | null;
  readonly log: Logger;
}

const nameless = (tool: UncheckedTool, log: Logger) => ({
  ownName: tool.name,
  description: tool.description,
  parameters: tool.parameters,
  call: (args: unknown, options: Parameters<HostedTool['call']>[1]) => callChecked(tool, args, options, log),
});

async function toolsAt(
  deps: HostedDeps,
  caller: ToolCaller,
  tool: NonNullable<ResponseRequest['tools']>[number],
  path: string,
): Promise<readonly NamelessTool[]> {
  const { log } = deps;
  switch (tool.type) {
    case 'function':
    case 'namespace':
      return [];
    case 'file_search':
      return [
        { kind: 'file_search', server: null, ...nameless(await fileSearch(deps.retrieval, caller, tool, path), log) },
      ];
    case 'mcp': {
      const served = await mcpTools(deps, caller, tool, path);
      return served.map(({ label, asks, tool: one }) => ({
        kind: 'mcp' as const,
        server: { label, tool: one.name, asks },
        ...nameless(one, log),
      }));
    }
    default:
      if (deps.webSearch === null) return [];
      return [{ kind: 'web_search', server: null, ...nameless(webSearch(deps.webSearch, caller, tool), log) }];
  }
}

/**
 * The tools of a request that the service runs, in its order, each by a name that no function of the request has. Throws StudioError for one
 * that the caller may not use, or that is not there.
 */
export async function openHostedTools(
  deps: HostedDeps,
  caller: ToolCaller,
  { tools }: ResponseRequest,
): Promise<readonly HostedTool[]> {
  const opened: NamelessTool[] = [];
  for (const [at, tool] of (tools ?? []).entries()) opened.push(...(await toolsAt(deps, caller, tool, `tools[${at}]`)));
  const functions = [...flatTools(tools ?? []).keys()];
  const names = uniqueNames([
    // Theirs stay as they are: they come first, and have no server to be told apart by.
    ...functions.map((name) => ({ name, server: null })),
    ...opened.map(({ ownName, server }) => ({ name: ownName, server: server?.label ?? null })),
  ]).slice(functions.length);
  return opened.map(({ ownName, ...tool }, at) => ({ ...tool, name: names[at] ?? ownName }));
}
