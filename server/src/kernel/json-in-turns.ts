import { setImmediate as nextTurn } from 'node:timers/promises';

/** Values that are written in one turn: a few milliseconds. */
const VALUES_A_TURN = 20_000;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** How many values there are in a value of JSON, of a list of numbers its length; counted until there are enough for a turn. */
function count(value: unknown): number {
  if (!isObject(value)) return 1;
  if (Array.isArray(value) && !isObject(value[0])) return value.length;
  let sum = 1;
  for (const item of Object.values(value)) {
    sum += count(item);
    if (sum >= VALUES_A_TURN) break;
  }
  return sum;
}

/** Items of a list, with commas between: as many at once as one turn writes. */
function* itemPieces(list: readonly unknown[]): Generator<string> {
  let from = 0;
  let counted = 0;
  for (let at = 0; at < list.length; at++) {
    counted += count(list[at]);
    if (counted < VALUES_A_TURN && at < list.length - 1) continue;
    if (from > 0) yield ',';
    if (at === from) yield* pieces(list[at]);
    else yield JSON.stringify(list.slice(from, at + 1)).slice(1, -1);
    from = at + 1;
    counted = 0;
  }
}

/** The JSON of a value in pieces that one turn writes each, but for single texts. */
function* pieces(value: unknown): Generator<string> {
  if (count(value) < VALUES_A_TURN || 'toJSON' in (value as object)) {
    // In a list, what has no JSON is null.
    yield JSON.stringify(value ?? null);
  } else if (Array.isArray(value)) {
    yield '[';
    yield* itemPieces(value);
    yield ']';
  } else {
    let before = '{';
    for (const [key, item] of Object.entries(value as object)) {
      if (item === undefined) continue;
      yield `${before}${JSON.stringify(key)}:`;
      yield* pieces(item);
      before = ',';
    }
    yield '}';
  }
}

/** What `JSON.stringify` makes of a value that was read or made as JSON. Large ones are written in turns, and other requests run in between. */
export async function jsonInTurns(value: object): Promise<string> {
  let text = '';
  for (const piece of pieces(value)) {
    text += piece;
    // Commas and keys take no time.
    if (piece.length > VALUES_A_TURN) await nextTurn();
  }
  return text;
}
