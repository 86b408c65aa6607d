import {
  type ChatRouter,
  type UnaryRouter,
  createPrepare,
  type Calls,
  createCalls,
  createOpenChat,
  createPeekModel,
  createRunChat,
  type OpenChat,
} from '../../src/inference/index.ts';
import type { Catalogue } from '../../src/models/catalogue.ts';
import type { RateLimiter } from '../../src/ports/rate-limiter.ts';
import type { PrivacyGuard } from '../../src/privacy/index.ts';
import { createMetering, type UsageRow } from '../../src/usage/index.ts';

/** A meter that keeps each call at once. */
const meteringOf = (record: (row: UsageRow) => void) =>
  createMetering({
    record(row, kept) {
      record(row);
      kept?.();
    },
  });

interface ChatOptions {
  readonly catalogue: Catalogue;
  readonly router: ChatRouter;
  readonly limiter: RateLimiter;
  /** Told each row that is metered. */
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
}: ChatOptions): OpenChat {
  const prepare = createPrepare({ catalogue, maxJsonBytes: 4_000_000 });
  return createOpenChat({
    check: (bytes, allowed) => ({ chat: prepare(bytes, allowed) }),
    inlineImages: (bytes) => Promise.resolve(bytes),
    limiter,
    metering: meteringOf(record),
    guard,
    run: createRunChat({ router }),
    requireRoom: router.requireRoom,
    peekModel: createPeekModel(catalogue),
  });
}

interface CallsOptions {
  readonly router?: UnaryRouter;
  readonly limiter?: Pick<RateLimiter, 'reserve' | 'settle'>;
  /** Told each row that is metered. */
  readonly record?: (row: UsageRow) => void;
}

/** Calls of models that are no chats, over engines of a test; without any none may be asked. */
export const openTestCalls = ({
  router = { call: () => Promise.reject(new Error('no model is asked')) },
  limiter = { reserve: () => ({ allowed: true, limit: 9, remaining: 8, resetSeconds: 1, window: 1 }), settle() {} },
  record = () => undefined,
}: CallsOptions = {}): Calls => createCalls({ router, limiter, metering: meteringOf(record) });
