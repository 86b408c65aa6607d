/** Longest name of a file, in UTF-16 units. */
const MAX_LENGTH = 255;

/** Control signs, and those that turn the direction of what follows: with them `exe.txt` may be shown where `txt.exe` stands. */
const HIDDEN = /[\0-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g;
const HALF_AT_END = /[\uD800-\uDBFF]$/;

/**
 * A name of a file as people read and type it. Systems that take letters apart (macOS does) send Korean names as single jamo: they
 * are put together again. One that is too long loses its middle, so that its suffix stays. Empty where nothing is left.
 */
export function plainFileName(given: string): string {
  const name = given.toWellFormed().normalize('NFC').replaceAll(HIDDEN, '').trim();
  if (name.length <= MAX_LENGTH) return name;
  const suffix = /\.[^.\s]{1,16}$/.exec(name)?.[0] ?? '';
  return name.slice(0, MAX_LENGTH - suffix.length).replace(HALF_AT_END, '') + suffix;
}
