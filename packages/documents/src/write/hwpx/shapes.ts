import { checkLists } from '../bounds.ts';
import { numberMark, type NumberShape } from '../marks.ts';
import type { ListItem } from '../../document.ts';

// What paragraphs refer to by number: letters, paragraphs, numberings and bullets, each kept once.

export interface Letters {
  /** Hundredths of a point. */
  readonly size: number;
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly strike?: boolean;
  readonly script?: 'super' | 'sub';
  /** The typeface, where it is not that of the text. */
  readonly face?: 'title' | 'mono';
  readonly link?: boolean;
}

/** How a paragraph stands; lengths in 1/7200 inch, `line` in percent. */
export interface ParagraphLook {
  readonly align?: 'JUSTIFY' | 'LEFT' | 'CENTER';
  readonly left?: number;
  readonly indent?: number;
  readonly before?: number;
  readonly after?: number;
  readonly line?: number;
  readonly keepWithNext?: boolean;
  /** Number of the border and ground. */
  readonly border?: number;
  readonly head?: { readonly type: 'OUTLINE' | 'NUMBER' | 'BULLET'; readonly id: number; readonly level: number };
}

export interface NumberLevel {
  readonly before: string;
  readonly shape: NumberShape;
  readonly after: string;
  readonly start: number;
}

/** Values by their place, each kept once. */
function createRegister<T>() {
  const places = new Map<string, number>();
  const all: T[] = [];
  return {
    all: all as readonly T[],
    place(value: T): number {
      const key = JSON.stringify(value);
      const known = places.get(key);
      if (known !== undefined) return known;
      places.set(key, all.length);
      all.push(value);
      return all.length - 1;
    },
  };
}

/** As many levels as a mark of a numbering may name (`^1` to `^9`). */
const SHAPE_LEVELS = 9;

/** A numbering as it is used: its levels, and how far each has counted. */
interface Counting {
  readonly levels: Map<number, NumberLevel>;
  counts: number[];
}

const sameLook = (one: NumberLevel | undefined, { before, shape, after }: Omit<NumberLevel, 'start'>): boolean =>
  one?.before === before && one.shape.kind === shape.kind && one.after === after;

export function createShapes() {
  const letters = createRegister<Letters>();
  const looks = createRegister<ParagraphLook>();
  const bullets = createRegister<string>();
  // The first is that of the outline.
  const numberings: Counting[] = [{ levels: new Map(), counts: [] }];

  /**
   * A list of its own: the function gives its items what stands before them, so that the program counts them itself. Where a mark is
   * not the one that would follow, a numbering that begins there goes on.
   */
  function beginList(): (item: Pick<ListItem, 'level' | 'marker'>) => NonNullable<ParagraphLook['head']> {
    let open: { readonly id: number; readonly counting: Counting } | null = null;
    const begin = (levels: ReadonlyMap<number, NumberLevel>): NonNullable<typeof open> => {
      const counting: Counting = { levels: new Map(levels), counts: [] };
      numberings.push(counting);
      checkLists(numberings.length - 1);
      return { id: numberings.length, counting };
    };
    return ({ level: given, marker }) => {
      const level = Math.min(SHAPE_LEVELS - 1, Math.max(0, given));
      const mark = numberMark(marker);
      if (mark === null) return { type: 'BULLET', id: bullets.place(marker === '' ? '•' : marker) + 1, level };
      const { before, shape, number, after } = mark;
      open ??= begin(new Map());
      const known = open.counting.levels.get(level);
      const count = open.counting.counts[level] ?? 0;
      const next = count === 0 ? (known?.start ?? number) : count + 1;
      if ((known !== undefined && !sameLook(known, mark)) || next !== number) {
        open = begin(open.counting.levels);
        open.counting.levels.set(level, { before, shape, after, start: number });
        // A level that was passed over has counted as its first.
      } else if (known === undefined)
        open.counting.levels.set(level, { before, shape, after, start: count === 0 ? number : 1 });
      const { counting, id } = open;
      for (let above = 0; above < level; above++) counting.counts[above] ??= counting.levels.get(above)?.start ?? 1;
      counting.counts = [...counting.counts.slice(0, level), number];
      return { type: 'NUMBER', id, level };
    };
  }
  return {
    letters: letters.all,
    looks: looks.all,
    bullets: bullets.all,
    numberings: numberings as readonly Counting[],
    letter: letters.place,
    look: looks.place,
    beginList,
  };
}
export type Shapes = ReturnType<typeof createShapes>;
