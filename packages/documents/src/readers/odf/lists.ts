import type { Mark } from '../../package/flow-items.ts';
import type { ListLevel, Styles } from './styles.ts';

const hangulOrder = '가나다라마바사아자차카타파하';

function roman(value: number): string {
  const signs: readonly (readonly [number, string])[] = [
    [1000, 'm'],
    [900, 'cm'],
    [500, 'd'],
    [400, 'cd'],
    [100, 'c'],
    [90, 'xc'],
    [50, 'l'],
    [40, 'xl'],
    [10, 'x'],
    [9, 'ix'],
    [5, 'v'],
    [4, 'iv'],
    [1, 'i'],
  ];
  let left = Math.min(value, 3_999);
  let text = '';
  for (const [amount, sign] of signs) for (; left >= amount; left -= amount) text += sign;
  return text;
}

/** Letters of one mark; the program counts further than anybody reads. */
const MAX_LETTERS = 8;

const letter = (value: number): string =>
  String.fromCodePoint(0x61 + ((value - 1) % 26)).repeat(Math.min(MAX_LETTERS, 1 + Math.floor((value - 1) / 26)));

/** A number in the shape that a style gives: the first number in it. Source: OpenDocument 1.3, 19.502 (style:num-format). */
export function formatNumber(value: number, shape: string): string {
  if (value < 1) return String(value);
  const [first = ''] = shape;
  if (first === 'a') return letter(value);
  if (first === 'A') return letter(value).toUpperCase();
  if (first === 'i') return roman(value);
  if (first === 'I') return roman(value).toUpperCase();
  if (first === '가') return hangulOrder[(value - 1) % hangulOrder.length] ?? '';
  if (first === '①' && value <= 20) return String.fromCodePoint(0x2460 + value - 1);
  return shape === '' ? '' : String(value);
}

/** Counts the items of the lists of a document. */
export interface Lists {
  /** A list begins at this level: its items are counted anew, unless it goes on. */
  begin(style: string, level: number, goesOn: boolean): void;
  /** The mark of the next item; null for one without. */
  next(style: string, level: number): Mark | null;
}

export function createLists(styles: Styles): Lists {
  const counts = new Map<string, number[]>();
  return {
    begin: (style: string, level: number, goesOn: boolean): void => {
      if (!goesOn) counts.get(style)?.splice(level);
    },
    next: (style: string, level: number): Mark | null => {
      const own = styles.list(style, level);
      if (own === null) return { text: '•', ordered: false, level, list: style };
      if (!own.ordered) return { text: own.sign.trim() === '' ? '•' : own.sign, ordered: false, level, list: style };
      const known = counts.get(style) ?? [];
      counts.set(style, known);
      const at = (one: number): ListLevel | null => styles.list(style, one);
      for (let above = 0; above < level; above++) known[above] ??= at(above)?.start ?? 1;
      known[level] = known[level] === undefined ? own.start : known[level] + 1;
      known.length = level + 1;
      if (own.sign === '') return null;
      const shown = known.slice(Math.max(0, level + 1 - own.shown));
      const from = level + 1 - shown.length;
      const text = shown.map((value, index) => formatNumber(value, at(from + index)?.sign ?? '1')).join('.');
      return { text: `${own.prefix}${text}${own.suffix}`.trim(), ordered: true, level, list: style };
    },
  };
}
