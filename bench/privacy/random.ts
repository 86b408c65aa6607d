/** Numbers that are the same for the same seed (mulberry32), and choices by them. */
export interface Random {
  /** 0 to `below` − 1. */
  int(below: number): number;
  pick<T>(list: readonly T[]): T;
  /** One of the characters of a text. */
  char(text: string): string;
  digits(count: number): string;
  chance(share: number): boolean;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (below: number) => Math.floor(next() * below);
  return {
    int,
    pick(list) {
      const picked = list[int(list.length)];
      if (picked === undefined) throw new Error('nothing to pick from');
      return picked;
    },
    char: (text) => text.charAt(int(text.length)),
    digits: (count) => Array.from({ length: count }, () => int(10)).join(''),
    chance: (share) => next() < share,
  };
}
