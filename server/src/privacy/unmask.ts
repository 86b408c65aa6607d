import { reversibles, UNFINISHED } from './placeholder.ts';
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

/** Does all of unmaskSteps at once: for short texts. */
export function unmaskText(text: string, values: ValueLookup): Unmasked {
  const steps = unmaskSteps(text, values);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** The tokens of texts, with brackets, as they come. */
export function* tokensIn(texts: readonly string[]): Generator<string> {
  for (const text of texts)
    for (const { 0: placeholder, groups } of text.matchAll(reversibles()))
      if (groups?.['sealed'] === undefined) yield placeholder;
}

/** Longest unfinished end of a text that is buffered: the encrypted form of a long value. */
const MAX_HELD_LENGTH = 65_536;

/** Unmasks a streamed text. Buffers what may become a token, and never emits half of one. */
export interface StreamUnmasker {
  /** Returns what can be emitted now. */
  push(piece: string): string;
  /** Returns what was buffered. */
  end(): string;
}

export function createStreamUnmasker(values: ValueLookup): StreamUnmasker {
  let buffered = '';
  return {
    push(piece) {
      const text = buffered + piece;
      const tokenStart = text.lastIndexOf('[');
      const isUnfinished =
        tokenStart >= 0 && text.length - tokenStart < MAX_HELD_LENGTH && UNFINISHED.test(text.slice(tokenStart));
      buffered = isUnfinished ? text.slice(tokenStart) : '';
      return unmaskText(isUnfinished ? text.slice(0, tokenStart) : text, values).text;
    },
    end() {
      const last = unmaskText(buffered, values).text;
      buffered = '';
      return last;
    },
  };
}
