import { reversibles, UNFINISHED } from './placeholder.ts';

/** What a token or an encrypted value stands for; null for what is not known, which stays as it is. */
export interface Values {
  /** `id` as it stands in the token. */
  ofToken(token: string): string | null;
  ofSealed(type: string, sealed: string): string | null;
}

export interface Unmasked {
  readonly text: string;
  /** Tokens and encrypted values that were turned back. */
  readonly restored: number;
}

/** Turns tokens and encrypted values back. */
export function unmaskText(text: string, values: Values): Unmasked {
  let restored = 0;
  const plain = text.replace(reversibles(), (whole, ...found) => {
    const { type, sealed } = found.at(-1) as { readonly type: string; readonly sealed?: string };
    const value = sealed === undefined ? values.ofToken(whole) : values.ofSealed(type, sealed);
    if (value !== null) restored++;
    return value ?? whole;
  });
  return { text: plain, restored };
}

/** Tokens of a text, as they stand in it. */
export const tokensIn = (text: string): string[] =>
  Array.from(text.matchAll(reversibles()))
    .filter(({ groups }) => groups?.['sealed'] === undefined)
    .map(([whole]) => whole);

/** Longest end of a text that is held back: an encrypted value of a long one. */
const MAX_HELD_LENGTH = 65_536;

/** Turns tokens of a text back that comes in pieces. Never gives half a token: what may become one waits. */
export interface StreamUnmasker {
  /** What can be shown now. */
  push(piece: string): string;
  /** What was held back. */
  end(): string;
}

export function createStreamUnmasker(values: Values): StreamUnmasker {
  let held = '';
  return {
    push(piece) {
      const text = held + piece;
      const open = text.lastIndexOf('[');
      const waits = open >= 0 && text.length - open < MAX_HELD_LENGTH && UNFINISHED.test(text.slice(open));
      held = waits ? text.slice(open) : '';
      return unmaskText(waits ? text.slice(0, open) : text, values).text;
    },
    end() {
      const last = unmaskText(held, values).text;
      held = '';
      return last;
    },
  };
}
