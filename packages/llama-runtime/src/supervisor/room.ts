import { ModelFailure } from './failure.ts';
import type { Slot } from './slot.ts';

export interface RoomOptions {
  readonly budgetBytes: number;
  /** Models by id; those that end are no longer among them. */
  readonly slots: ReadonlyMap<string, Slot>;
  /** Ids that are never unloaded. */
  readonly pinned: ReadonlySet<string>;
  /** Resolves when the model's memory is free. */
  readonly unload: (slot: Slot, why: string) => Promise<void>;
  readonly now: () => number;
}

/** How long a model waits for busy ones to make room. */
const TIMEOUT_MS = 30_000;

/** When callers should try again whom only a person can help: by a model that is pinned no more. */
const PINNED_RETRY_SECONDS = 30;

const mebibytes = (bytes: number) => `${Math.ceil(bytes / (1024 * 1024)).toLocaleString('en')} MiB`;

/** The memory that loaded models share. */
export function createRoom({ budgetBytes, slots, pinned, unload, now }: RoomOptions) {
  /** Slots whose memory is not free yet, those that end included. */
  const holding = new Set<Slot>();
  const waiting = new Set<() => void>();
  let closed = false;

  const wake = () => {
    for (const next of waiting) next();
  };
  /** Until something changed, or for so long. */
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
  /** Pinned models never go: what has no room beside them need not wait. */
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
  const noRoom = (id: string) => {
    const others = [...slots.keys()].filter((other) => other !== id).join(', ');
    return new ModelFailure('memory', `There is no room for the model ${id} beside those in use (${others}).`);
  };

  return {
    /** Unloads what nobody uses until there is room, and takes it. Throws ModelFailure `memory`, `stopping`. */
    async take(slot: Slot): Promise<void> {
      const { id } = slot.file;
      checkSize(slot);
      const deadline = now() + TIMEOUT_MS;
      while (used() + slot.plan.bytes > budgetBytes) {
        if (closed) throw new ModelFailure('stopping', 'The service is stopping.');
        checkPinned(slot);
        const victim = leastRecentlyUsed();
        const left = deadline - now();
        if (victim) await unload(victim, `room for ${id}`);
        else if (left > 0) await sleep(left);
        else throw noRoom(id);
      }
      holding.add(slot);
    },
    /** A model's memory is free again. */
    give(slot: Slot): void {
      holding.delete(slot);
      wake();
    },
    /** Unloads one that nobody uses. Resolves with false where there is none. */
    async spare(why: string): Promise<boolean> {
      const victim = leastRecentlyUsed();
      if (victim) await unload(victim, why);
      return victim !== undefined;
    },
    /** A model may have become free to go. */
    wake,
    /** Those whose memory is not free yet. */
    holders: (): readonly Slot[] => [...holding],
    close(): void {
      closed = true;
      wake();
    },
  };
}
