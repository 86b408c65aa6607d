import { createSourceOpener } from '../adapters/connectors/index.ts';
import { type Connectors, createConnectors, startConnectors } from '../connectors/index.ts';
import { createGuardedRequest, createGuardedResolve } from '../net-guard/index.ts';
import type { Documents } from './documents.ts';
import type { OpenedLimiter } from './limiter.ts';
import type { OpenNetwork } from './network.ts';
import type { Base } from './parts.ts';
import type { Retrieval } from './retrieval.ts';
import type { SealedData } from './store.ts';

// The part of the composition that keeps collections in step with sources.

interface Deps
  extends
    Pick<SealedData, 'box'>,
    OpenNetwork,
    Pick<OpenedLimiter, 'defaultLimits'>,
    Pick<Documents, 'documents'>,
    Pick<Retrieval, 'retrieval'> {}

/** Opens the connectors; those that wait run once the service has started. */
export function openConnectors(
  { config, parts }: Base,
  { box, hosts, defaultLimits, documents, retrieval }: Deps,
): Connectors {
  const { folders, per_tenant: perTenant, min_minutes: minMinutes, max_documents: maxDocuments } = config.connectors;
  const { folder, maxUploadBytes: maxBytes } = documents;
  const { allowed: allow } = hosts;
  const request = createGuardedRequest({ allow });
  const resolve = createGuardedResolve({ allow });
  const deps = {
    retrieval,
    open: createSourceOpener({ folders, request, resolve }),
    box,
    limits: { folders, perTenant, minMinutes, maxDocuments },
    defaultLimits,
    folder,
    maxBytes,
  };
  parts.onStart('connectors', async () => {
    const started = await startConnectors(deps);
    parts.closeEarly(started);
    return started;
  });
  return createConnectors(deps);
}
