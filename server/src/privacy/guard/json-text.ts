// JSON as one text: names and values in their order, each between two marks, so that a value is looked at with all that
// stands around it, in one pass, and still belongs to its field.

/** Marks that recognisers read as white space, and that join no numbers. */
const [BEGINS, ENDS] = ['\v', '\f'];
const BETWEEN = /\v([^\v\f]*)\f/g;
/** Shorter numbers are no personal values by themselves. */
const MIN_NUMBER = 6;

type Fields = Readonly<Record<string, unknown>>;

/** A number as it is written, which JSON.stringify writes again. */
interface RawNumber {
  readonly rawJSON: string;
}

// The library of the compiler does not know them yet. Source: ECMAScript proposal "JSON.parse source text access".
const { isRawJSON, rawJSON } = JSON as unknown as {
  isRawJSON(value: unknown): value is RawNumber;
  rawJSON(text: string): RawNumber;
};
const parse = JSON.parse as (
  text: string,
  revive: (name: string, value: unknown, context: { readonly source?: string }) => unknown,
) => unknown;

/** Digits that numbers of the language hold for sure. Source: IEEE 754, binary64. */
const SURE_DIGITS = 15;

/** A JSON text as a value. Longer numbers than the language holds stay as they are written. Throws SyntaxError. */
export function parseJson(text: string): unknown {
  if (!/[\d.]{16}/.test(text)) return JSON.parse(text);
  return parse(text, (_, value, { source = '' }) =>
    typeof value === 'number' && String(value) !== source && source.replaceAll(/\D/g, '').length > SURE_DIGITS
      ? rawJSON(source)
      : value,
  );
}

/** A number of a JSON value as it is written; null for anything else. */
export const numberText = (value: unknown): string | null =>
  typeof value === 'number' ? String(value) : isRawJSON(value) ? value.rawJSON : null;

/** Whether the text of a number is long enough to be looked at. */
export const isLong = (number: string): boolean => number.length >= MIN_NUMBER;

interface Flat {
  /** All of it. */
  text: string;
  /** How many names and values stand between marks. */
  count: number;
}

/** The text of what stands between marks; null for other values. */
function markedText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  const number = numberText(value);
  return number !== null && isLong(number) ? number : null;
}

function write(value: unknown, flat: Flat): void {
  const own = markedText(value);
  if (own !== null) {
    flat.text += `${BEGINS}${own}${ENDS}`;
    flat.count++;
  } else if (Array.isArray(value)) {
    for (const one of value as readonly unknown[]) {
      write(one, flat);
      flat.text += ', ';
    }
    flat.text += '\n';
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, one] of Object.entries(value)) {
      flat.text += `${BEGINS}${name}${ENDS}:`;
      flat.count++;
      write(one, flat);
      flat.text += ', ';
    }
    flat.text += '\n';
  } else flat.text += String(value);
}

/** The value again, with the texts that `next` gives in the place of its own, in the same order. */
function read(value: unknown, next: () => string): unknown {
  const own = markedText(value);
  if (own !== null) {
    const text = next();
    return text === own ? value : text;
  }
  if (Array.isArray(value)) return value.map((one: unknown) => read(one, next));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value as Fields).map(([name, one]) => [next() || name, read(one, next)]));
}

/**
 * A JSON value whose names, strings and long numbers `mask` has looked through as one text; null where what it gave does not
 * fit the value, as it holds the marks itself or something was found across two fields. A number that changed is a text.
 */
export async function maskAsText(
  value: unknown,
  mask: (text: string) => Promise<string>,
): Promise<{ readonly value: unknown } | null> {
  const flat: Flat = { text: '', count: 0 };
  write(value, flat);
  const fits = (text: string) =>
    (text.match(BETWEEN)?.length ?? 0) === flat.count && text.split(BEGINS).length === flat.count + 1;
  if (!fits(flat.text)) return null;
  const masked = await mask(flat.text);
  if (masked === flat.text) return { value };
  if (!fits(masked)) return null;
  const texts = masked.matchAll(BETWEEN);
  return { value: read(value, () => texts.next().value?.[1] ?? '') };
}
