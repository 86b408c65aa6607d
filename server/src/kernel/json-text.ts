declare const jsonTextBrand: unique symbol;
/**
 * Text as the body of a JSON string literal without its quotes; its UTF-8 bytes are held as latin1 characters. It passes from an
 * engine to a client without being decoded: concatenated and written with the encoding `latin1`, it yields the original bytes.
 */
export type JsonText = string & { readonly [jsonTextBrand]: true };

export const EMPTY_JSON_TEXT = '' as JsonText;

/** Escapes text for a JSON string literal. Lone surrogates stay as \uXXXX escapes, so that a pair cut in two joins again. */
export function toJsonText(text: string): JsonText {
  const escaped = JSON.stringify(text).slice(1, -1);
  return Buffer.from(escaped, 'utf8').toString('latin1') as JsonText;
}

/** Decodes the text. Throws SyntaxError when `json` is not the body of a string literal. */
export function fromJsonText(json: JsonText): string {
  return JSON.parse(`"${Buffer.from(json, 'latin1').toString('utf8')}"`) as string;
}
