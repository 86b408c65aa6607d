import type { RateLimits } from '../../kernel/rate-limits.ts';
import type { RetrievalDeps } from '../deps.ts';

/** What evaluations are made with. */
export interface EvaluationDeps extends RetrievalDeps {
  /** Of the configuration, where a tenant has none. */
  readonly defaultLimits: RateLimits;
}
