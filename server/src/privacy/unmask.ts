import { reversibles } from './placeholder.ts';
import { VALUES_A_TURN } from '../kernel/turns.ts';

/** Looks up the value of a token or an encrypted value; null where it is unknown, and then stays in the text. */
export interface ValueLookup {
  /** `token` with its brackets. */
  ofToken(token: string): string | null;
  ofSealed(type: string, sealed: string): string | null;
}

export interface Unmasked {
  readonly text: string;
  /** Number of tokens and encrypted values that were replaced by their values. */
  readonly restored: number;
}

/** Replaces tokens and encrypted values by their values; pauses between them, as each may have to be decrypted. */
export function* unmaskSteps(text: string, values: ValueLookup): Generator<null, Unmasked> {
  let out = '';
  let copiedTo = 0;
  let seen = 0;
  let restored = 0;
  for (const { 0: placeholder, index, groups } of text.matchAll(reversibles())) {
    const sealed = groups?.['sealed'];
    const value = sealed === undefined ? values.ofToken(placeholder) : values.ofSealed(groups?.['type'] ?? '', sealed);
    if (value !== null) restored++;
    out += text.slice(copiedTo, index) + (value ?? placeholder);
    copiedTo = index + placeholder.length;
    if (++seen % VALUES_A_TURN === 0) yield null;
  }
  return { text: out + text.slice(copiedTo), restored };
}

/** The tokens of texts, with brackets, as they come. */
export function* tokensIn(texts: readonly string[]): Generator<string> {
  for (const text of texts)
    for (const { 0: placeholder, groups } of text.matchAll(reversibles()))
      if (groups?.['sealed'] === undefined) yield placeholder;
}
