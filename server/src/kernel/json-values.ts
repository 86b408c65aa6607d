import { invalidRequest } from './errors.ts';
import { QUOTE, skipString } from './json-scan.ts';

/**
 * Names and values that a JSON body may hold: so many are parsed, checked and refused within a tenth of a second, in whatever form they
 * come. Counted are opening brackets, colons and commas. An agent's chat of 2,000 messages with 300 kB of tools has 50,000.
 */
export const MAX_JSON_VALUES = 100_000;

const COMMA = 0x2c;
const COLON = 0x3a;
const [OPEN_OBJECT, CLOSE_OBJECT] = [0x7b, 0x7d];
/** Tells `{` from `[`, and `}` from `]`. */
const OBJECT_BIT = 0x20;

/**
 * Whether JSON text holds more values, or is nested deeper, than it may. For text that was not parsed yet: stops at the bound, and takes
 * no notice of what is no JSON.
 */
export function exceedsJsonBounds(text: string, maxValues = MAX_JSON_VALUES, maxLevels = Infinity): boolean {
  let values = 0;
  let level = 0;
  for (let at = 0; at < text.length;) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      at = skipString(text, at);
      continue;
    }
    at++;
    if (unit === COMMA || unit === COLON) values++;
    else if ((unit | OBJECT_BIT) === OPEN_OBJECT) {
      values++;
      if (++level > maxLevels) return true;
    } else if ((unit | OBJECT_BIT) === CLOSE_OBJECT) level--;
    if (values > maxValues) return true;
  }
  return false;
}

/** What callers are told of a body that holds more. */
export const TOO_MANY_VALUES = `The body holds more than ${MAX_JSON_VALUES} values`;

/** Whether a body holds more values than it may; a short one has no room for them. */
export const holdsTooManyValues = (body: string, maxValues = MAX_JSON_VALUES): boolean =>
  body.length > maxValues && exceedsJsonBounds(body, maxValues);

/**
 * Refuses a body of too many values before it is parsed. `maxValues` is the bound of a form of its own, such as one of long lists of
 * numbers, which are checked quickly. Throws StudioError `invalid_request`.
 */
export function checkJsonValues(body: string, maxValues = MAX_JSON_VALUES): void {
  if (holdsTooManyValues(body, maxValues))
    throw invalidRequest(
      maxValues === MAX_JSON_VALUES ? TOO_MANY_VALUES : `The body holds more than ${maxValues} values`,
    );
}
