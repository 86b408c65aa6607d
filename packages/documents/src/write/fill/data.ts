import { ParseError } from '../../parse-error.ts';
import { writableText } from '../xml.ts';
import { answerOf } from './ticks.ts';

/** Values for the fields of a template. */
export type FillData = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is FillData =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What data is read by, with what was asked for in vain. */
export interface Lookup {
  /** The value at a path such as `applicant.name`; undefined where there is none. */
  value(path: string, note?: boolean): unknown;
  /** Whether the value at a path ticks a box. One that says neither yes nor no does not, and its place counts as one without a value. */
  ticks(path: string, value: unknown): boolean;
  /** Keeps the name of a place that nothing was put in. */
  unfilled(path: string): void;
  /** A value as it stands in a document. Throws ParseError `TOO_LARGE` once all that was filled in is more than a document may hold. */
  shown(value: unknown): string;
  /** The same for elements that were made. */
  made(elements: number): void;
  /** The same data with one name standing for an item of its list. */
  within(name: string, item: unknown): Lookup;
}

/** What was asked for, by all that read the same data. */
export interface Asked {
  /** Places that the data has no value for, or none that can stand there. */
  readonly missing: Set<string>;
  /** Names at the top that it was asked for. */
  readonly used: Set<string>;
  /** Letters that were filled in. */
  letters: number;
}

/** A large value may be asked for again and again: letters of all together, and how many an element is worth. */
const MAX_LETTERS = 50_000_000;
const ELEMENT_LETTERS = 100;

function count(asked: Asked, letters: number): void {
  asked.letters += letters;
  if (asked.letters > MAX_LETTERS)
    throw new ParseError('TOO_LARGE', 'The filled template would be too large. Fill it with less.');
}

export function createLookup(data: FillData, asked: Asked): Lookup {
  const { missing, used } = asked;
  return {
    shown(value) {
      const text = shownValue(value);
      count(asked, text.length);
      return text;
    },
    ticks(path, value) {
      const answer = answerOf(value);
      if (answer === null) missing.add(path);
      return answer === true;
    },
    unfilled: (path) => void missing.add(path),
    made: (elements) => count(asked, elements * ELEMENT_LETTERS),
    value(path, note = true) {
      let value: unknown = data;
      const [top = ''] = path.split('.');
      used.add(top);
      for (const name of path.split('.'))
        value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
      if (value === undefined && note) missing.add(path);
      return value;
    },
    within: (name, item) => createLookup({ ...data, [name]: item }, asked),
  };
}

/** A value as it stands in a document, without what XML can't hold; lists have a line for each item. */
function shownValue(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(shownValue).join('\n');
  return writableText(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Whether a box for one of several is ticked: by a value that is, or holds, the option. */
export const isChosen = (value: unknown, option: string): boolean =>
  Array.isArray(value) ? value.map(shownValue).includes(option) : shownValue(value) === option;
