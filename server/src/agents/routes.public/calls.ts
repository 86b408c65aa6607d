import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type A2a,
  A2aError,
  type A2aForm,
  type A2aTag,
  type AgentRuns,
  type Deployed,
  deployedBySlug,
  idRequired,
  openEnvelope,
  type Opened,
  readCall,
} from '../index.ts';
import type { KeyRecord } from '../../identity/index.ts';
import { withoutByteOrderMark } from '../../kernel/byte-order-mark.ts';
import { StudioError } from '../../kernel/errors.ts';
import type { Database } from '../../ports/database.ts';
import { ForbiddenKey } from '../../http-kit/auth.ts';
import { checkJsonHeaders } from '../../http-kit/body.ts';
import { nameIgnored } from '../../http-kit/ignored-fields.ts';
import type { KeyAccess } from '../../http-kit/key-access.ts';
import type { KeepAlive, OpenResponse } from '../../http-kit/keep-alive.ts';
import type { PublicRoute } from '../../http-kit/public-route.ts';
import { acceptsEvents, agentUrls, doorOf, isSlug, lastEventId, requestedForm } from './address.ts';
import type { A2aFailures } from './failure.ts';
import { sendStream } from './stream.ts';

// A call of an agent by any door: who calls, what for, and the answer.

export interface A2aRouteDeps {
  readonly keyAccess: KeyAccess;
  readonly a2a: A2a;
  readonly db: Database;
  readonly runs: Pick<AgentRuns, 'follow'>;
  /** The JWK set of notifications. */
  readonly keySet: object;
  /** Address that clients use, where it is configured. */
  readonly configuredUrl: string | null;
  readonly failures: A2aFailures;
  readonly keepAlive: KeepAlive;
  /** Largest body: messages may bring files. */
  readonly maxBytes: number;
  readonly now: () => number;
}

/** An authenticated call, before its body is read. */
interface AuthenticatedCall {
  readonly key: KeyRecord;
  readonly agent: Deployed;
  /** Null for a version that is not spoken. */
  readonly asked: A2aForm | null;
}

/** State of a request that its error replies need. */
export interface A2aState {
  tag: A2aTag;
  entered: AuthenticatedCall | null;
  /** The error of a rejected call, until its id is known. */
  refused: Error | null;
}

/** Returns the state of a request; created on first use, as errors may occur before any hook. */
export type StateOf = (request: FastifyRequest) => A2aState;

export function createStates(): StateOf {
  const states = new WeakMap<FastifyRequest, A2aState>();
  return (request) => {
    const known = states.get(request);
    if (known) return known;
    const tag = { form: requestedForm(request) ?? '1.0', door: doorOf(request), id: 'null' } as const;
    const made = { tag, entered: null, refused: null };
    states.set(request, made);
    return made;
  };
}

export type RenderFailure = NonNullable<PublicRoute['renderFailure']>;

/**
 * The key, then the agent, then what the key may do, then whether the agent is deployed; each with the status of its own. Source:
 * decisions section 4, the table of cases.
 */
async function enter(
  { keyAccess, db }: A2aRouteDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<AuthenticatedCall> {
  const { slug } = request.params as { slug: string };
  let forbidden: ForbiddenKey | null = null;
  let key: KeyRecord;
  try {
    key = await keyAccess.authenticate(request, reply, 'agents');
    await keyAccess.count(key, reply);
  } catch (error) {
    if (!(error instanceof ForbiddenKey)) throw error;
    forbidden = error;
    key = error.key;
  }
  const agent = isSlug(slug) ? await deployedBySlug({ db }, key.tenantId, slug) : null;
  if (agent === null)
    throw new A2aError('agentNotFound', 'There is no agent of this slug; copy its ID from the list of agents');
  if (forbidden) throw forbidden;
  if (!agent.deployed) throw new A2aError('notDeployed', 'Have it approved in the console; until then try it there');
  return { key, agent, asked: requestedForm(request) };
}

/** Lets a call in before its body is read; one that is refused is answered once its id is known. */
export async function letIn(
  deps: A2aRouteDeps,
  state: A2aState,
  request: FastifyRequest,
  reply: FastifyReply,
  { hasBody }: { readonly hasBody: boolean },
): Promise<void> {
  try {
    state.entered = await enter(deps, request, reply);
    if (hasBody) checkJsonHeaders(request.headers, deps.maxBytes);
  } catch (error) {
    if (state.entered !== null || !(error instanceof Error) || !isSmall(request, deps.maxBytes)) throw error;
    state.refused = error;
  }
  // Fastify reads no body without a type.
  request.headers['content-type'] = 'application/json';
}

/** Largest body that is read of a rejected caller, so that the error has its id. */
const REFUSED_BYTES = 64 * 1024;

/** Whether a body says that it is small. */
const isSmall = ({ headers }: FastifyRequest, maxBytes: number): boolean =>
  Number(headers['content-length'] ?? Number.NaN) <= Math.min(REFUSED_BYTES, maxBytes);

export const bodyOf = ({ body }: FastifyRequest): Buffer =>
  Buffer.isBuffer(body) ? withoutByteOrderMark(body) : Buffer.alloc(0);

/** What a request asks for, read from its body or its address. Never throws. */
export type OpenRequest = (request: FastifyRequest, form: A2aForm) => Opened;

/** Reads a body of JSON-RPC. */
export const openRpc: OpenRequest = (request, form) => openEnvelope(bodyOf(request), form, doorOf(request));

/** Reads the id of a request that is refused. */
export function readTag(request: FastifyRequest, state: A2aState, open: OpenRequest): void {
  const opened = open(request, requestedForm(request) ?? '1.0');
  state.tag = opened.ok ? opened.envelope : opened.tag;
}

/**
 * Registers a call that waits for its task. Its signal aborts when the service stops, so that the call answers with the present state;
 * `gone` aborts, with the reason, when the key is revoked.
 */
function trackWait(keepAlive: KeepAlive, keyId: string, gone: AbortController) {
  const end = new AbortController();
  const waiting: OpenResponse = {
    place: -1,
    keyId,
    // There is nothing to say while a whole answer is waited for.
    lastWriteMs: Number.POSITIVE_INFINITY,
    ping: () => undefined,
    terminate: (why) => (why.code === 'unavailable' ? end.abort() : gone.abort(why)),
  };
  keepAlive.add(waiting);
  return { signal: end.signal, leave: () => keepAlive.remove(waiting) };
}

/** Answers a request that was let in. */
export async function answer(
  deps: A2aRouteDeps,
  state: A2aState,
  request: FastifyRequest,
  reply: FastifyReply,
  open: OpenRequest,
): Promise<unknown> {
  const { entered, refused } = state;
  if (refused !== null) {
    readTag(request, state, open);
    throw refused;
  }
  if (entered === null) throw new StudioError('internal', 'A call was answered before it was let in');
  const { key, agent, asked } = entered;
  const opened = open(request, asked ?? '1.0');
  state.tag = opened.ok ? opened.envelope : opened.tag;
  if (asked === null) throw new A2aError('version', 'A2A-Version must be 0.3 or 1.0');
  if (!opened.ok) throw opened.error;
  const { tag } = state;
  const { call, ignored } = readCall(opened.envelope);
  if (opened.envelope.withoutId) throw idRequired();
  nameIgnored(reply, ignored);
  const gone = new AbortController();
  // The client may have disconnected during authentication.
  if (reply.raw.closed) gone.abort();
  else reply.raw.once('close', () => gone.abort());
  const wait = trackWait(deps.keepAlive, key.id, gone);
  try {
    const outcome = await deps.a2a.answer(
      {
        actor: deps.keyAccess.actor(key),
        requestId: request.id,
        agent,
        url: agentUrls(deps.configuredUrl, request, agent.agent.slug),
        signal: gone.signal,
      },
      call,
      tag,
      { lastEventId: lastEventId(request), stopWaiting: wait.signal },
    );
    if (outcome.kind === 'stream') {
      request.record.stream = true;
      // The stream registers itself from here on.
      wait.leave();
      await sendStream(deps, outcome, tag, request, reply, gone.signal);
      return reply;
    }
    const json = JSON.stringify(outcome.result);
    const text = tag.door === 'http_json' ? json : `{"jsonrpc":"2.0","id":${tag.id},"result":${json}}`;
    return await reply.type('application/json; charset=utf-8').send(text);
  } catch (error) {
    const { aborted, reason } = gone.signal;
    if (!aborted || reason instanceof StudioError) throw aborted ? reason : error;
    throw new StudioError('client_closed', 'The client closed the connection', { cause: error });
  } finally {
    wait.leave();
  }
}

/**
 * A failure in the form of its door. By the doors of the card, one of a stream in the 0.3 form is an event of it where the caller takes
 * events: its clients read nothing else there.
 */
export const createRenderFailure =
  (failures: A2aFailures, stateOf: StateOf): RenderFailure =>
  (error, request) => {
    const { tag } = stateOf(request);
    const failure = failures(error, request.id, tag);
    if (tag.door !== 'json_rpc' || tag.form !== '0.3' || failure.status !== 200 || !acceptsEvents(request))
      return failure;
    const headers = {
      ...failure.headers,
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-cache',
    };
    return { status: 200, headers, body: `data: ${failure.body}\n\n` };
  };
