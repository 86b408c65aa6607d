/** What a roster holds; it keeps its own place there. */
export interface IndexedMember {
  /** Place in its roster; -1 outside of any. Written by the roster only. */
  place: number;
}

/**
 * An unordered set of things that come and go often. A `Set` would serve, but one under constant change makes garbage
 * that outlives its members: the tables it grows out of point to those after them, so that everything that was ever in
 * one reaches the old generation (a fifth of the gateway's time went there).
 */
export class IndexedSet<T extends IndexedMember> {
  readonly #members: T[] = [];

  get size(): number {
    return this.#members.length;
  }

  /** Safe to repeat. */
  add(member: T): void {
    if (member.place >= 0) return;
    member.place = this.#members.length;
    this.#members.push(member);
  }

  /** Safe to repeat. */
  delete(member: T): void {
    const { place } = member;
    if (place < 0) return;
    member.place = -1;
    const last = this.#members.pop();
    if (!last || last === member) return;
    last.place = place;
    this.#members[place] = last;
  }

  /** Calls `visit` for each; it may take the one it is given out. */
  each(visit: (member: T) => void): void {
    for (let i = this.#members.length - 1; i >= 0; i--) {
      const member = this.#members[i];
      if (member) visit(member);
    }
  }
}
