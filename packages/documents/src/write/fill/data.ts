import { writableText } from '../xml.ts';

/** Values for the fields of a template. */
export type FillData = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is FillData =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What data is read by, with what was asked for in vain. */
export interface Lookup {
  /** The value at a path such as `applicant.name`; undefined where there is none. */
  value(path: string, note?: boolean): unknown;
  /** The same data with one name standing for an item of its list. */
  within(name: string, item: unknown): Lookup;
}

/** `missing` takes the paths that the data does not have, `used` the names at the top that it was asked for. */
export function createLookup(data: FillData, missing: Set<string>, used: Set<string>): Lookup {
  return {
    value(path, note = true) {
      let value: unknown = data;
      const [top = ''] = path.split('.');
      used.add(top);
      for (const name of path.split('.'))
        value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
      if (value === undefined && note) missing.add(path);
      return value;
    },
    within: (name, item) => createLookup({ ...data, [name]: item }, missing, used),
  };
}

/** A value as it stands in a document, without what XML can't hold; lists have a line for each item. */
export function shownValue(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(shownValue).join('\n');
  return writableText(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Whether a box is ticked: by a value that is true, or by one that is (or holds) the option. */
export function isTicked(value: unknown, option: string | null): boolean {
  if (option !== null)
    return Array.isArray(value) ? value.map(shownValue).includes(option) : shownValue(value) === option;
  if (typeof value === 'string') return !/^(?:|0|false|no|n|아니요|아니오)$/i.test(value.trim());
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}
