import { ModelFailure } from './failure.ts';
import type { Slot } from './slot.ts';

export interface MemoryPoolOptions {
  readonly budgetBytes: number;
  /** Models by id; those that end are no longer among them. */
  readonly slots: ReadonlyMap<string, Slot>;
  /** Ids that are never unloaded. */
  readonly pinned: ReadonlySet<string>;
  /** Resolves when the model's memory is free. */
  readonly unload: (slot: Slot, why: string) => Promise<void>;
  readonly now: () => number;
}

/** How long a model waits for busy ones to release memory. */
const RESERVE_TIMEOUT_MS = 30_000;

/** Retry-After where only a person can help, by unpinning a model. */
const PINNED_RETRY_SECONDS = 30;

const mebibytes = (bytes: number) => `${Math.ceil(bytes / (1024 * 1024)).toLocaleString('en')} MiB`;

/** The memory that loaded models share. */
export function createMemoryPool({ budgetBytes, slots, pinned, unload, now }: MemoryPoolOptions) {
  /** Slots whose memory is in use, those that are ending included. */
  const holding = new Set<Slot>();
  const waiting = new Set<() => void>();
  let closed = false;

  const wake = () => {
    for (const next of waiting) next();
  };
  /** Resolves when something changed, or after the given time. */
  const sleep = (ms: number) =>
    new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      timer.unref();
      waiting.add(done);
    });
  const used = () => {
    let bytes = 0;
    for (const slot of holding) bytes += slot.plan.bytes;
    return bytes;
  };
  const leastRecentlyUsed = (): Slot | undefined => {
    let found: Slot | undefined;
    for (const slot of slots.values()) {
      const free = slot.phase === 'loaded' && slot.leases === 0 && !pinned.has(slot.file.id);
      if (free && (!found || slot.lastUsedMs < found.lastUsedMs)) found = slot;
    }
    return found;
  };
  const checkSize = ({ file, plan }: Slot) => {
    if (plan.bytes <= budgetBytes) return;
    throw new ModelFailure(
      'memory',
      `The model ${file.id} needs about ${mebibytes(plan.bytes)} of memory; local models may use ${mebibytes(budgetBytes)}.`,
    );
  };
  /** Pinned models are never unloaded: a model that does not fit beside them need not wait. */
  const checkPinned = ({ file, plan }: Slot) => {
    const kept = [...holding].filter((other) => other.phase !== 'ending' && pinned.has(other.file.id));
    const bytes = kept.reduce((sum, other) => sum + other.plan.bytes, 0);
    if (bytes + plan.bytes <= budgetBytes) return;
    const names = kept.map((other) => other.file.id).join(', ');
    throw new ModelFailure(
      'memory',
      `There is no room for the model ${file.id}, which needs about ${mebibytes(plan.bytes)}: of the ` +
        `${mebibytes(budgetBytes)} that local models may use, those that are pinned (${names}) keep ${mebibytes(bytes)}. ` +
        'Let one go with `studio models unpin`.',
      PINNED_RETRY_SECONDS,
    );
  };
  const outOfMemory = (id: string) => {
    const others = [...slots.keys()].filter((other) => other !== id).join(', ');
    return new ModelFailure('memory', `There is no room for the model ${id} beside those in use (${others}).`);
  };

  return {
    /** Reserves memory, unloading idle models until it fits. Throws ModelFailure `memory`, `stopping`. */
    async reserve(slot: Slot): Promise<void> {
      const { id } = slot.file;
      checkSize(slot);
      const deadline = now() + RESERVE_TIMEOUT_MS;
      while (used() + slot.plan.bytes > budgetBytes) {
        if (closed) throw new ModelFailure('stopping', 'The service is stopping.');
        checkPinned(slot);
        const victim = leastRecentlyUsed();
        const left = deadline - now();
        if (victim) await unload(victim, `room for ${id}`);
        else if (left > 0) await sleep(left);
        else throw outOfMemory(id);
      }
      holding.add(slot);
    },
    /** Releases a model's memory. */
    release(slot: Slot): void {
      holding.delete(slot);
      wake();
    },
    /** Unloads the least recently used idle model. Resolves with false where there is none. */
    async unloadIdle(why: string): Promise<boolean> {
      const victim = leastRecentlyUsed();
      if (victim) await unload(victim, why);
      return victim !== undefined;
    },
    /** Lets waiting models check again, as one may have become idle. */
    wake,
    /** Models whose memory is still in use. */
    holders: (): readonly Slot[] => [...holding],
    close(): void {
      closed = true;
      wake();
    },
  };
}
