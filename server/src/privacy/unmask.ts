import { reversibles, UNFINISHED } from './placeholder.ts';

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

/** Replaces tokens and encrypted values by their values. */
export function unmaskText(text: string, values: ValueLookup): Unmasked {
  let restored = 0;
  const unmasked = text.replace(reversibles(), (placeholder, ...found) => {
    const { type, sealed } = found.at(-1) as { readonly type: string; readonly sealed?: string };
    const value = sealed === undefined ? values.ofToken(placeholder) : values.ofSealed(type, sealed);
    if (value !== null) restored++;
    return value ?? placeholder;
  });
  return { text: unmasked, restored };
}

/** The tokens of a text, with brackets. */
export const tokensIn = (text: string): string[] =>
  Array.from(text.matchAll(reversibles()))
    .filter(({ groups }) => groups?.['sealed'] === undefined)
    .map(([placeholder]) => placeholder);

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
