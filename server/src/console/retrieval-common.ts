import type { ConsoleReason } from '@ai-studio/contract/console/errors.ts';
import type { Admission } from '../inference/index.ts';
import { type ErrorCode, StudioError } from '../kernel/errors.ts';
import { EngineError } from '../ports/engine.ts';
import type { Caller, Evaluations, Originals, RetrievalDeps } from '../retrieval/index.ts';
import { type AllowanceDeps, allowanceOf } from '../identity/index.ts';
import { admitPerson } from './allowance.ts';
import type { TenantCall } from './route.ts';

/** What the pages of collections work with. */
export interface CollectionsDeps {
  readonly retrieval: RetrievalDeps;
  readonly originals: Originals;
  readonly evaluations: Evaluations;
  /** Largest file. */
  readonly maxBytes: number;
  /** Where files lie until they are kept. */
  readonly folder: string;
}

export interface CollectionRouteDeps extends AllowanceDeps {
  readonly collections: CollectionsDeps;
  readonly admission: Admission;
}

type AnyCall = TenantCall<unknown, unknown>;

/** The person as the one who asks: administrators may see and change all of their tenant. */
export async function callerOf(deps: AllowanceDeps, { ctx, person, signal, origin }: AnyCall): Promise<Caller> {
  const { models } = await allowanceOf(deps, ctx.tenantId);
  return {
    tenantId: ctx.tenantId,
    keyId: null,
    userId: person.userId,
    administers: person.role === 'administrator',
    allowedModels: models,
    requestId: origin.requestId,
    signal,
  };
}

/** Counts like a request of an API key. Throws StudioError `rate_limited`. */
export async function reserve(deps: CollectionRouteDeps, { ctx, person }: AnyCall): Promise<void> {
  await admitPerson(deps, { tenantId: ctx.tenantId, userId: person.userId });
}

/** A part of the path. */
export const partOf = ({ params }: AnyCall, name: string): string => params[name] ?? '';

const MAX_PAGES = 1_000_000;

/** A number of the path. Throws StudioError `not_found` for what is none. */
export function pageOf(call: AnyCall): number {
  const text = partOf(call, 'page');
  if (/^[1-9]\d{0,6}$/.test(text) && Number(text) <= MAX_PAGES) return Number(text);
  throw new StudioError('not_found', 'There is no such page');
}

const reasons: Partial<Record<ErrorCode, ConsoleReason>> = {
  unsupported_media_type: 'document_unsupported',
  unprocessable: 'document_unreadable',
  conflict: 'document_not_ready',
  forbidden: 'collection_not_yours',
};

/** Failures of verbs in the words that the console has for them. */
export async function told<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof EngineError)
      throw new StudioError('unavailable', error.detail ?? 'The model cannot be reached at the moment', {
        reason: 'search_model_unavailable',
        cause: error,
      });
    if (!(error instanceof StudioError) || error.reason !== null) throw error;
    const { code, message, param } = error;
    const more = {
      param,
      cause: error,
      ...(error.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
    };
    if (code === 'invalid_request' && param?.startsWith('filters') === true)
      throw new StudioError(code, message, {
        ...more,
        reason: 'filters_wrong',
        values: { at: param.replace(/^filters\.?/, '') || '{}' },
      });
    const reason = code === 'invalid_request' ? 'invalid_field' : reasons[code];
    throw reason === undefined ? error : new StudioError(code, message, { ...more, reason });
  }
}
