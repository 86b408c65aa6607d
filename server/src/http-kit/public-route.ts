import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ZodType, z } from 'zod';
import type { KeyRecord, KeyScope } from '../identity/index.ts';
import type { ModelCall } from '../inference/index.ts';
import type { CallContext } from '../kernel/actor.ts';
import type { ErrorCode } from '../kernel/errors.ts';
import type { HotHandler } from './http-exchange.ts';
import type { Upload, UploadOptions } from './upload.ts';

/** A wire form by its name in the OpenAPI document, such as `{ RerankRequest }`. */
export type WireForm = Readonly<Record<string, ZodType>>;
type Read<F extends WireForm> = z.output<F[keyof F]>;
type Sent<F extends WireForm> = z.input<F[keyof F]>;

/** Who may call: keys with a scope, any key, callers with or without a key, or anybody. */
export type Access = KeyScope | 'any_key' | 'optional_key' | 'public';
type OfKey<A, T> = A extends 'public' ? null : A extends 'optional_key' ? T | null : T;

type ParamName<P extends string> = P extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | ParamName<More>
    : Rest
  : P extends `${string}/*`
    ? '*'
    : never;
/** Parts of the path; undefined where another path of the endpoint lacks one. */
type Params<P extends string> = {
  readonly [N in ParamName<P>]: string | (P extends string ? (N extends ParamName<P> ? never : undefined) : never);
};

/** A failure that a route renders itself. */
interface RenderedFailure {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A form (multipart/form-data) with a file, which is kept in the folder while it is worked on. */
export interface FileForm<F extends WireForm = WireForm> extends Pick<
  UploadOptions,
  'folder' | 'maxBytes' | 'fileField' | 'lists'
> {
  /** Those beside the file. */
  readonly fields: F;
}

/** A body that is a file, which is kept in the folder while it is worked on. */
export interface FileBody extends Pick<UploadOptions, 'folder' | 'maxBytes'> {
  /** What the body may be, as the document of the interface tells it: a schema by media type. Any bytes when left out. */
  readonly takes?: Readonly<Record<string, object>>;
}

/** Where clients of a form put their key beside `Authorization: Bearer`: a header of its own, or Basic with the key as password. */
export type OtherKeyPlace = 'x_api_key' | 'basic';

/** A header that has one of few values. */
interface RequestHeader {
  readonly meaning: string;
  readonly values: readonly string[];
}

/** What an endpoint is to its callers. */
interface Described {
  /** ALL takes what no other route of the path takes. */
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'ALL';
  /** Its paths stand at the root, without the prefixes. */
  readonly root?: boolean;
  /** Its paths stand at the root as well as below the prefixes, for clients that know a service by host and port alone. */
  readonly alsoAtRoot?: boolean;
  readonly access: Access;
  /** Where keys may stand as well; nowhere where left out. */
  readonly keyPlace?: OtherKeyPlace;
  readonly tag: string;
  /** Its name as a tool of models, where it is one. */
  readonly tool?: string;
  readonly summary: string;
  readonly description: string;
  /** What the parts of the path mean, by name. */
  readonly params?: Readonly<Record<string, string>>;
  /** Parameters of the address. */
  readonly query?: WireForm;
  /** JSON that it takes. */
  readonly body?: WireForm;
  /** Bytes that its JSON may have, where that is not what all may. */
  readonly maxJsonBytes?: number;
  /** Values that its JSON may hold, where that is not what all may. */
  readonly maxJsonValues?: number;
  readonly form?: FileForm;
  /** The body is a file. */
  readonly file?: FileBody;
  /** Fields of the form in its example. */
  readonly formExample?: Readonly<Record<string, string>>;
  readonly example?: object;
  /** JSON that it answers. */
  readonly reply?: WireForm;
  /** Events that it answers. */
  readonly stream?: WireForm;
  /** The data of the last event, where that is no JSON. */
  readonly lastEvent?: '[DONE]';
  /** JSON of its failures, where it is not that of other paths like its own. */
  readonly failure?: WireForm;
  /** Media types of replies that are no JSON. */
  readonly media?: readonly string[];
  /** Headers of the request that change what is done, with their meaning. */
  readonly requestHeaders?: Readonly<Record<string, string | RequestHeader>>;
  /** Headers of the reply that other endpoints lack, with their meaning. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Replies with further statuses: what they mean, and the JSON that they hold, where they hold any. */
  readonly replies?: Readonly<Record<number, { readonly meaning: string; readonly form?: WireForm }>>;
  /** Beyond those that its access, its path and what it takes bring. */
  readonly errors?: readonly ErrorCode[];
  /** Name by which its calls are metered; left out where none are. */
  readonly usage?: string;
  /** Not for clients: it stands in no document. */
  readonly hidden?: boolean;
  /** Whether calls end at once when their key may not be used any more, or the service stops. */
  readonly interruptible?: boolean;
  /** Renders failures, where that takes more than the path. */
  readonly renderFailure?: (error: unknown, request: FastifyRequest) => RenderedFailure;
}

/** An authenticated and admitted request. */
export interface PublicCall<
  P extends string,
  A,
  B extends WireForm,
  F extends WireForm,
  Q extends WireForm,
  U extends string,
> {
  readonly key: OfKey<A, KeyRecord>;
  /** The holder of the key, in this call. */
  readonly ctx: OfKey<A, CallContext>;
  readonly params: Params<P>;
  readonly query: Read<Q>;
  readonly body: Read<B>;
  /** Aborts with a StudioError when the caller has gone away, and as `interruptible` says. */
  readonly signal: AbortSignal;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** The call, counted against the limits of its key; verbs that use models are given it. It is settled when the handler ends. */
  readonly admitted: [U] extends [never] ? undefined : ModelCall;
  /** Reads the form as it comes; the caller removes its file. Rejects as `readUpload`. */
  readonly upload: [F] extends [never]
    ? undefined
    : () => Promise<Omit<Upload, 'fields'> & { readonly fields: Read<F> }>;
  /** Reads a body that is a file, of routes that take one; the caller removes it. Rejects as `readFileBody`. */
  readonly file: () => Promise<Omit<Upload, 'fields'>>;
  /** The body that tells of a failure in the middle of a stream; it is noted as the failure of the request. */
  failure(error: unknown): object;
}

/** A counted call with a key, whatever it takes. */
export type KeyCall = PublicCall<string, KeyScope, WireForm, WireForm, WireForm, string>;

/** An endpoint whose key, limits and body are checked before its handler. */
export interface CallRoute<
  P extends string,
  A extends Access,
  B extends WireForm,
  F extends WireForm,
  Q extends WireForm,
  R extends WireForm,
  U extends string,
> extends Described {
  /** As Fastify writes paths, below the prefixes; several are one endpoint. */
  readonly path: P | readonly P[];
  readonly access: A;
  readonly body?: B;
  readonly form?: FileForm<F>;
  readonly query?: Q;
  readonly reply?: R;
  readonly usage?: U;
  readonly example?: NoInfer<Sent<B>> & object;
  /** Tokens to reserve for a body. */
  readonly estimate?: (body: NoInfer<Read<B>>) => number;
  handle(call: PublicCall<P, A, B, F, Q, U>): [R] extends [never] ? unknown : Answer<R>;
}
type Answer<R extends WireForm> = Sent<R> | FastifyReply | Promise<Sent<R> | FastifyReply>;

/** An endpoint on the raw server, which does all itself. */
export interface HotRoute<U extends string> extends Described {
  readonly method: 'POST';
  readonly path: string;
  readonly usage: U;
  readonly handler: (usage: U) => HotHandler;
}

/** Handlers that read the bytes of a body by rules of their own. */
export interface BytesHandlers {
  readonly maxBytes: number;
  /** Before the body is read. */
  readonly enter?: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  /** The body of the request is a Buffer. */
  readonly handle: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
}
export interface BytesRoute extends Described, BytesHandlers {
  readonly path: string;
}

/** An endpoint of the public interface: what is served, documented and counted follows from it. */
export interface PublicRoute extends Described {
  readonly paths: readonly string[];
  readonly served:
    | {
        readonly kind: 'call';
        readonly estimate: ((body: never) => number) | undefined;
        readonly handle: (call: never) => unknown;
      }
    | { readonly kind: 'hot'; readonly handler: HotHandler }
    | ({ readonly kind: 'bytes' } & BytesHandlers);
}

/** Declares an endpoint whose key, limits and body are checked before its handler. */
export function publicRoute<
  const P extends string,
  A extends Access,
  U extends string = never,
  B extends WireForm = never,
  F extends WireForm = never,
  Q extends WireForm = never,
  R extends WireForm = never,
>({ path, estimate, handle, ...described }: CallRoute<P, A, B, F, Q, R, U>): PublicRoute {
  return { ...described, paths: [path].flat(), served: { kind: 'call', estimate, handle } };
}

/** Declares an endpoint on the raw server. */
export function hotRoute<U extends string>({ path, handler, ...described }: HotRoute<U>): PublicRoute {
  return { ...described, paths: [path], served: { kind: 'hot', handler: handler(described.usage) } };
}

/** Declares an endpoint that reads the bytes of its bodies itself. */
export function bytesRoute({ path, maxBytes, enter, handle, ...described }: BytesRoute): PublicRoute {
  const handlers = { maxBytes, handle, ...(enter === undefined ? {} : { enter }) };
  return { ...described, paths: [path], served: { kind: 'bytes', ...handlers } };
}
