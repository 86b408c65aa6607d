import type { ConsoleAction } from '@ai-studio/contract/console/roles.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Transaction } from 'kysely';
import type { ZodType, z } from 'zod';
import type { AuditedContext, AuditNote, CallOrigin, SignedIn } from '../identity/index.ts';
import type { Person } from '../kernel/actor.ts';
import type { Tables } from '../ports/database.ts';

interface Call<Body, Query> {
  readonly body: Body;
  readonly query: Query;
  /** Parameters of the path. */
  readonly params: Readonly<Record<string, string>>;
  /** Origin of the call, for the audit log and the limits of attempts. */
  readonly origin: CallOrigin;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly signal: AbortSignal;
}

/** A call of a person who is signed in to a tenant and has the permission. */
export interface TenantCall<Body, Query> extends Call<Body, Query> {
  readonly person: SignedIn;
  readonly ctx: AuditedContext<Person>;
  /** Writes it down as an act of this person in this tenant; within the transaction of the act where `tx` is given. */
  audit(note: AuditNote, tx?: Transaction<Tables>): Promise<void>;
}
/** Any call within a tenant. */
export type AnyCall = TenantCall<unknown, unknown>;
/** A call of a person who is signed in, in any tenant or none. */
export interface PersonCall<Body, Query> extends Call<Body, Query> {
  readonly person: SignedIn;
}
/** A call without authentication. */
export type PublicCall<Body, Query> = Call<Body, Query>;

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Out<T> = T extends ZodType ? z.output<T> : undefined;

interface Shape<B, Q, R> {
  readonly method: Method;
  /** Below /console/api, such as `/keys/:id`. */
  readonly path: string;
  readonly body?: B;
  /** The body is a file (application/octet-stream), which the handler reads from the request as it comes. */
  readonly takesFile?: boolean;
  readonly query?: Q;
  /** Schema of the reply, which is checked in tests; left out where there is none (204) or the handler writes it. */
  readonly reply?: R;
}

type Answer<R> = R extends ZodType ? z.input<R> | Promise<z.input<R>> : unknown;

export interface TenantRoute<B = unknown, Q = unknown, R = unknown> extends Shape<B, Q, R> {
  readonly access: ConsoleAction;
  handle(call: TenantCall<Out<B>, Out<Q>>): Answer<R>;
}
export interface PersonRoute<B = unknown, Q = unknown, R = unknown> extends Shape<B, Q, R> {
  readonly access: ConsoleAction | 'signed_in';
  handle(call: PersonCall<Out<B>, Out<Q>>): Answer<R>;
}
export interface PublicRoute<B = unknown, Q = unknown, R = unknown> extends Shape<B, Q, R> {
  readonly access: 'public';
  handle(call: PublicCall<Out<B>, Out<Q>>): Answer<R>;
}

/** A route of the console's own interface, as the frame serves it. */
export interface ConsoleRoute {
  readonly method: Method;
  readonly path: string;
  readonly access: ConsoleAction | 'signed_in' | 'public';
  /** Whether the session must be in a tenant. */
  readonly inTenant: boolean;
  readonly body: ZodType | undefined;
  readonly takesFile: boolean;
  readonly query: ZodType | undefined;
  readonly reply: ZodType | undefined;
  readonly handle: (call: never) => unknown;
}

const toConsoleRoute = (
  shape: Shape<unknown, unknown, unknown> & { access: ConsoleRoute['access']; handle: unknown },
  inTenant: boolean,
) =>
  ({
    method: shape.method,
    path: shape.path,
    access: shape.access,
    inTenant,
    body: shape.body,
    takesFile: shape.takesFile ?? false,
    query: shape.query,
    reply: shape.reply,
    handle: shape.handle,
  }) as ConsoleRoute;

/** A route for people of a tenant whose role has the permission `access`. */
export const tenantRoute = <B, Q, R>(spec: TenantRoute<B, Q, R>): ConsoleRoute => toConsoleRoute(spec, true);
/** A route for signed-in people with the permission `access`, in any tenant or none. */
export const personRoute = <B, Q, R>(spec: PersonRoute<B, Q, R>): ConsoleRoute => toConsoleRoute(spec, false);
/** A route without authentication. */
export const publicRoute = <B, Q, R>(spec: PublicRoute<B, Q, R>): ConsoleRoute => toConsoleRoute(spec, false);

/** A parameter of the path; empty where the route has none of that name. */
export const paramOf = ({ params }: Pick<AnyCall, 'params'>, name: string): string => params[name] ?? '';
