import type { NativeContext } from './native.ts';

/** A place for one running choice in the context, with the tokens that it holds from before. */
export interface Slot {
  readonly id: number;
  readonly tokens: Uint32Array;
  /** Tokens held. */
  length: number;
  busy: boolean;
  /** Rises with every use. */
  lastUse: number;
}

/** The slot assigned to a prompt, and how many of the prompt's tokens it has cached. */
export interface SlotAssignment {
  readonly slot: Slot;
  readonly cached: number;
}

export interface Slots {
  /** Takes the free slot that saves the most work; null when none is free. */
  take(prompt: Uint32Array): SlotAssignment | null;
  /** Makes a slot hold the first `wanted` tokens of another. Resolves with how many it holds; 0 where that cannot be. */
  copy(from: Slot, to: Slot, wanted: number): Promise<number>;
  /** Appends tokens that were decoded into the slot. */
  append(slot: Slot, tokens: Uint32Array): void;
  release(slot: Slot): void;
  /** Empties the slot, after a failure. */
  clear(slot: Slot): void;
}

export interface SlotsOptions {
  readonly context: Pick<
    NativeContext,
    | 'removeTokenCellsFromSequence'
    | 'disposeSequence'
    | 'getSequenceKvCacheMinPosition'
    | 'copySequenceStateFromOtherSequence'
  >;
  readonly count: number;
  readonly contextLength: number;
  /** Tokens that layers with a sliding window see; null when there are none or when they keep everything. */
  readonly slidingWindow: number | null;
}

function commonLength(slot: Slot, prompt: Uint32Array): number {
  const maxLength = Math.min(slot.length, prompt.length);
  let length = 0;
  while (length < maxLength && slot.tokens[length] === prompt[length]) length++;
  return length;
}

/**
 * Chooses among free slots: the one whose tokens begin the prompt furthest, unless more of another conversation would be lost
 * than won; then the one that was used least lately. A token lost counts half: it may never be asked for again.
 */
function chooseSlot(free: readonly Slot[], prompt: Uint32Array): Slot | null {
  let best: Slot | null = null;
  let bestGain = 0;
  for (const slot of free) {
    const common = commonLength(slot, prompt);
    const gain = common - (slot.length - common) / 2;
    if (gain > bestGain) [best, bestGain] = [slot, gain];
  }
  if (best) return best;
  const empty = free.find((slot) => slot.length === 0);
  return empty ?? free.toSorted((a, b) => a.lastUse - b.lastUse)[0] ?? null;
}

export function createSlots({ context, count, contextLength, slidingWindow }: SlotsOptions): Slots {
  const slots: readonly Slot[] = Array.from({ length: count }, (_, id) => ({
    id,
    tokens: new Uint32Array(contextLength),
    length: 0,
    busy: false,
    lastUse: 0,
  }));
  let uses = 0;

  const clear = (slot: Slot) => {
    slot.length = 0;
    context.disposeSequence(slot.id);
  };

  /** Whether the first `length` tokens are still there for all that follow: windows forget what lies far back. */
  const windowHolds = (slot: Slot, length: number) =>
    slidingWindow === null || context.getSequenceKvCacheMinPosition(slot.id) <= Math.max(0, length - slidingWindow);

  const truncate = (slot: Slot, wanted: number): number => {
    if (slot.length === 0) return 0;
    if (wanted > 0 && (slot.length === wanted || context.removeTokenCellsFromSequence(slot.id, wanted, -1))) {
      if (windowHolds(slot, wanted)) return (slot.length = wanted);
    }
    // Recurrent models keep one state and cannot go back.
    clear(slot);
    return 0;
  };

  return {
    take(prompt) {
      const slot = chooseSlot(
        slots.filter(({ busy }) => !busy),
        prompt,
      );
      if (!slot) return null;
      slot.busy = true;
      slot.lastUse = ++uses;
      // The last token is always read anew: its logits are the beginning of the reply.
      return { slot, cached: truncate(slot, Math.min(commonLength(slot, prompt), prompt.length - 1)) };
    },
    async copy(from, to, wanted) {
      clear(to);
      try {
        const last = await context.copySequenceStateFromOtherSequence(to.id, from.id);
        if (last !== from.length - 1) throw new Error('The copy is not whole');
        to.tokens.set(from.tokens.subarray(0, from.length));
        to.length = from.length;
        return truncate(to, wanted);
      } catch {
        // The prompt is read again instead.
        clear(to);
        return 0;
      }
    },
    append(slot, tokens) {
      slot.tokens.set(tokens, slot.length);
      slot.length += tokens.length;
    },
    release: (slot) => void (slot.busy = false),
    clear,
  };
}
