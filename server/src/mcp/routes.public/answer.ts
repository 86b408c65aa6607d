import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { McpMessage } from '@ai-studio/contract/mcp/rpc.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { StudioError } from '../../kernel/errors.ts';
import { createFieldFilter, nameIgnored } from '../../http-kit/ignored-fields.ts';
import { checkJsonHeaders, parseJsonBody } from '../../http-kit/body.ts';
import { type Mcp, type McpCaller, messageId, readMessage } from '../index.ts';
import { siteOf } from './address.ts';
import { type CallerDeps, callerOf, type KnownCaller } from './caller.ts';
import { NotJson, type RpcId } from './failure.ts';

export interface AnswerDeps extends CallerDeps {
  readonly mcp: Mcp;
  /** Largest body: files come within. */
  readonly maxBytes: number;
  /** Throws StudioError `forbidden`. */
  readonly checkOrigin: (request: FastifyRequest) => void;
}

/** What is known of a request. */
export interface McpState {
  caller: KnownCaller | null;
  id: RpcId;
}
export type StateOf = (request: FastifyRequest) => McpState;

export function createStates(): StateOf {
  const states = new WeakMap<FastifyRequest, McpState>();
  return (request) => {
    const known = states.get(request);
    if (known) return known;
    const made: McpState = { caller: null, id: null };
    states.set(request, made);
    return made;
  };
}

/** Lets a request in before its body is read. Rejects with StudioError. */
export async function letIn(
  deps: AnswerDeps,
  state: McpState,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  deps.checkOrigin(request);
  state.caller = await callerOf(deps, request, reply);
  checkJsonHeaders(request.headers, deps.maxBytes);
  // Fastify reads no body without a type.
  request.headers['content-type'] = 'application/json';
}

/** The value of a body. Throws NotJson. */
function jsonOf({ body }: FastifyRequest): unknown {
  try {
    return parseJsonBody(Buffer.isBuffer(body) ? body : Buffer.alloc(0));
  } catch (error) {
    throw new NotJson(error);
  }
}

const filterFields = createFieldFilter({ McpMessage });

/** Leaves out fields that are none of JSON-RPC, which the protocol refuses, and names them. */
function withoutUnknown(body: unknown, reply: FastifyReply): unknown {
  const ignored = new Set(filterFields(body).ignored);
  if (ignored.size === 0) return body;
  nameIgnored(reply, [...ignored]);
  return Object.fromEntries(Object.entries(body as object).filter(([name]) => !ignored.has(name)));
}

const BOTH_TYPES = 'application/json, text/event-stream';
const PROTOCOL_HEADERS = /^mcp-/;

/** Headers that the protocol reads. Who takes anything takes both types of answers. */
function protocolHeaders({ headers }: FastifyRequest): Record<string, string> {
  const { accept } = headers;
  const all = {
    accept: accept === undefined || accept.includes('*/*') ? BOTH_TYPES : accept,
    'content-type': 'application/json',
  };
  const own = Object.entries(headers).filter(([name]) => PROTOCOL_HEADERS.test(name));
  return { ...all, ...Object.fromEntries(own.map(([name, value]) => [name, String(value)])) };
}

/** Sends what the protocol answers. */
function send(reply: FastifyReply, { status, headers, body }: Response): FastifyReply {
  reply.status(status).header('Cache-Control', 'no-store');
  for (const [name, value] of headers) if (name !== 'connection') reply.header(name, value);
  if (body === null) return reply.send();
  // Node.js has a type of its own for the same.
  return reply.send(Readable.fromWeb(body as ReadableStream<Uint8Array>));
}

/** Answers a request that was let in. Rejects with StudioError. */
export async function answer(
  { mcp, keyAccess, configuredUrl }: AnswerDeps,
  state: McpState,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { caller: known } = state;
  if (known === null) throw new StudioError('internal', 'A request was answered before it was let in');
  const { actor, scopes } = known;
  const body = withoutUnknown(jsonOf(request), reply);
  state.id = messageId(body);
  const signal = keyAccess.abortSignal(request, reply);
  const caller: McpCaller = {
    ctx: { actor, requestId: request.id, signal },
    scopes,
    site: siteOf(configuredUrl, request),
  };
  const headers = protocolHeaders(request);
  const message = readMessage(body);
  // A cancellation is heard in any case, also past the limits.
  await mcp.cancel(caller, message, headers);
  const tool = await mcp.toolOf(caller, message);
  const admission = tool?.admission?.(message.tool?.args);
  const admitted =
    admission === undefined ? null : await keyAccess.admitActor(actor, request, reply, { ...admission, signal });
  if (admitted === null) await keyAccess.countActor(actor, reply);
  request.record.call = admitted;
  reply.raw.once('close', () => admitted?.settle());
  const response = await mcp.answer({ message, body, headers, caller, tool, admitted });
  request.record.stream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  return send(reply, response);
}
