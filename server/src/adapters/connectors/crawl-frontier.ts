import type { Robots } from './robots.ts';

/** A page that is to be asked for, and how many links lead to it. */
interface Waiting {
  readonly id: string;
  readonly depth: number;
}

/** How far a site is gone through. */
interface Reach {
  /** Links that are followed one after the other. */
  readonly depth: number;
  /** Pages that are asked for: a site may make up links without an end. */
  readonly most: number;
  readonly robots: Robots;
}

/** The pages of a site that are to be asked for, each once. */
export class Frontier {
  /** Grows while it is gone through. */
  readonly waiting: Waiting[] = [];
  /** Ids that robots.txt keeps out, as far as links lead to them. */
  readonly forbidden = new Set<string>();
  /** Whether there were more pages than are asked for. */
  isFull = false;
  readonly #reach: Reach;
  readonly #met = new Set<string>();
  readonly #moved = new Map<string, string>();

  constructor(reach: Reach) {
    this.#reach = reach;
  }

  has(id: string): boolean {
    return this.#met.has(id);
  }

  add(id: string | null, depth: number): void {
    const { robots, most, depth: deepest } = this.#reach;
    if (id === null || this.#met.has(id) || depth > deepest) return;
    if (!robots.allows(id)) {
      if (this.forbidden.size < most) this.forbidden.add(id);
      return;
    }
    if (this.#met.size >= most) return void (this.isFull = true);
    this.#met.add(id);
    this.waiting.push({ id, depth });
  }

  /** Where the redirects that were noted lead from a page; the page itself where there are none, null where they go round. */
  endOf(id: string): string | null {
    const way = new Set<string>();
    let at = id;
    for (let next = this.#moved.get(at); next !== undefined; next = this.#moved.get(at)) {
      if (way.has(at)) return null;
      way.add(at);
      at = next;
    }
    return at;
  }

  /** Notes where a page sends on to. Whether it leads anywhere: false where it comes back to where it was. */
  move({ id, depth }: Waiting, to: string): boolean {
    this.#moved.set(id, to);
    this.add(to, depth);
    return this.endOf(id) !== null;
  }
}
