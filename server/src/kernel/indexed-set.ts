/** A member of an {@link IndexedSet}, which stores its own position. */
export interface IndexedMember {
  /** Position in the set; -1 outside of any. Written by the set only. */
  place: number;
}

/**
 * An unordered set for members that come and go often. A `Set` under constant change makes garbage that outlives its members: a
 * table it has grown out of points to the next one, so that every former member reaches the old generation of the garbage
 * collector (a fifth of the gateway's time went there).
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

  /** Calls `callback` for each member; it may delete this member. */
  each(callback: (member: T) => void): void {
    for (let i = this.#members.length - 1; i >= 0; i--) {
      const member = this.#members[i];
      if (member) callback(member);
    }
  }
}
