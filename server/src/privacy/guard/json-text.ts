import { inTurns } from '../../kernel/turns.ts';

// JSON as one flat text: keys and values in their order, each between two marks. So one pass sees a value with its surroundings,
// and the value can still be put back into its field.

/** Keys and values that are read, counted or put back in one turn: a few milliseconds. */
const FIELDS_A_TURN = 10_000;

/** Marks that recognisers read as white space, and that join no numbers. */
const [OPEN, CLOSE] = ['\v', '\f'];
const MARKED = /\v([^\v\f]*)\f/g;
/** Shorter numbers are never personal values. */
const MIN_NUMBER_LENGTH = 6;

type Fields = Readonly<Record<string, unknown>>;

/** A number with its source text, which JSON.stringify writes unchanged. */
interface RawNumber {
  readonly rawJSON: string;
}

// Missing in the compiler's library. Source: ECMAScript proposal "JSON.parse source text access".
const { isRawJSON, rawJSON } = JSON as unknown as {
  isRawJSON(value: unknown): value is RawNumber;
  rawJSON(text: string): RawNumber;
};
const parse = JSON.parse as (
  text: string,
  revive: (name: string, value: unknown, context: { readonly source?: string }) => unknown,
) => unknown;

/** Decimal digits that a JavaScript number always holds exactly. Source: IEEE 754, binary64. */
const EXACT_DIGITS = 15;

/** Parses JSON. Numbers with too many digits for JavaScript keep their source text. Throws SyntaxError. */
export function parseJson(text: string): unknown {
  if (!/[\d.]{16}/.test(text)) return JSON.parse(text);
  return parse(text, (_, value, { source = '' }) =>
    typeof value === 'number' && String(value) !== source && source.replaceAll(/\D/g, '').length > EXACT_DIGITS
      ? rawJSON(source)
      : value,
  );
}

/** The source text of a number of a JSON value; null for anything else. */
export const numberSource = (value: unknown): string | null =>
  typeof value === 'number' ? String(value) : isRawJSON(value) ? value.rawJSON : null;

/** Whether a number has enough digits to be a personal value. */
export const isLong = (number: string): boolean => number.length >= MIN_NUMBER_LENGTH;

interface FlatText {
  /** Keys and values, each between marks. */
  text: string;
  /** Number of keys and values between marks. */
  count: number;
  /** Values of all kinds that were written. */
  written: number;
}

/** The text of a string or a long number; null for other values, which get no marks. */
function flatValue(value: unknown): string | null {
  if (typeof value === 'string') return value;
  const number = numberSource(value);
  return number !== null && isLong(number) ? number : null;
}

function* writeFlat(value: unknown, flat: FlatText): Generator<null, void> {
  if (++flat.written % FIELDS_A_TURN === 0) yield null;
  const own = flatValue(value);
  if (own !== null) {
    flat.text += `${OPEN}${own}${CLOSE}`;
    flat.count++;
  } else if (Array.isArray(value)) {
    for (const item of value as readonly unknown[]) {
      yield* writeFlat(item, flat);
      flat.text += ', ';
    }
    flat.text += '\n';
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      flat.text += `${OPEN}${name}${CLOSE}:`;
      flat.count++;
      yield* writeFlat(item, flat);
      flat.text += ', ';
    }
    flat.text += '\n';
  } else flat.text += String(value);
}

/** How many keys and values stand between marks; null where a mark has no partner, as where a value holds one itself. */
function* countMarked(text: string): Generator<null, number | null> {
  const marks = new RegExp(`[${OPEN}${CLOSE}]`, 'g');
  let seen = 0;
  while (marks.test(text)) {
    if (text[marks.lastIndex - 1] !== (seen % 2 === 0 ? OPEN : CLOSE)) return null;
    if (++seen % (2 * FIELDS_A_TURN) === 0) yield null;
  }
  return seen % 2 === 0 ? seen / 2 : null;
}

/** Rebuilds the value; `next` returns its keys and texts in the same order. */
function* readFlat(value: unknown, next: () => string, read = { values: 0 }): Generator<null, unknown> {
  if (++read.values % FIELDS_A_TURN === 0) yield null;
  const own = flatValue(value);
  if (own !== null) {
    const text = next();
    return text === own ? value : text;
  }
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value as readonly unknown[]) items.push(yield* readFlat(item, next, read));
    return items;
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries: [string, unknown][] = [];
  for (const [name, item] of Object.entries(value as Fields))
    entries.push([next() || name, yield* readFlat(item, next, read)]);
  return Object.fromEntries(entries);
}

/**
 * Masks the keys, strings and long numbers of a JSON value as one text. Returns null where the result can't be put back: the value
 * holds the marks itself, or a finding crossed two fields. A number that changed becomes a string; a value in which nothing changed is
 * returned as it is. Other requests run in between.
 */
export async function maskAsText(
  value: unknown,
  mask: (text: string) => Promise<string>,
): Promise<{ readonly value: unknown } | null> {
  const flat: FlatText = { text: '', count: 0, written: 0 };
  await inTurns(writeFlat(value, flat));
  const isIntact = async (text: string) => (await inTurns(countMarked(text))) === flat.count;
  if (!(await isIntact(flat.text))) return null;
  const masked = await mask(flat.text);
  if (masked === flat.text) return { value };
  if (!(await isIntact(masked))) return null;
  const texts = masked.matchAll(MARKED);
  return { value: await inTurns(readFlat(value, () => texts.next().value?.[1] ?? '')) };
}
