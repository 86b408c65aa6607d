/**
 * Disjoint sets of the whole numbers from 0 (union-find): what is joined, directly or through others, has one root. Takes near constant
 * time each, as paths are halved whenever they are walked.
 */
export class DisjointSets {
  #parents: Int32Array;
  #size: number;

  /** Begins with so many sets of one item each. */
  constructor(size = 0) {
    this.#parents = Int32Array.from({ length: Math.max(64, size) }, (_, item) => item);
    this.#size = size;
  }

  get size(): number {
    return this.#size;
  }

  /** Adds an item in a set of its own; returns its number. */
  add(): number {
    if (this.#size === this.#parents.length) {
      const wider = new Int32Array(this.#size * 2);
      wider.set(this.#parents);
      this.#parents = wider;
    }
    this.#parents[this.#size] = this.#size;
    return this.#size++;
  }

  /** The item that stands for the set of an item: the same for all items of a set. */
  find(item: number): number {
    const parents = this.#parents;
    let root = item;
    for (let parent = parents[root] ?? root; parent !== root; parent = parents[root] ?? root) {
      const above = parents[parent] ?? parent;
      parents[root] = above;
      root = above;
    }
    return root;
  }

  /** Joins the sets of two items; the root of the second stands for both. */
  join(item: number, into: number): void {
    this.#parents[this.find(item)] = this.find(into);
  }
}
