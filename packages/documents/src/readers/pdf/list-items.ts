import { markerOf } from '../../text/korean-headings.ts';
import type { TextEntry } from './content.ts';
import { type Placed, isText } from './flow.ts';
import { letteredItems } from './lettered.ts';
import { itemMark } from './paragraphs.ts';
import { append } from '../../package/append.ts';

/** True when all of it is, and not some words alone. */
const isBold = ({ spans }: TextEntry) => spans.every(({ bold, text }) => bold === true || text.trim() === '');

/** Letters of items are no larger than those of the text by more. */
const MAX_ITEM_SIZE_RATIO = 1.08;

/** Items that follow each other under one kind of mark are a list and no headings, unless they stand out. */
function listItemsOf(flow: readonly Placed[], bodyOf: (one: Placed) => number): Set<Placed> {
  const found = new Set<Placed>();
  const styleOf = (one: Placed | undefined): string | null => {
    if (!isText(one)) return null;
    const { text, bold, size } = one.entry;
    const marker = markerOf(text);
    if ((bold && isBold(one.entry)) || size > MAX_ITEM_SIZE_RATIO * bodyOf(one) || marker?.always === true) return null;
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

/** Items of lists within lists, with nothing else between them, are no headings from this many on. */
const MIN_NESTED_ITEMS = 6;
/** Numbers that count on line by line from this many on are those of a list, however large their letters. */
const MIN_COUNTED_ITEMS = 3;

/** Marked lines one right after the other, in the letters of the text: headings would have text of their own between them. Options of a question are another matter. */
function nestedItemsOf(flow: readonly Placed[], bodyOf: (one: Placed) => number): readonly Placed[] {
  const found: Placed[] = [];
  let run: Placed[] = [];
  const close = () => {
    if (run.length >= MIN_NESTED_ITEMS) append(found, run);
    run = [];
  };
  for (const one of flow) {
    const { text, bold, size } = isText(one) ? one.entry : { text: '', bold: false, size: 0 };
    const marker = markerOf(text);
    const isItem =
      marker !== null &&
      !marker.always &&
      marker.style !== 'circled' &&
      !bold &&
      size <= MAX_ITEM_SIZE_RATIO * bodyOf(one);
    if (!isItem) close();
    else run.push(one);
  }
  close();
  return found;
}

/** Numbered lines one right after the other, whose numbers count on from 1. */
function countedItemsOf(flow: readonly Placed[]): readonly Placed[] {
  const found: Placed[] = [];
  let run: Placed<TextEntry>[] = [];
  let next = 0;
  const close = () => {
    if (run.length >= MIN_COUNTED_ITEMS) append(found, run);
    run = [];
  };
  for (const one of flow) {
    const marker = isText(one) && !one.entry.banner && !isBold(one.entry) ? markerOf(one.entry.text) : null;
    if (!isText(one) || marker?.style !== 'number') {
      close();
      continue;
    }
    const number = Number.parseInt(marker.text, 10);
    const last = run.at(-1)?.entry;
    const goesOn = last !== undefined && number === next && Math.abs(last.size - one.entry.size) < 0.5;
    if (!goesOn) close();
    if (goesOn || number === 1) run.push(one);
    next = number + 1;
  }
  close();
  return found;
}

/** Items of lists, which head nothing; `bodyOf` is the size of the letters of the text around one. */
export const itemsOf = (flow: readonly Placed[], bodyOf: (one: Placed) => number): ReadonlySet<Placed> =>
  new Set([...listItemsOf(flow, bodyOf), ...nestedItemsOf(flow, bodyOf), ...countedItemsOf(flow)]);

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
