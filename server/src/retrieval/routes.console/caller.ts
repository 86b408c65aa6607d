import { type AllowanceDeps, allowanceOf } from '../../identity/index.ts';
import type { CountedCalls } from '../../console-kit/allowance.ts';
import type { AnyCall } from '../../console-kit/route.ts';
import type { Caller, Evaluations, Originals, RetrievalDeps } from '../index.ts';

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

/** What the routes of collections work with. */
export interface CollectionRouteDeps extends CountedCalls {
  readonly collections: CollectionsDeps;
}

/** The person as the one who asks: administrators may see and change all of their tenant. */
export async function callerOf(source: AllowanceDeps, { ctx, person, signal, origin }: AnyCall): Promise<Caller> {
  const { models } = await allowanceOf(source, ctx.tenantId);
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
