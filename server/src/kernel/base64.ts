// What base64 of files is looked at with. A search for a character that does not belong there takes no memory, whatever the length of the
// text. An expression that repeats a class of characters to the end may need a place on its stack for each of them once a process has compiled
// many expressions (V8 makes plainer code then), and fails with "Maximum call stack size exceeded" from six million on.

/** The alphabet of base64, and that of addresses beside it. Source: RFC 4648, sections 4 and 5. */
const alphabets = { plain: /[^A-Za-z0-9+/]/, both: /[^A-Za-z0-9+/_-]/ };
const spacedAlphabets = { plain: /[^A-Za-z0-9+/\s]/, both: /[^A-Za-z0-9+/_\s-]/ };

/** Padding at the end that base64 may have. */
const MAX_PADDING = 2;

export interface Base64Options {
  /** `both` takes the alphabet of addresses as well. */
  readonly alphabet: keyof typeof alphabets;
  /** Whether white space may stand within it and around its padding. */
  readonly spaced: boolean;
}

/** How many characters stand before the padding; null where the text is no base64. An empty text is. */
export function base64Length(text: string, { alphabet, spaced }: Base64Options): number | null {
  let end = text.length;
  for (let padding = 0; end > 0; end--) {
    const last = text.charAt(end - 1);
    if (last === '=' && ++padding > MAX_PADDING) return null;
    if (last !== '=' && !(spaced && /\s/.test(last))) break;
  }
  const foreign = (spaced ? spacedAlphabets : alphabets)[alphabet];
  return foreign.test(end === text.length ? text : text.slice(0, end)) ? null : end;
}

export const isBase64Text = (text: string, options: Base64Options): boolean => base64Length(text, options) !== null;
