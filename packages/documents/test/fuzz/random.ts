/** Numbers by chance that come again with the same seed. */
export interface Random {
  /** From 0 to `most - 1`. */
  readonly below: (most: number) => number;
  readonly oneOf: <T>(items: readonly T[]) => T;
  /** Whether something of this likelihood happens. */
  readonly chance: (likelihood: number) => boolean;
}

/** A generator of 32 bits (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  const below = (most: number): number => Math.floor(next() * most);
  return {
    below,
    oneOf: (items) => {
      const item = items[below(items.length)];
      if (item === undefined) throw new Error('nothing to choose from');
      return item;
    },
    chance: (likelihood) => next() < likelihood,
  };
}
