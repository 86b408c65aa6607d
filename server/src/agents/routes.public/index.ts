import { A2aEvent, A2aQuery, A2aReply, A2aRequest } from '@ai-studio/contract/a2a/v03.ts';
import { A2aRequest10 } from '@ai-studio/contract/a2a/v10.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type A2a,
  A2aError,
  type A2aForm,
  type A2aTag,
  type AgentRuns,
  type Deployed,
  deployedBySlug,
  openEnvelope,
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
import { bytesRoute, type PublicRoute } from '../../http-kit/public-route.ts';
import { AGENTS_PATH, AGENTS_V2_PATH, agentUrl, requestedForm, isSlug, lastEventId } from './address.ts';
import { cardRoutes } from './cards.ts';
import type { A2aFailures } from './failure.ts';
import { sendStream } from './stream.ts';

export { createA2aFailures } from './failure.ts';

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
interface A2aState {
  tag: A2aTag;
  entered: AuthenticatedCall | null;
  /** The error of a rejected call, until its id is known. */
  refused: Error | null;
}

/** Returns the state of a request; created on first use, as errors may occur before any hook. */
type StateOf = (request: FastifyRequest) => A2aState;

function createStates(): StateOf {
  const states = new WeakMap<FastifyRequest, A2aState>();
  return (request) => {
    const known = states.get(request);
    if (known) return known;
    const made = { tag: { form: requestedForm(request) ?? '1.0', id: 'null' }, entered: null, refused: null } as const;
    states.set(request, made);
    return made;
  };
}

/** Path without its query. */
const pathOf = ({ url }: FastifyRequest) => url.split('?')[0] ?? '';

type RenderFailure = NonNullable<PublicRoute['renderFailure']>;

/** What stands below {@link AGENTS_PATH}, of what the wildcard gets. */
const RPC_PATH = new RegExp(`${AGENTS_PATH}/(?:v2/)?[^/]+/a2a/?$`);
const CARD_PATH = new RegExp(`${AGENTS_PATH}/(?:[^/]+/(?:a2a/)?\\.well-known/agent-card|\\.well-known/jwks)\\.json/?$`);

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

/** Largest body that is read of a rejected caller, so that the error has its id. */
const REFUSED_BYTES = 64 * 1024;

/** Whether a body says that it is small. */
const isSmall = ({ headers }: FastifyRequest, maxBytes: number): boolean =>
  Number(headers['content-length'] ?? Number.NaN) <= Math.min(REFUSED_BYTES, maxBytes);

const bodyOf = ({ body }: FastifyRequest): Buffer =>
  Buffer.isBuffer(body) ? withoutByteOrderMark(body) : Buffer.alloc(0);

/** Reads the id of a request that is refused. */
function readTag(request: FastifyRequest, state: A2aState): void {
  const opened = openEnvelope(bodyOf(request), requestedForm(request) ?? '1.0');
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

async function answer(
  deps: A2aRouteDeps,
  state: A2aState,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { entered, refused } = state;
  if (refused !== null) {
    readTag(request, state);
    throw refused;
  }
  if (entered === null) throw new StudioError('internal', 'A call was answered before it was let in');
  const { key, agent, asked } = entered;
  const opened = openEnvelope(bodyOf(request), asked ?? '1.0');
  state.tag = opened.ok ? opened.envelope : opened.tag;
  if (asked === null) throw new A2aError('version', 'A2A-Version must be 0.3 or 1.0');
  if (!opened.ok) throw opened.error;
  const { tag } = state;
  const { call, ignored } = readCall(opened.envelope);
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
        url: agentUrl(deps.configuredUrl, request, agent.agent.slug),
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
    const text = `{"jsonrpc":"2.0","id":${tag.id},"result":${JSON.stringify(outcome.result)}}`;
    return await reply.type('application/json; charset=utf-8').send(text);
  } catch (error) {
    const { aborted, reason } = gone.signal;
    if (!aborted || reason instanceof StudioError) throw aborted ? reason : error;
    throw new StudioError('client_closed', 'The client closed the connection', { cause: error });
  } finally {
    wait.leave();
  }
}

const common = { access: 'agents', tag: 'Agents' } as const;

/** POST /external/agents/{slug}/a2a: bodies are read by JSON-RPC's own rules. */
const rpcRoute = (deps: A2aRouteDeps, stateOf: StateOf, renderFailure: RenderFailure): PublicRoute =>
  bytesRoute({
    ...common,
    method: 'POST',
    path: `${AGENTS_PATH}/:slug/a2a`,
    summary: 'Call an agent (A2A)',
    description:
      'JSON-RPC 2.0 of A2A. `message/send` answers a task once it has ended; `message/stream` and `tasks/resubscribe` answer server-sent events, whose ids `Last-Event-ID` goes on from; further `tasks/get`, `tasks/cancel`, `tasks/pushNotificationConfig/*` and `agent/getAuthenticatedExtendedCard`. With `A2A-Version: 1.0` (header or query), or by a 1.0 method name (`SendMessage`, `SendStreamingMessage`, `GetTask`, `ListTasks`, …), the 1.0 form. `metadata.chat_session_id` goes on with a session. Errors are those of JSON-RPC, with `data.detail`.',
    params: { slug: 'ID of an agent, as the list of agents shows it' },
    query: { A2aQuery },
    body: { A2aRequest },
    reply: { A2aReply },
    stream: { A2aEvent },
    example: {
      jsonrpc: '2.0',
      id: 'req-1',
      method: 'message/stream',
      params: {
        message: {
          kind: 'message',
          role: 'user',
          messageId: '7f9c24e8-3b12-4fef-91d0-6a8b1d3c5e70',
          parts: [{ kind: 'text', text: '연차 휴가는 며칠인가요?' }],
        },
      },
    },
    renderFailure,
    maxBytes: deps.maxBytes,
    async enter(request, reply) {
      const state = stateOf(request);
      try {
        state.entered = await enter(deps, request, reply);
        checkJsonHeaders(request.headers, deps.maxBytes);
      } catch (error) {
        if (state.entered !== null || !(error instanceof Error) || !isSmall(request, deps.maxBytes)) throw error;
        state.refused = error;
      }
      // Fastify reads no body without a type.
      request.headers['content-type'] = 'application/json';
    },
    handle: (request, reply) => answer(deps, stateOf(request), request, reply),
  });

/** The same for programs of the original interface that speak 1.0. */
const rpcRouteV2 = (deps: A2aRouteDeps, stateOf: StateOf, renderFailure: RenderFailure): PublicRoute => ({
  ...rpcRoute(deps, stateOf, renderFailure),
  paths: [`${AGENTS_V2_PATH}/:slug/a2a`],
  summary: 'Call an agent (A2A 1.0)',
  description: 'As `/v1/external/agents/{slug}/a2a`, always in the form of A2A 1.0.',
  body: { A2aRequest10 },
  example: {
    jsonrpc: '2.0',
    id: 'req-1',
    method: 'SendMessage',
    params: {
      message: {
        role: 'ROLE_USER',
        messageId: '7f9c24e8-3b12-4fef-91d0-6a8b1d3c5e70',
        parts: [{ text: '연차 휴가는 며칠인가요?' }],
      },
    },
  },
});

/** Whatever else is asked for below {@link AGENTS_PATH}. */
const unknownRoute = (
  { keyAccess, maxBytes }: A2aRouteDeps,
  stateOf: StateOf,
  renderFailure: RenderFailure,
): PublicRoute =>
  bytesRoute({
    ...common,
    method: 'ALL',
    path: `${AGENTS_PATH}/*`,
    hidden: true,
    summary: 'No agent',
    description: 'The path names no agent.',
    renderFailure,
    maxBytes,
    async handle(request, reply) {
      const path = pathOf(request);
      const allow = RPC_PATH.test(path) ? ['POST'] : CARD_PATH.test(path) ? ['GET', 'HEAD'] : [];
      // A slug that is longer than any comes here with the right method.
      if (allow.length > 0 && !allow.includes(request.method)) {
        reply.header('Allow', allow.join(', '));
        throw new StudioError('method_not_allowed', `${path} takes ${allow.join(', ')}, not ${request.method}`);
      }
      readTag(request, stateOf(request));
      const key = await keyAccess.authenticate(request, reply, null);
      await keyAccess.count(key, reply);
      throw new A2aError('agentNotFound', 'The path names no agent: POST …/external/agents/{agent_slug}/a2a');
    },
  });

/** Agents over A2A. Source: interface 4.2; decisions section 4. */
export function agentRoutes(deps: A2aRouteDeps): readonly PublicRoute[] {
  const stateOf = createStates();
  const renderFailure: RenderFailure = (error, request) => deps.failures(error, request.id, stateOf(request).tag);
  return [
    rpcRoute(deps, stateOf, renderFailure),
    rpcRouteV2(deps, stateOf, renderFailure),
    ...cardRoutes(deps, renderFailure),
    unknownRoute(deps, stateOf, renderFailure),
  ];
}
