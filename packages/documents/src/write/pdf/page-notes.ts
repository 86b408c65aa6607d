import type { TextLine } from './lines.ts';

/** White above notes, with the line over them. */
const RULE_SPACE = 8;

export const heightOf = (lines: readonly TextLine[]): number => lines.reduce((sum, { height }) => sum + height, 0);

/** Notes that wait for the foot of a page. `linesOf`: lines of a note, none for one that is not there; `maxHeight`: of notes at one foot. */
export class PageNotes {
  readonly #linesOf: (note: string) => readonly TextLine[];
  readonly #maxHeight: number;
  readonly #known = new Map<string, readonly TextLine[]>();
  readonly #kept = new Set<string>();
  /** Of this page, and those that go on to the next one. */
  #waiting: TextLine[] = [];

  constructor(linesOf: (note: string) => readonly TextLine[], maxHeight: number) {
    this.#linesOf = linesOf;
    this.#maxHeight = maxHeight;
  }

  #of(note: string): readonly TextLine[] {
    const lines = this.#known.get(note) ?? this.#linesOf(note);
    this.#known.set(note, lines);
    return lines;
  }

  /** Notes that lines refer to and that were not kept yet, each once. */
  #newIn(lines: readonly TextLine[]): readonly string[] {
    const all = lines.flatMap(({ pieces }) => pieces.flatMap(({ note }) => (note === undefined ? [] : [note])));
    return [...new Set(all)].filter((note) => !this.#kept.has(note));
  }

  get areWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** What the new notes of lines take of a foot. */
  heightIn(lines: readonly TextLine[]): number {
    return this.#newIn(lines).reduce((sum, note) => sum + heightOf(this.#of(note)), 0);
  }

  /** What all notes take of the foot of this page, with others of such a height. */
  footWith(more: number): number {
    const height = Math.min(heightOf(this.#waiting) + more, this.#maxHeight);
    return height === 0 ? 0 : height + RULE_SPACE;
  }

  keep(lines: readonly TextLine[]): void {
    for (const note of this.#newIn(lines)) {
      this.#kept.add(note);
      this.#waiting.push(...this.#of(note));
    }
  }

  /** Takes the lines for the foot of a page that so much is left of; the others go on to the next one. */
  take(room: number): readonly TextLine[] {
    let count = 0;
    let left = Math.min(this.#maxHeight, room - RULE_SPACE);
    for (const { height } of this.#waiting) {
      if (height > left) break;
      left -= height;
      count++;
    }
    return this.#waiting.splice(0, count);
  }
}
