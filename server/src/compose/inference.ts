import type { Config } from '../config/index.ts';
import {
  type Calls,
  type ChatCall,
  type ChatRouter,
  createCalls,
  createOpenChat,
  createPrepare,
  createPrepareText,
  createRunChat,
  createServiceQuestions,
  type FetchImage,
  inlineImages,
  type OpenChat,
} from '../inference/index.ts';
import type { Catalogue } from '../models/catalogue.ts';
import { createGuardedFetch } from '../net-guard/index.ts';
import type { RateLimiter } from '../ports/rate-limiter.ts';
import type { AskModel, PrivacyGuard } from '../privacy/index.ts';
import type { Metering } from '../usage/index.ts';
import type { Base } from './parts.ts';

/** Media types of images that models take. */
const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];

/** Fetches images that requests give by address; null where the operator does not allow it. */
function createFetchImage({ images, network }: Config): FetchImage | null {
  if (!images.fetch) return null;
  const fetchGuarded = createGuardedFetch({ allow: network.allow });
  const { max_bytes: maxBytes, timeout_ms: timeoutMs } = images;
  return (url, signal) => fetchGuarded(url, { maxBytes, timeoutMs, types: IMAGE_TYPES, signal });
}

interface Deps {
  readonly catalogue: Catalogue;
  readonly router: ChatRouter;
  readonly limiter: RateLimiter;
  readonly metering: Metering;
}

/** The one path of every call of a model. */
export interface OpenInference {
  /** What the service itself asks. */
  readonly askModel: AskModel;
  /** Checks a text completion. Throws StudioError. */
  readonly checkText: NonNullable<ChatCall['check']>;
  /** Calls of models that are no chat. */
  readonly calls: Calls;
  /** The path of chats, which are guarded. */
  readonly openChat: (guard: PrivacyGuard) => OpenChat;
}

/** Makes the path of calls, from the check of their bodies to their metering. */
export function openInference({ config }: Base, { catalogue, router, ...stages }: Deps): OpenInference {
  const run = createRunChat({ router });
  const fetchImage = createFetchImage(config);
  const { json_bytes: maxJsonBytes, json_with_images_bytes: maxBytes } = config.server;
  const prepare = createPrepare({ catalogue, maxJsonBytes, mayFetchImages: fetchImage !== null });
  return {
    // It has no images.
    askModel: createServiceQuestions({ ...stages, catalogue, prepare, run }),
    checkText: createPrepareText(prepare),
    calls: createCalls({ ...stages, router }),
    openChat: (guard) =>
      createOpenChat({
        check: (bytes, allowed) => ({ chat: prepare(bytes, allowed) }),
        inlineImages: async (bytes, signal) =>
          fetchImage ? inlineImages(bytes, { fetchImage, maxBytes, signal }) : bytes,
        ...stages,
        guard,
        run,
      }),
  };
}
