import type { Config } from '../config/index.ts';
import {
  type Calls,
  type ChatCall,
  type ChatRouter,
  type CountPrompt,
  createCalls,
  createCountPrompt,
  createOpenChat,
  createPeekModel,
  createPrepare,
  createPrepareText,
  createRetell,
  createRunChat,
  createTokens,
  createInternalCompletions,
  createStoredCalls,
  type FetchImage,
  inlineImages,
  type OpenChat,
  type Tokens,
  type OpenStoredCalls,
} from '../inference/index.ts';
import type { Actor } from '../kernel/actor.ts';
import type { Catalogue } from '../models/catalogue.ts';
import { createGuardedFetch } from '../net-guard/index.ts';
import type { AskModel, PrivacyGuard } from '../privacy/index.ts';
import type { Metering } from '../usage/index.ts';
import type { OpenNetwork } from './network.ts';
import type { Base } from './parts.ts';

/** Media types of images that models take. */
const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];

/** Fetches images that requests give by address; null where the operator does not allow it. */
function createFetchImage({ images }: Config, { hosts }: OpenNetwork): FetchImage | null {
  if (!images.fetch) return null;
  const fetchGuarded = createGuardedFetch({ allow: hosts.allowed });
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
  readonly countPrompt: CountPrompt;
  readonly tokens: Tokens;
  /** The path of chats, behind a guard. */
  readonly openChat: (guard: PrivacyGuard) => OpenChat;
  /** The same, for work whose outcomes are stored together with their usage. */
  readonly openStoredCalls: (guard: PrivacyGuard) => OpenStoredCalls;
}

interface Deps extends OpenNetwork, Omit<Parameters<typeof createCalls>[0], 'router' | 'metering'> {
  readonly metering: Metering;
  readonly catalogue: Catalogue;
  readonly router: ChatRouter;
}

/** Makes the path of calls, from the check of their bodies to their metering. */
export function openInference({ config }: Base, { catalogue, hosts, router, limiter, metering }: Deps): OpenInference {
  const stages = { limiter, metering };
  const run = createRunChat({ router });
  const fetchImage = createFetchImage(config, { hosts });
  const { json_bytes: maxJsonBytes, json_with_images_bytes: maxBytes } = config.server;
  const prepare = createPrepare({ catalogue, maxJsonBytes, mayFetchImages: fetchImage !== null });
  const retell = createRetell({ maxJsonBytes });
  const peekModel = createPeekModel(catalogue);
  const chatDeps = (guard: PrivacyGuard) => ({
    limiter,
    check: (bytes: Buffer, allowed: Actor['allowedModels'], instead?: string) => ({
      chat: prepare(bytes, allowed, instead),
    }),
    retell,
    inlineImages: async (bytes: Buffer, signal: AbortSignal) =>
      fetchImage ? inlineImages(bytes, { fetchImage, maxBytes, signal }) : bytes,
    guard,
    run,
    requireRoom: router.requireRoom,
    // Nothing is refused for it while all engines have room.
    peekModel: (bytes: Buffer, allowed: Actor['allowedModels']) =>
      router.hasFullEngine() ? peekModel(bytes, allowed) : null,
  });
  return {
    calls: createCalls({ ...stages, router }),
    // It has no images.
    askModel: createInternalCompletions({ ...stages, catalogue, prepare, run }),
    countPrompt: createCountPrompt({ router }),
    tokens: createTokens({ router, catalogue }),
    checkText: createPrepareText(prepare, { maxJsonBytes }),
    openChat: (guard) => createOpenChat({ ...chatDeps(guard), metering }),
    openStoredCalls: (guard) => createStoredCalls({ chat: chatDeps(guard), calls: { limiter, router }, metering }),
  };
}
