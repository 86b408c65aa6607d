/** Words of one search that count. */
const MAX_WORDS = 10;

/** The words of a search, the first ten of them. PostgreSQL takes no text with U+0000. */
export const searchWords = (text: string | undefined): string[] =>
  (text ?? '')
    .replaceAll('\0', '')
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS);

/** A word as a pattern of ILIKE that finds it anywhere, and nothing else. */
export const wordPattern = (word: string): string => `%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
