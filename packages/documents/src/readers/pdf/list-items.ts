import { markerOf } from '../../text/korean-headings.ts';
import type { TextEntry } from './content.ts';
import { type Placed, isText } from './flow.ts';
import { letteredItems } from './lettered.ts';
import { itemMark } from './paragraphs.ts';

/** True when all of it is, and not some words alone. */
const isBold = ({ spans }: TextEntry) => spans.every(({ bold, text }) => bold === true || text.trim() === '');

/** Items that follow each other under one kind of mark are a list and no headings, unless they stand out. */
export function listItemsOf(flow: readonly Placed[], body: number): Set<Placed> {
  const found = new Set<Placed>();
  const styleOf = (one: Placed | undefined): string | null => {
    if (!isText(one)) return null;
    const { text, bold, size } = one.entry;
    const marker = markerOf(text);
    if ((bold && isBold(one.entry)) || size > 1.08 * body || marker?.always === true) return null;
    return marker?.style ?? (itemMark(text) === null ? null : 'item');
  };
  for (let at = 0; at < flow.length; at++) {
    const style = styleOf(flow[at]);
    if (style === null) continue;
    // Items of inner lists may stand between.
    if ([flow[at - 1], flow[at + 1], flow[at + 2]].some((other) => styleOf(other) === style)) found.add(flow[at]!);
  }
  return found;
}

/** Items that begin with a letter and a point, on whatever page they stand. */
export function letteredOf(flow: readonly Placed[]): ReadonlySet<Placed> {
  const texts = flow.flatMap((one) => (isText(one) && !one.entry.hidden ? [{ one, ...one.entry }] : []));
  return new Set([...letteredItems(texts)].map(({ one }) => one));
}

/** So many items before a number make it one of their list. */
const MIN_LIST_ITEMS = 3;
/** Left edges of numbers of one list are no further apart: numbers of two digits begin further left. */
const MAX_NUMBER_INDENT_EM = 1.2;

/** Headings whose number goes on with those of the items of a list, at their place, and not with the number of a heading. */
export function lateItems(
  flow: readonly Placed[],
  levels: ReadonlyMap<Placed, number>,
  given: ReadonlySet<Placed>,
): readonly Placed[] {
  const found: Placed[] = [];
  let list = { last: 0, x0: 0 };
  let headed = 0;
  for (const one of flow) {
    if (!isText(one)) continue;
    const { entry } = one;
    const marker = markerOf(entry.text);
    if (marker?.style !== 'number') continue;
    const number = Number.parseInt(marker.text, 10);
    const goesOn = number === list.last + 1 && Math.abs(entry.x0 - list.x0) < MAX_NUMBER_INDENT_EM * entry.size;
    const isHeading = levels.has(one);
    const isLate = isHeading && goesOn && list.last >= MIN_LIST_ITEMS && headed !== number - 1 && !given.has(one);
    if (isLate) found.push(one);
    if (isHeading && !isLate) headed = number;
    else if (goesOn || number === 1) list = { last: number, x0: entry.x0 };
  }
  return found;
}
