/** Chance that a seed repeats. */
export interface Chance {
  /** 0 up to 1, without it. */
  next(): number;
  /** 0 up to `count`, without it. */
  below(count: number): number;
  pick<T>(list: readonly T[]): T;
  /** Whether something of this likelihood happens. */
  hits(likelihood: number): boolean;
}

/** FNV-1a. Source: Fowler, Noll, Vo; draft-eastlake-fnv. */
const hash = (text: string) => {
  let value = 0x81_1c_9d_c5;
  for (const unit of Buffer.from(text)) value = Math.imul(value ^ unit, 0x01_00_01_93);
  return value >>> 0;
};

/** Numbers by the generator mulberry32. `pick` throws where there is nothing to pick from. */
export function createChance(seed: string): Chance {
  let state = hash(seed);
  const next = () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number) => Math.floor(next() * count);
  return {
    next,
    below,
    pick(list) {
      if (list.length === 0) throw new Error('nothing to pick from');
      return list[below(list.length)] as (typeof list)[number];
    },
    hits: (likelihood) => next() < likelihood,
  };
}
