import type { Config } from '../config/index.ts';
import {
  type Calls,
  type ChatCall,
  type ChatRouter,
  createCalls,
  createOpenChat,
  createPeekModel,
  createPrepare,
  createPrepareText,
  createRunChat,
  createInternalCompletions,
  type FetchImage,
  inlineImages,
  type OpenChat,
} from '../inference/index.ts';
import type { Catalogue } from '../models/catalogue.ts';
import { createGuardedFetch } from '../net-guard/index.ts';
import type { AskModel, PrivacyGuard } from '../privacy/index.ts';
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

/** The one path of every call of a model. */
export interface OpenInference {
  readonly calls: Calls;
  /** What the service itself asks. */
  readonly askModel: AskModel;
  /** Checks a text completion. Throws StudioError. */
  readonly checkText: NonNullable<ChatCall['check']>;
  /** The path of chats, behind a guard. */
  readonly openChat: (guard: PrivacyGuard) => OpenChat;
}

interface Deps extends Omit<Parameters<typeof createCalls>[0], 'router'> {
  readonly catalogue: Catalogue;
  readonly router: ChatRouter;
}

/** Makes the path of calls, from the check of their bodies to their metering. */
export function openInference({ config }: Base, { catalogue, router, limiter, metering }: Deps): OpenInference {
  const stages = { limiter, metering };
  const run = createRunChat({ router });
  const fetchImage = createFetchImage(config);
  const { json_bytes: maxJsonBytes, json_with_images_bytes: maxBytes } = config.server;
  const prepare = createPrepare({ catalogue, maxJsonBytes, mayFetchImages: fetchImage !== null });
  return {
    calls: createCalls({ ...stages, router }),
    // It has no images.
    askModel: createInternalCompletions({ ...stages, catalogue, prepare, run }),
    checkText: createPrepareText(prepare, { maxJsonBytes }),
    openChat: (guard) =>
      createOpenChat({
        ...stages,
        check: (bytes, allowed, instead) => ({ chat: prepare(bytes, allowed, instead) }),
        inlineImages: async (bytes, signal) =>
          fetchImage ? inlineImages(bytes, { fetchImage, maxBytes, signal }) : bytes,
        guard,
        run,
        requireRoom: router.requireRoom,
        peekModel: createPeekModel(catalogue),
      }),
  };
}
