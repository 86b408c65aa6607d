import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { ConsoleAction } from '@ai-studio/contract/console/roles.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { auditActorOf, originOf, readSession, requireAction, type SignedIn, writeAudit } from '../identity/index.ts';
import { StudioError } from '../kernel/errors.ts';
import { type Database, isForeignKeyViolation } from '../ports/database.ts';
import { checkBody, checkInput, holdsUnstorable } from './check-input.ts';
import { readCookie, sessionCookie } from '../console-kit/cookies.ts';
import { createOpenCalls, abortOnDisconnect } from './open-calls.ts';
import type { ConsoleRoute, TenantCall } from '../console-kit/route.ts';
import { requireSameOrigin } from './same-origin.ts';

/** Dependencies that all routes share. */
export interface ConsoleServerDeps {
  readonly db: Database;
  /** The configured address of the service; null where none is configured. */
  readonly configuredUrl: string | null;
  /** Whether a proxy in front says by X-Forwarded-Host which address the browser used. */
  readonly trustProxy: boolean;
  /** Whether answers are checked against their form, as tests do. */
  readonly checkReplies: boolean;
}

/** The console's own interface. */
export interface Console {
  /** All served routes. */
  readonly routes: readonly ConsoleRoute[];
  /** Serves the routes; to be registered under /console/api. `onPerson` is called with the requester, for the log. */
  serve(scope: FastifyInstance, onPerson: (request: FastifyRequest, person: SignedIn) => void): void;
  /**
   * The person behind a call that is not served here, such as the playground's stream: session, Origin and permission are
   * checked. Rejects with StudioError `unauthenticated`, `forbidden`.
   */
  authenticate(request: IncomingMessage, access: Access): Promise<SignedIn>;
  /**
   * Aborts when the caller of such a call goes away, and with a StudioError once the person may not go on: signed out, disabled,
   * removed, or without the permission.
   */
  follow(request: IncomingMessage, response: ServerResponse, person: SignedIn, access: Access): AbortSignal;
  /** Checks at once whether the open calls of a person may continue; those of everybody for null. */
  recheckAccess(userId: string | null): void;
}

type Access = ConsoleAction | 'signed_in';

/** Largest body that is kept for somebody who has not signed in; a passkey's answer is the largest that is sent. */
const MAX_PUBLIC_BODY_BYTES = 64 * 1024;
/** Headers of every reply, errors included. */
const replyHeaders = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' } as const;

const isMutation = (method: string | undefined) => method !== 'GET' && method !== 'HEAD';

function requireAccess(person: SignedIn, access: Access): void {
  if (access === 'signed_in') return;
  if (person.mustAddSecondFactor)
    throw new StudioError('forbidden', 'Your organisation asks for a second factor: set one up in your profile first', {
      reason: 'second_factor_required',
    });
  requireAction(person.actions, access);
}

/** The host as the browser knows it. Fastify does the same for what it serves. */
function hostOf({ host, 'x-forwarded-host': forwarded }: IncomingHttpHeaders, trustProxy: boolean): string | undefined {
  const [nearest] = trustProxy ? [forwarded].flat().join(',').split(',').slice(-1) : [];
  return nearest?.trim() || host;
}

export function createConsole(deps: ConsoleServerDeps, routes: readonly ConsoleRoute[]): Console {
  const { db, configuredUrl } = deps;
  const personByRequest = new WeakMap<FastifyRequest, SignedIn>();
  const openCalls = createOpenCalls();

  /** Returns the error where the person has lost access since the call began, else null. Does not count as activity of theirs. */
  const findAccessError = async (
    given: IncomingHttpHeaders,
    access: Access,
    before: SignedIn,
  ): Promise<StudioError | null> => {
    try {
      const person = await readSession(deps, readCookie(given, sessionCookie), true);
      requireAccess(person, access);
      return person.tenantId === before.tenantId ? null : new StudioError('forbidden', 'You have left this tenant');
    } catch (error) {
      // An unreachable database says nothing about the person's access.
      if (!(error instanceof StudioError)) return null;
      return error.code === 'unauthenticated' || error.code === 'forbidden' ? error : null;
    }
  };
  const follow: Console['follow'] = (request, response, person, access) =>
    openCalls.follow(person.userId, response, () => findAccessError(request.headers, access, person));

  const authenticate: Console['authenticate'] = async ({ headers: given, method }, access) => {
    if (isMutation(method)) requireSameOrigin(given, hostOf(given, deps.trustProxy), configuredUrl);
    const person = await readSession(deps, readCookie(given, sessionCookie));
    requireAccess(person, access);
    return person;
  };

  /** Builds the input that every handler gets; handlers for people and tenants get more. */
  const buildCall = (
    route: ConsoleRoute,
    request: FastifyRequest,
    reply: FastifyReply,
    person: SignedIn | undefined,
  ) => ({
    body: route.takesFile ? undefined : checkBody(route.body, request.body),
    query: checkInput(route.query, request.query),
    params: paramsOf(request),
    origin: originOf(request),
    request,
    reply,
    signal:
      person && route.access !== 'public'
        ? follow(request.raw, reply.raw, person, route.access)
        : abortOnDisconnect(reply.raw),
  });

  const handle = async (route: ConsoleRoute, request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const person = personByRequest.get(request);
    const call = buildCall(route, request, reply, person);
    if (route.access === 'public' || person === undefined) return route.handle(call as never);
    if (!route.inTenant) return route.handle({ ...call, person } as never);
    const { tenantId } = person;
    if (tenantId === null) throw new StudioError('forbidden', 'Enter a tenant first', { reason: 'role_missing' });
    const ctx = {
      requestId: request.id,
      actor: { tenantId, keyId: null, userId: person.userId },
      auditActor: { ...auditActorOf(person, call.origin), tenantId },
      signal: call.signal,
    };
    const audit: TenantCall<unknown, unknown>['audit'] = (note, tx) => writeAudit(tx ?? db.query, ctx.auditActor, note);
    return route.handle({ ...call, person, ctx, audit } as never);
  };

  return {
    routes,
    authenticate,
    follow,
    recheckAccess: (userId) => openCalls.recheckAccess(userId),
    serve(scope, onPerson) {
      scope.addContentTypeParser('application/octet-stream', (request, payload, done) => {
        const { takesFile = false } = request.routeOptions.config as { readonly takesFile?: boolean };
        if (takesFile) done(null, payload);
        else done(new StudioError('unsupported_media_type', 'The Content-Type must be application/json'));
      });
      scope.addHook('onRequest', async (_request, reply) => {
        reply.headers(replyHeaders);
      });
      for (const route of routes) {
        const { method, path, access, takesFile } = route;
        scope.route({
          method,
          url: path,
          // No HEAD routes: the stream of a HEAD request would never be read, and the pages send none.
          exposeHeadRoute: false,
          ...(access === 'public' ? { bodyLimit: MAX_PUBLIC_BODY_BYTES } : {}),
          config: { takesFile },
          // Before the body is read.
          onRequest: async (request, reply) => {
            if (isMutation(request.method)) requireSameOrigin(request.headers, request.host, configuredUrl);
            if (access === 'public') return;
            const person = await readSession(deps, readCookie(request.headers, sessionCookie));
            openCalls.trackCall(person.userId, reply.raw);
            personByRequest.set(request, person);
            onPerson(request, person);
            requireAccess(person, access);
          },
          handler: async (request, reply) => {
            const answer = await handle(route, request, reply).catch(async (error: unknown) => {
              // The person was removed during the call.
              if (isForeignKeyViolation(error)) await readSession(deps, readCookie(request.headers, sessionCookie));
              throw error;
            });
            // Also where the client has disconnected during the call.
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

/** Path parameters. A value that the database can't store matches nothing. */
function paramsOf(request: FastifyRequest): Readonly<Record<string, string>> {
  if (holdsUnstorable(request.params)) throw new StudioError('not_found', 'There is no such thing');
  return request.params as Record<string, string>;
}

function checkReply({ method, path, reply }: ConsoleRoute, answer: unknown): void {
  const parsed = reply?.safeParse(answer);
  if (parsed?.success === false)
    throw new Error(`The answer of ${method} ${path} is not of its form: ${parsed.error.message}`);
}
