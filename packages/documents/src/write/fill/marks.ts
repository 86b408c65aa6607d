import { isChosen, type Lookup } from './data.ts';

/** `{{name}}` takes a value, `{{?name}}` a box that is ticked or not, `{{?name=option}}` one of several. */
const place =
  /\{\{\s{0,9}(?:(\?)\s{0,9})?([\p{L}\p{N}_][\p{L}\p{N}_ .-]{0,99}?)\s{0,9}(?:=\s{0,9}([^{}]{1,100}?)\s{0,9})?\}\}/gu;

/** A place of a text for a value. */
export interface Place {
  readonly from: number;
  readonly to: number;
  readonly tick: boolean;
  readonly path: string;
  readonly option: string | null;
}

export const placesOf = (text: string): readonly Place[] =>
  [...text.matchAll(place)].flatMap((found) => {
    const [whole, tick, path = '', option] = found;
    if (tick === undefined && option !== undefined) return [];
    return [
      { from: found.index, to: found.index + whole.length, tick: tick !== undefined, path, option: option ?? null },
    ];
  });

/** What stands at a place in the end. */
export function filled({ tick, path, option }: Place, lookup: Lookup): string {
  const value = lookup.value(path);
  if (!tick) return lookup.shown(value);
  return (option === null ? lookup.ticks(path, value) : isChosen(value, option)) ? '☑' : '☐';
}
