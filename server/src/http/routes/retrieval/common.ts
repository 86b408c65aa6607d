import type { Caller, RetrievalDeps } from '../../../retrieval/index.ts';
import type { KeyCall } from '../../public-route.ts';

export interface RetrievalRouteDeps {
  readonly retrieval: RetrievalDeps;
  /** Where files are kept until they are put away. */
  readonly folder: string;
  readonly maxUploadBytes: number;
}

/** The holder of a key as the one who asks. */
export const callerOf = ({ key, request, signal }: Pick<KeyCall, 'key' | 'request' | 'signal'>): Caller => ({
  tenantId: key.tenantId,
  keyId: key.id,
  userId: key.holderId,
  allowedModels: key.allowedModels,
  requestId: request.id,
  signal,
});

/** What all endpoints of retrieval have in common. */
export const common = {
  access: 'retrieval',
  tag: 'Retrieval',
  params: { collection_id: 'Of a collection', document_id: 'Of a document', chunk_id: 'Of a chunk' },
} as const;

/** Failures of an endpoint that writes what its body says. */
export const errorsOfWriting = ['not_found', 'conflict', 'timeout'] as const;
