import { subjectOf } from '../kernel/actor.ts';
import { hexId } from '../kernel/ids.ts';
import type { Logger } from '../kernel/log.ts';
import type { McpCaller } from './caller.ts';
import type { Cancellations } from './cancellations.ts';
import type { McpMessage } from './message.ts';
import { paramsProblem } from './params.ts';
import { createRequestServer, type Sdk, type ServedRequest } from './server.ts';
import type { Tool } from './tool.ts';
import { createToolbox, type ToolboxDeps } from './toolbox.ts';

export interface McpDeps extends ToolboxDeps {
  readonly cancellations: Cancellations;
  /** Of the service. */
  readonly version: string;
  readonly log: Logger;
}

/** A message over HTTP. */
export interface McpRequest extends Omit<ServedRequest, 'signal'> {
  readonly message: McpMessage;
  /** The same as it came. */
  readonly body: unknown;
  /** Headers that the protocol reads; names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface Mcp {
  /** The tool that a message calls; null where it calls none that is there for the caller. */
  toolOf(caller: McpCaller, message: McpMessage): Promise<Tool | null>;
  /** Cancels the request that a notification names. */
  cancel(caller: McpCaller, message: McpMessage, headers: McpRequest['headers']): Promise<void>;
  /** Answers a message: by JSON, by a stream of events, or with nothing. What its methods throw is told in the form of the protocol. */
  answer(request: McpRequest): Promise<Response>;
}

/** Comment lines keep proxies from cutting a stream on which nothing is said. */
const KEEP_ALIVE_MS = 15_000;
/** The protocol reads no address; what a caller names as the host may be none. */
const ANY_URL = 'http://localhost/mcp';
const EVENTS = 'text/event-stream';
const SESSION_HEADER = 'mcp-session-id';
const SESSION_ID = /^[\x21-\x7e]{1,200}$/;
/** What tells a version without sessions. Source: MCP 2026-07-28, "Per-request metadata". */
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';

/** A stream of changes, of which none are told: it would stay open for nothing. Source: MCP 2026-07-28, "Subscriptions". */
const SUBSCRIBE = 'subscriptions/listen';
/** Codes of JSON-RPC 2.0. */
const METHOD_NOT_FOUND = -32_601;
const INVALID_PARAMS = -32_602;

interface Refusal {
  readonly status: number;
  readonly code: number;
  readonly text: string;
}
const refusal = (id: McpMessage['id'], { status, code, text }: Refusal): Response =>
  Response.json({ jsonrpc: '2.0', id, error: { code, message: text } }, { status });

const isModern = (body: unknown): boolean => {
  const { params } = (body ?? {}) as { readonly params?: { readonly _meta?: Readonly<Record<string, unknown>> } };
  return typeof params?._meta?.[VERSION_KEY] === 'string';
};

/** The session that a client says; ids are not kept, they only tell apart requests of clients with one key. */
function sessionOf(headers: McpRequest['headers']): string | null {
  const id = headers[SESSION_HEADER];
  return id !== undefined && SESSION_ID.test(id) ? id : null;
}

/**
 * The server of the Model Context Protocol. It knows no sessions: any process answers any request. Source: MCP 2026-07-28; 2025-11-25 and
 * 2025-06-18 by the same methods.
 */
export function createMcp(deps: McpDeps): Mcp {
  const { cancellations, retrieval, version, log } = deps;
  const { files } = deps.agents;
  const toolbox = createToolbox(deps);
  let loading: Promise<Sdk> | null = null;
  const load = (): Promise<Sdk> => (loading ??= import('@modelcontextprotocol/server'));

  return {
    toolOf: (caller, { tool }) => (tool === null ? Promise.resolve(null) : toolbox.find(caller, tool.name)),
    async cancel({ ctx: { actor } }, { cancels: requestId }, headers) {
      const sessionId = sessionOf(headers);
      if (requestId !== null && sessionId !== null)
        await cancellations.cancel({ subject: subjectOf(actor), sessionId, requestId });
    },
    async answer({ message, body, headers, ...served }) {
      const sdk = await load();
      if (message.method === SUBSCRIBE)
        return refusal(message.id, { status: 404, code: METHOD_NOT_FOUND, text: 'Method not found' });
      const problem = message.id === null ? null : paramsProblem(sdk, message.method, body);
      if (problem !== null) return refusal(message.id, { status: 400, code: INVALID_PARAMS, text: problem });
      const { actor, signal: gone } = served.caller.ctx;
      const cancelled = new AbortController();
      const signal = AbortSignal.any([gone, cancelled.signal]);
      const sessionId = sessionOf(headers);
      const unwatch =
        message.id === null || sessionId === null
          ? () => undefined
          : cancellations.watch({ subject: subjectOf(actor), sessionId, requestId: message.id }, () =>
              cancelled.abort(),
            );
      const handler = sdk.createMcpHandler(
        () => createRequestServer({ sdk, version, toolbox, retrieval, files, log }, { ...served, signal }),
        {
          keepAliveMs: KEEP_ALIVE_MS,
          // The stream begins at once, so that it is kept alive.
          ...(served.tool?.isSlow && headers['accept']?.includes(EVENTS) ? { responseMode: 'sse' } : {}),
          onerror: (error) => log.debug({ requestId: served.caller.ctx.requestId, err: error }, 'MCP: refused'),
        },
      );
      try {
        const request = new Request(ANY_URL, { method: 'POST', headers, signal });
        const response = await handler.fetch(request, { parsedBody: body });
        if (message.method === 'initialize' && response.ok && !isModern(body))
          response.headers.set(SESSION_HEADER, hexId());
        return whenRead(response, unwatch);
      } catch (error) {
        unwatch();
        throw error;
      }
    },
  };
}

/** The response, with what is done once its body has been read or nobody reads it any more. */
function whenRead(response: Response, done: () => void): Response {
  if (response.body === null) {
    done();
    return response;
  }
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done: isEnd, value } = await reader.read();
        if (!isEnd) return controller.enqueue(value);
        done();
        controller.close();
      } catch (error) {
        done();
        controller.error(error);
      }
    },
    async cancel(reason) {
      done();
      await reader.cancel(reason);
    },
  });
  const { status, headers } = response;
  return new Response(body, { status, headers });
}
