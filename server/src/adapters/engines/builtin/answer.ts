/** An answer in words. */
export interface Answer {
  readonly text: string;
  /** How the engine came to it, line by line: shown when it is to think. */
  readonly trace: readonly string[];
  /** Whether it really answers; false where the engine says that it can't. */
  readonly found: boolean;
}

/** Shortens a text for a trace or a quotation. */
export function shorten(text: string, most: number): string {
  const line = text
    .slice(0, most * 4)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > most ? `${line.slice(0, most).trimEnd()}…` : line;
}
