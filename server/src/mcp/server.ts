import type * as OfficialSdk from '@modelcontextprotocol/server';
import type { McpServer, ProtocolError, ServerContext } from '@modelcontextprotocol/server';
import { StudioError } from '../kernel/errors.ts';
import type { Logger } from '../kernel/log.ts';
import { toStudioError } from '../ports/failure.ts';
import type { RetrievalDeps } from '../retrieval/index.ts';
import type { McpCaller } from './caller.ts';
import { documentTemplate, listResources, readResource } from './resources.ts';
import { fileTemplate, readFileResource } from './run-files.ts';
import type { AgentToolDeps } from './tools/agents.ts';
import { failedResult, type Tool, type ToolCall } from './tool.ts';
import type { Toolbox } from './toolbox.ts';

/** The official package: it is loaded with the first request. */
export type Sdk = typeof OfficialSdk;

export interface ServerDeps {
  readonly sdk: Sdk;
  readonly version: string;
  readonly toolbox: Toolbox;
  readonly retrieval: RetrievalDeps;
  readonly files: AgentToolDeps['files'];
  readonly log: Logger;
}

/** A request with what was found out before it is answered. */
export interface ServedRequest {
  readonly caller: McpCaller;
  readonly signal: AbortSignal;
  readonly admitted: ToolCall['admitted'];
  /** The tool that it calls; null where it calls none, or one that is not there for the caller. */
  readonly tool: Tool | null;
}

const INSTRUCTIONS =
  'AI Studio: the documents, tools and agents of an organisation. search finds documents and fetch reads them; say where an answer stands by title and url. Tools whose names begin with agent_ are agents: ask them in the words of the person.';

/** Codes of JSON-RPC for failures of methods that are no tools. */
const INVALID_PARAMS = -32_602;
const INTERNAL_ERROR = -32_603;

/** A failure of a method as the protocol tells it. */
function protocolError({ sdk, log }: ServerDeps, { ctx }: McpCaller, error: unknown): ProtocolError {
  const { code, message, param, retryAfterSeconds: seconds } = toStudioError(error);
  if (code === 'internal') log.error({ requestId: ctx.requestId, err: error }, 'MCP: a request failed');
  const isOwn = code === 'internal' || code === 'unavailable' || code === 'timeout';
  const facts = {
    reason: code,
    ...(param === null ? {} : { param }),
    ...(seconds === undefined ? {} : { retry_after: seconds }),
  };
  return new sdk.ProtocolError(isOwn ? INTERNAL_ERROR : INVALID_PARAMS, message, facts);
}

/** Tells a client of progress, where it gave a token for it. A note that does not reach it is none that matters. */
function createProgress({ mcpReq }: ServerContext): ToolCall['progress'] {
  const token = mcpReq._meta?.progressToken;
  if (token === undefined) return () => undefined;
  let progress = 0;
  return (message) => {
    const params = { progressToken: token, progress: ++progress, message };
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}

/** A server for one request. Source: MCP 2026-07-28: no request knows of another. */
export function createRequestServer(deps: ServerDeps, { caller, signal, admitted, tool }: ServedRequest): McpServer {
  const { sdk, version, toolbox, retrieval, files, log } = deps;
  const readsDocuments = caller.scopes.has('retrieval');
  const readsFiles = caller.scopes.has('agents');
  const hasResources = readsDocuments || readsFiles;
  const served = new sdk.McpServer(
    { name: 'ai-studio', title: 'AI Studio', version },
    {
      capabilities: { tools: {}, ...(hasResources ? { resources: {} } : {}) },
      instructions: INSTRUCTIONS,
    },
  );
  // Tools are those of the caller, and agents among them: they are looked up, not registered.
  const { server } = served;
  /** Runs a method. Rejects with ProtocolError. */
  const answer = async <T>(method: () => Promise<T>): Promise<T> => {
    try {
      return await method();
    } catch (error) {
      throw error instanceof sdk.ProtocolError ? error : protocolError(deps, caller, error);
    }
  };
  server.setRequestHandler('tools/list', () =>
    answer(async () => ({ tools: (await toolbox.list(caller)).map(({ listed }) => listed) })),
  );
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: args } }, ctx) => {
    if (tool === null) throw new sdk.ProtocolError(INVALID_PARAMS, `Unknown tool: ${name.slice(0, 128)}`);
    const waiting = AbortSignal.any([signal, ctx.mcpReq.signal]);
    try {
      return await tool.run(args, { caller, signal: waiting, admitted, progress: createProgress(ctx) });
    } catch (error) {
      // Nobody reads it.
      if (waiting.aborted && !(error instanceof StudioError)) throw protocolError(deps, caller, waiting.reason);
      return failedResult(error, caller.ctx.requestId, log);
    }
  });
  if (!hasResources) return served;
  server.setRequestHandler('resources/list', ({ params }) =>
    answer(async () => (readsDocuments ? listResources(retrieval, caller, params?.cursor) : { resources: [] })),
  );
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [...(readsDocuments ? [documentTemplate] : []), ...(readsFiles ? [fileTemplate] : [])],
  }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) =>
    answer(async () => {
      const document = readsDocuments ? await readResource(retrieval, caller, uri) : null;
      const found = document ?? (readsFiles ? await readFileResource(files, caller, uri) : null);
      if (found === null) throw new sdk.ResourceNotFoundError(uri.slice(0, 200));
      return found;
    }),
  );
  return served;
}
