import { ParseError } from '../parse-error.ts';

// What is written is built in memory, beside the service: a thread that runs out of memory in the middle of a large text can take the process
// with it. So it is refused before.

/** Characters of XML of one document. */
const MAX_LENGTH = 100_000_000;
/** Lists with numbers or signs of their own, each of which programs are told of at some length. */
const MAX_LISTS = 10_000;

/** Counts what is written, and gives it back. Throws ParseError `TOO_LARGE`. */
export function createWrittenLength(): (xml: string) => string {
  let left = MAX_LENGTH;
  return (xml) => {
    left -= xml.length;
    if (left < 0) throw new ParseError('TOO_LARGE', 'The document would be too large. Split it and try again.');
    return xml;
  };
}

/** Throws ParseError `TOO_LARGE` for more lists than a document may have. */
export function checkLists(count: number): void {
  if (count > MAX_LISTS)
    throw new ParseError('TOO_LARGE', `A document may have ${MAX_LISTS} lists at most. Split it and try again.`);
}
