import {
  type ChatRouter,
  createPrepare,
  createAdmission,
  createOpenChat,
  createRunChat,
  type OpenChat,
} from '../../src/inference/index.ts';
import type { Catalogue } from '../../src/models/catalogue.ts';
import type { RateLimiter } from '../../src/ports/rate-limiter.ts';
import type { PrivacyGuard } from '../../src/privacy/index.ts';
import { createMetering, type UsageRow } from '../../src/usage/index.ts';

interface InferenceOptions {
  readonly catalogue: Catalogue;
  readonly router: ChatRouter;
  readonly limiter: RateLimiter;
  /** Told each row that is counted. */
  readonly record?: (row: UsageRow) => void;
  /** Without it no policy may be asked for. */
  readonly guard?: PrivacyGuard;
}

const noGuard = {
  open: () => {
    throw new Error('this test has no policy for personal values');
  },
  hide: (_policy, text) => text,
  hideInError: (_policy, error) => error,
} satisfies PrivacyGuard;

/** The inference path of the service, over engines of a test. */
export function openTestChat({
  catalogue,
  router,
  limiter,
  record = () => undefined,
  guard = noGuard,
}: InferenceOptions): OpenChat {
  const prepare = createPrepare({ catalogue, maxJsonBytes: 4_000_000 });
  return createOpenChat({
    check: (bytes, allowed) => ({ chat: prepare(bytes, allowed) }),
    inlineImages: (bytes) => Promise.resolve(bytes),
    admission: createAdmission(limiter),
    guard,
    run: createRunChat({ router, metering: createMetering({ record }) }),
  });
}
