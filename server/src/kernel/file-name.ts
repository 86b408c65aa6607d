/** Maximum length of a file name in UTF-16 units. */
const MAX_LENGTH = 255;

/** Control characters, and those that change the text direction, with which `txt.exe` may be displayed as `exe.txt`. */
const INVISIBLE = /[\0-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g;
const SURROGATE_AT_END = /[\uD800-\uDBFF]$/;

/**
 * Normalises a file name to the form in which people read and type it. Composes the jamo of Korean names, which macOS decomposes.
 * Shortens a long name before its suffix. Empty where nothing is left.
 */
export function plainFileName(input: string): string {
  const name = input.toWellFormed().normalize('NFC').replaceAll(INVISIBLE, '').trim();
  if (name.length <= MAX_LENGTH) return name;
  const suffix = /\.[^.\s]{1,16}$/.exec(name)?.[0] ?? '';
  return name.slice(0, MAX_LENGTH - suffix.length).replace(SURROGATE_AT_END, '') + suffix;
}
