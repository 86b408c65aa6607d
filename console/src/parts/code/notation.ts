// What programs that are shown have in common.

/** Name of the variable that holds the API key: no key ever stands in a program. */
export const KEY_VARIABLE = 'AI_STUDIO_KEY';

/** Further lines of the text begin with `by`. */
export const indented = (text: string, by: string) => text.replaceAll('\n', `\n${by}`);

/** Text within single quotes of a POSIX shell. */
export const shellQuoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** A value in the notation of Python. JSON's strings are Python's as well. */
export function pythonValue(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    return `[\n${value.map((item) => `    ${indented(pythonValue(item), '    ')},\n`).join('')}]`;
  }
  if (typeof value === 'object') {
    const entries = Object.entries(value);
    if (entries.length === 0) return '{}';
    return `{\n${entries.map(([key, item]) => `    ${JSON.stringify(key)}: ${indented(pythonValue(item), '    ')},\n`).join('')}}`;
  }
  return JSON.stringify(value);
}
