// JSON of strangers: nested no deeper than what works with it later can bear, and read as far as it goes where it was cut.

const MAX_DEPTH = 200;
/** Parts of one value. References to itself, as YAML knows them, make it endless. */
const MAX_PARTS = 2_000_000;

/** Whether a value is nested no deeper, and is no larger, than what works with it can bear. */
export function isShallow(value: unknown): boolean {
  let level: unknown[] = [value];
  let parts = 0;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return false;
    const next: unknown[] = [];
    for (const one of level)
      if (typeof one === 'object' && one !== null)
        for (const part of Object.values(one)) {
          if (++parts > MAX_PARTS) return false;
          next.push(part);
        }
    level = next;
  }
  return true;
}

/** The value of JSON text; undefined where it is none, or nested too deeply. */
export function readJson(text: string): unknown {
  try {
    const value = JSON.parse(text) as unknown;
    return isShallow(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** What is known at the end of the text. */
interface End {
  /** Brackets that are open. */
  readonly open: readonly string[];
  /** After the last whole value, or the last bracket that was opened. */
  readonly whole: number;
  /** Within a text that is a value: where it may be ended. */
  readonly inText: number | null;
}

const ESCAPE = 2;
const UNICODE_ESCAPE = 6;

/** Where a text that begins before `at` ends: its last sign, or null with the place before an escape that was cut. */
function endOfText(text: string, at: number): { readonly quote: number } | { readonly cut: number } {
  let i = at;
  while (i < text.length) {
    if (text[i] === '"') return { quote: i };
    const length = text[i] !== '\\' ? 1 : text[i + 1] === 'u' ? UNICODE_ESCAPE : ESCAPE;
    if (i + length > text.length) return { cut: i };
    i += length;
  }
  return { cut: text.length };
}

function scan(text: string): End {
  const open: string[] = [];
  let whole = 0;
  let nameNext = false;
  for (let i = 0; i < text.length; i++) {
    const sign = text[i];
    if (sign === '"') {
      const end = endOfText(text, i + 1);
      if ('cut' in end) return { open, whole, inText: nameNext ? null : end.cut };
      i = end.quote;
      nameNext = false;
    } else if (sign === '{' || sign === '[') {
      open.push(sign);
      nameNext = sign === '{';
      whole = i + 1;
    } else if (sign === '}' || sign === ']') {
      open.pop();
      nameNext = false;
      whole = i + 1;
    } else if (sign === ',') {
      nameNext = open.at(-1) === '{';
      whole = i;
    }
  }
  return { open, whole, inText: null };
}

/** The value of JSON text of which the end is missing, as far as it goes; undefined where nothing can be read. */
export function readTruncatedJson(text: string): unknown {
  const { open, whole, inText } = scan(text);
  const closing = open
    .map((bracket) => (bracket === '{' ? '}' : ']'))
    .toReversed()
    .join('');
  const tried = inText === null ? [] : [`${text.slice(0, inText)}"${closing}`];
  for (const closed of [...tried, text.slice(0, whole) + closing]) {
    const value = readJson(closed);
    if (value !== undefined) return value;
  }
  return undefined;
}
