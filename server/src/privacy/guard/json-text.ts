// JSON as one text: names and values in their order, each between two marks, so that a value is looked at with all that
// stands around it, in one pass, and still belongs to its field.

/** Marks that recognisers read as white space, and that join no numbers. */
const [BEGINS, ENDS] = ['\v', '\f'];
const BETWEEN = /\v([^\v\f]*)\f/g;
/** Shorter numbers are no personal values by themselves. */
const LEAST_NUMBER = 6;

type Fields = Readonly<Record<string, unknown>>;

interface Flat {
  /** All of it. */
  text: string;
  /** How many names and values stand between marks. */
  count: number;
}

const isMarked = (value: unknown): value is string | number =>
  typeof value === 'string' || (typeof value === 'number' && String(value).length >= LEAST_NUMBER);

function write(value: unknown, flat: Flat): void {
  if (isMarked(value)) {
    flat.text += `${BEGINS}${value}${ENDS}`;
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
  if (isMarked(value)) {
    const text = next();
    return text === String(value) ? value : text;
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
