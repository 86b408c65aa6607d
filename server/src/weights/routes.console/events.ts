import type { ModelEvent } from '@ai-studio/contract/console/models.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendEvents } from '../../console-kit/event-stream.ts';
import { type ConsoleRoute, tenantRoute } from '../../console-kit/route.ts';
import type { WeightsRouteDeps } from './deps.ts';
import { listWeights } from './weights.ts';

/** News go out four times a second at most. */
const NEWS_MS = 250;
/** What other processes do is seen by looking. */
const LOOK_MS = 1_000;

type WeightsList = Extract<ModelEvent, { type: 'weights' }>['weights'];

/** The list of weights, made once for all who follow it, and only while somebody does. */
function createFeed(deps: WeightsRouteDeps) {
  const followers = new Set<(list: WeightsList) => void>();
  let last: WeightsList | null = null;
  let running = false;

  const run = async () => {
    // Whoever begins to follow is told how things stand.
    let text = '';
    let dirty = true;
    const stop = deps.store.onChange(() => (dirty = true));
    let lookedMs = 0;
    try {
      while (followers.size > 0 && !deps.closing.aborted) {
        const now = performance.now();
        if (dirty || now - lookedMs >= LOOK_MS) {
          dirty = false;
          lookedMs = now;
          const list = await listWeights(deps);
          const next = JSON.stringify(list);
          if (next !== text) for (const follower of followers) follower(list);
          text = next;
          last = list;
        }
        await sleep(NEWS_MS, undefined, { ref: false });
      }
    } finally {
      stop();
    }
  };
  const start = () => {
    if (running) return;
    running = true;
    run()
      .catch((error: unknown) => deps.log.error({ err: error }, 'the model files could not be listed'))
      .finally(() => {
        running = false;
        last = null;
        // Somebody came while the last one went, or a look failed.
        if (followers.size > 0 && !deps.closing.aborted) setTimeout(start, LOOK_MS).unref();
      });
  };
  return {
    follow(onList: (list: WeightsList) => void): () => void {
      followers.add(onList);
      if (last) onList(last);
      start();
      return () => void followers.delete(onList);
    },
  };
}

/** GET /events. */
export function eventRoutes(deps: WeightsRouteDeps): ConsoleRoute[] {
  const { catalogue, closing } = deps;
  const feed = createFeed(deps);

  async function* events(gone: AbortSignal): AsyncGenerator<ModelEvent, void> {
    let weights: WeightsList | null = null;
    let models = false;
    let wake: () => void = () => undefined;
    const ending = AbortSignal.any([gone, closing]);
    const onEnd = () => wake();
    ending.addEventListener('abort', onEnd, { once: true });
    const stopWeights = feed.follow((list) => {
      // Who reads slowly gets the newest.
      weights = list;
      wake();
    });
    const stopModels = catalogue.onChange(() => {
      models = true;
      wake();
    });
    try {
      while (!ending.aborted) {
        if (weights !== null) {
          const list: WeightsList = weights;
          weights = null;
          yield { type: 'weights', weights: list };
        } else if (models) {
          models = false;
          yield { type: 'models' };
          await sleep(NEWS_MS, undefined, { ref: false });
        } else {
          await new Promise<void>((resolve) => (wake = resolve));
        }
      }
    } finally {
      stopWeights();
      stopModels();
      ending.removeEventListener('abort', onEnd);
    }
  }

  return [
    tenantRoute({
      method: 'GET',
      path: '/events',
      access: 'models.view',
      handle: ({ reply, signal }) => sendEvents(reply, events(signal)),
    }),
  ];
}
