import type { RateLimits } from '../../kernel/rate-limits.ts';
import type { ReadExtractDeps } from '../../parsing/index.ts';
import type { RetrievalDeps } from '../deps.ts';

/** What extractions from collections work with. */
export interface ExtractionDeps extends Pick<RetrievalDeps, 'db' | 'bus' | 'blobs' | 'texts' | 'log'>, ReadExtractDeps {
  /** Of the configuration, where a key or a tenant has none. */
  readonly defaultLimits: RateLimits;
}
