declare const jsonTextBrand: unique symbol;
/**
 * Text as the body of a JSON string literal, without its quotes, its UTF-8 bytes held as latin1 characters.
 * Between an engine and a client it is moved without being decoded: concatenated and written with the
 * encoding `latin1`, it gives back the very bytes that came in.
 */
export type JsonText = string & { readonly [jsonTextBrand]: true };

export const EMPTY_JSON_TEXT = '' as JsonText;

/** Escapes text for a JSON string literal. Lone surrogates stay as \uXXXX escapes, so that a pair cut in two joins again. */
export function toJsonText(text: string): JsonText {
  const escaped = JSON.stringify(text).slice(1, -1);
  return Buffer.from(escaped, 'utf8').toString('latin1') as JsonText;
}

/** The text itself. Throws SyntaxError when `json` is not the body of a string literal. */
export function fromJsonText(json: JsonText): string {
  return JSON.parse(`"${Buffer.from(json, 'latin1').toString('utf8')}"`) as string;
}
