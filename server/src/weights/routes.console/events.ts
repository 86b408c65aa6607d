import type { ModelEvent } from '@ai-studio/contract/console/models.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendEvents } from '../../console-kit/event-stream.ts';
import { type ConsoleRoute, tenantRoute } from '../../console-kit/route.ts';
import type { WeightsRouteDeps } from './deps.ts';
import { listWeights } from './weights.ts';

/** Minimum time between events. */
const EVENT_INTERVAL_MS = 250;
/** Interval at which the list is read, to see changes of other processes. */
const LIST_INTERVAL_MS = 1_000;

type WeightsList = Extract<ModelEvent, { type: 'weights' }>['weights'];

/** Shares one list of weights among all followers, and reads it only while there are any. */
function createFeed(deps: WeightsRouteDeps) {
  const followers = new Set<(list: WeightsList) => void>();
  let lastList: WeightsList | null = null;
  let isRunning = false;

  const run = async () => {
    // The first list is always sent.
    let lastJson = '';
    let isDirty = true;
    const stop = deps.store.onChange(() => (isDirty = true));
    let lastListMs = 0;
    try {
      while (followers.size > 0 && !deps.closing.aborted) {
        const now = performance.now();
        if (isDirty || now - lastListMs >= LIST_INTERVAL_MS) {
          isDirty = false;
          lastListMs = now;
          const list = await listWeights(deps);
          const nextJson = JSON.stringify(list);
          if (nextJson !== lastJson) for (const follower of followers) follower(list);
          lastJson = nextJson;
          lastList = list;
        }
        await sleep(EVENT_INTERVAL_MS, undefined, { ref: false });
      }
    } finally {
      stop();
    }
  };
  const start = () => {
    if (isRunning) return;
    isRunning = true;
    run()
      .catch((error: unknown) => deps.log.error({ err: error }, 'model files could not be listed'))
      .finally(() => {
        isRunning = false;
        lastList = null;
        // A follower came while the last one left, or reading the list failed.
        if (followers.size > 0 && !deps.closing.aborted) setTimeout(start, LIST_INTERVAL_MS).unref();
      });
  };
  return {
    follow(onList: (list: WeightsList) => void): () => void {
      followers.add(onList);
      if (lastList) onList(lastList);
      start();
      return () => void followers.delete(onList);
    },
  };
}

/** GET /events. */
export function eventRoutes(deps: WeightsRouteDeps): ConsoleRoute[] {
  const { catalogue, closing } = deps;
  const feed = createFeed(deps);

  async function* events(clientSignal: AbortSignal): AsyncGenerator<ModelEvent, void> {
    let weights: WeightsList | null = null;
    let haveModelsChanged = false;
    let wake: () => void = () => undefined;
    const endSignal = AbortSignal.any([clientSignal, closing]);
    const onEnd = () => wake();
    endSignal.addEventListener('abort', onEnd, { once: true });
    const stopWeights = feed.follow((list) => {
      // A slow reader gets only the newest list.
      weights = list;
      wake();
    });
    const stopModels = catalogue.onChange(() => {
      haveModelsChanged = true;
      wake();
    });
    try {
      while (!endSignal.aborted) {
        if (weights !== null) {
          const list: WeightsList = weights;
          weights = null;
          yield { type: 'weights', weights: list };
        } else if (haveModelsChanged) {
          haveModelsChanged = false;
          yield { type: 'models' };
          await sleep(EVENT_INTERVAL_MS, undefined, { ref: false });
        } else {
          await new Promise<void>((resolve) => (wake = resolve));
        }
      }
    } finally {
      stopWeights();
      stopModels();
      endSignal.removeEventListener('abort', onEnd);
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
