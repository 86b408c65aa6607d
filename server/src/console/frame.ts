import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { ConsoleAction } from '@ai-studio/contract/console/roles.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { actingOf, type CallOrigin, readSession, requireAction, type SignedIn, writeAudit } from '../identity/index.ts';
import { StudioError } from '../kernel/errors.ts';
import type { Logger } from '../kernel/log.ts';
import type { Database } from '../ports/database.ts';
import { checkInput, holdsUnstorable } from './check-input.ts';
import { readCookie, sessionCookie } from '../console-kit/cookies.ts';
import { createOpenCalls, untilGone } from './open-calls.ts';
import type { ConsoleRoute, TenantCall } from '../console-kit/route.ts';
import { requireSameOrigin } from './same-origin.ts';

/** Dependencies of the frame around all routes. */
export interface FrameDeps {
  readonly db: Database;
  readonly log: Logger;
  /** The configured address of the service; null where none is configured. */
  readonly configuredUrl: string | null;
  /** Whether X-Forwarded-Host of a proxy in front is trusted. */
  readonly trustProxy: boolean;
  /** Whether replies are checked against their schema, as in tests. */
  readonly checkReplies: boolean;
}

/** The console's own interface. */
export interface Console {
  /** All served routes. */
  readonly routes: readonly ConsoleRoute[];
  /** Serves the routes; to be registered under /console/api. Calls `onPerson` with the person of each request, for the log. */
  serve(scope: FastifyInstance, onPerson: (request: FastifyRequest, person: SignedIn) => void): void;
  /**
   * Authenticates a call that is not served here, such as the playground's stream: session, Origin and permission are
   * checked. Rejects with StudioError `unauthenticated`, `forbidden`.
   */
  authenticate(request: IncomingMessage, access: Access): Promise<SignedIn>;
  /**
   * Returns a signal that aborts when the client disconnects, and with a StudioError once the person loses access: signed out, disabled,
   * removed, or without the permission.
   */
  follow(request: IncomingMessage, response: ServerResponse, person: SignedIn, access: Access): AbortSignal;
  /** Checks the access of a person's running calls now; of all people's for null. */
  askAgain(userId: string | null): void;
}

type Access = ConsoleAction | 'signed_in';

const MAX_USER_AGENT_LENGTH = 300;
/** Maximum body size without authentication; the reply of a passkey is the largest. */
const PUBLIC_BYTES = 64 * 1024;
/** Headers of every reply, also of failures. */
const headers = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' } as const;

const isChange = (method: string | undefined) => method !== 'GET' && method !== 'HEAD';

function requireAccess(person: SignedIn, access: Access): void {
  if (access === 'signed_in') return;
  if (person.mustAddSecondFactor)
    throw new StudioError('forbidden', 'Your organisation asks for a second factor: set one up in your profile first', {
      reason: 'second_factor_required',
    });
  requireAction(person.actions, access);
}

/** Source: PostgreSQL, appendix A: foreign_key_violation. */
const isMissingReference = (error: unknown) => (error as { code?: unknown } | null)?.code === '23503';

/** The origin of a call. */
function originOf(request: FastifyRequest): CallOrigin {
  return {
    address: request.ip,
    userAgent: (request.headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT_LENGTH),
    requestId: request.id,
  };
}

/** The host as the browser knows it. Fastify does the same for its own requests. */
function hostOf({ host, 'x-forwarded-host': forwarded }: IncomingHttpHeaders, trustProxy: boolean): string | undefined {
  const [nearest] = trustProxy ? [forwarded].flat().join(',').split(',').slice(-1) : [];
  return nearest?.trim() || host;
}

export function createConsole(deps: FrameDeps, routes: readonly ConsoleRoute[]): Console {
  const { db, log, configuredUrl } = deps;
  const persons = new WeakMap<FastifyRequest, SignedIn>();
  const openCalls = createOpenCalls();

  /** Resolves with the error where the person has lost access to a running call; else with null. Does not extend the session. */
  const findObjection = async (
    requestHeaders: IncomingHttpHeaders,
    access: Access,
    initialPerson: SignedIn,
  ): Promise<StudioError | null> => {
    try {
      const person = await readSession(deps, readCookie(requestHeaders, sessionCookie), true);
      requireAccess(person, access);
      return person.tenantId === initialPerson.tenantId
        ? null
        : new StudioError('forbidden', 'You have left this tenant');
    } catch (error) {
      // An unreachable database does not mean that the person has lost access.
      if (!(error instanceof StudioError)) return null;
      return error.code === 'unauthenticated' || error.code === 'forbidden' ? error : null;
    }
  };
  const follow: Console['follow'] = (request, response, person, access) =>
    openCalls.follow(person.userId, response, () => findObjection(request.headers, access, person));

  const authenticate: Console['authenticate'] = async ({ headers: requestHeaders, method }, access) => {
    if (isChange(method)) requireSameOrigin(requestHeaders, hostOf(requestHeaders, deps.trustProxy), configuredUrl);
    const person = await readSession(deps, readCookie(requestHeaders, sessionCookie));
    requireAccess(person, access);
    return person;
  };

  /** The input of every handler; those of people and tenants get more. */
  const createCall = (
    route: ConsoleRoute,
    request: FastifyRequest,
    reply: FastifyReply,
    person: SignedIn | undefined,
  ) => ({
    body: checkInput(route.body, request.body),
    query: checkInput(route.query, request.query),
    params: paramsOf(request),
    origin: originOf(request),
    request,
    reply,
    signal:
      person && route.access !== 'public' ? follow(request.raw, reply.raw, person, route.access) : untilGone(reply.raw),
  });

  const handle = async (route: ConsoleRoute, request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const person = persons.get(request);
    const call = createCall(route, request, reply, person);
    if (route.access === 'public' || person === undefined) return route.handle(call as never);
    if (!route.inTenant) return route.handle({ ...call, person } as never);
    const { tenantId } = person;
    if (tenantId === null) throw new StudioError('forbidden', 'Enter a tenant first', { reason: 'role_missing' });
    const ctx = {
      requestId: request.id,
      tenantId,
      actor: { kind: 'user', userId: person.userId },
      signal: call.signal,
      log: log.child({ requestId: request.id }),
    };
    const audit: TenantCall<unknown, unknown>['audit'] = (note, tx) =>
      writeAudit(tx ?? db.query, actingOf(person, call.origin), note);
    return route.handle({ ...call, person, ctx, audit } as never);
  };

  return {
    routes,
    authenticate,
    follow,
    askAgain: (userId) => openCalls.askAgain(userId),
    serve(scope, onPerson) {
      scope.addContentTypeParser('application/octet-stream', (request, payload, done) => {
        const { takesFile = false } = request.routeOptions.config as { readonly takesFile?: boolean };
        if (takesFile) done(null, payload);
        else done(new StudioError('unsupported_media_type', 'The Content-Type must be application/json'));
      });
      scope.addHook('onRequest', async (_request, reply) => {
        reply.headers(headers);
      });
      for (const route of routes) {
        const { method, path, access, takesFile } = route;
        scope.route({
          method,
          url: path,
          // A HEAD of a stream would never end; the pages send none.
          exposeHeadRoute: false,
          ...(access === 'public' ? { bodyLimit: PUBLIC_BYTES } : {}),
          config: { takesFile },
          // Before the body is read.
          onRequest: async (request, reply) => {
            if (isChange(request.method)) requireSameOrigin(request.headers, request.host, configuredUrl);
            if (access === 'public') return;
            const person = await readSession(deps, readCookie(request.headers, sessionCookie));
            openCalls.begin(person.userId, reply.raw);
            persons.set(request, person);
            onPerson(request, person);
            requireAccess(person, access);
          },
          handler: async (request, reply) => {
            const answer = await handle(route, request, reply).catch(async (error: unknown) => {
              // The person may have been removed meanwhile: then the session is refused.
              if (isMissingReference(error)) await readSession(deps, readCookie(request.headers, sessionCookie));
              throw error;
            });
            // Also where the client has disconnected meanwhile.
            if (reply.sent || reply.raw.headersSent) return reply;
            if (answer === undefined) return reply.status(reply.statusCode === 200 ? 204 : reply.statusCode).send();
            if (deps.checkReplies && route.reply) checkReply(route, answer);
            return reply.send(answer);
          },
        });
      }
      scope.setNotFoundHandler((request) => {
        throw new StudioError('not_found', `There is no ${request.method} ${request.url.split('?')[0]}`);
      });
    },
  };
}

/** Parameters of the path. Throws StudioError `not_found` for text that the database can't store. */
function paramsOf(request: FastifyRequest): Readonly<Record<string, string>> {
  if (holdsUnstorable(request.params)) throw new StudioError('not_found', 'There is no such thing');
  return request.params as Record<string, string>;
}

function checkReply({ method, path, reply }: ConsoleRoute, answer: unknown): void {
  const parsed = reply?.safeParse(answer);
  if (parsed?.success === false)
    throw new Error(`The answer of ${method} ${path} is not of its form: ${parsed.error.message}`);
}
