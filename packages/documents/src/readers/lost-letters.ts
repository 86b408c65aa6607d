import type { Warning } from '../document.ts';

/** Fewer letters, or a smaller share of them, are left out on purpose somewhere. */
const MIN_LOST_LETTERS = 20;
const MIN_LOST_SHARE = 0.02;

const countLetters = (text: string): number => text.replaceAll(/\s+/gu, '').length;

/** Compares the letters that a file holds with those that its reader came to. */
export class LetterCount {
  #held = 0;
  #seen = 0;

  /** Text that the file holds. */
  held(text: string): void {
    this.#held += countLetters(text);
  }

  /** Text that was read, also where it is left out for a reason, such as deleted words. */
  seen(text: string): void {
    this.#seen += countLetters(text);
  }

  /** What is to be said where a part of the text was not read. */
  warnings(): readonly Warning[] {
    const lost = this.#held - this.#seen;
    if (this.#held === 0 || lost <= 0) return [];
    const share = lost / this.#held;
    if (this.#seen > 0 && (lost < MIN_LOST_LETTERS || share < MIN_LOST_SHARE)) return [];
    const percent = Math.max(1, Math.round(share * 100));
    return [
      {
        code: 'text_not_read',
        message: `About ${percent} % of the letters that the file holds stand where they are not read; text is missing.`,
      },
    ];
  }
}

/** A run of text in an XML part, whatever its namespace. */
const textRun = /<(?:[\w.-]+:)?t(?:\s[^>]*)?(?<!\/)>([\s\S]*?)<\/(?:[\w.-]+:)?t\s*>/gu;

/** Counts the letters in the runs of text of an XML part. */
export function countRuns(count: LetterCount, part: Uint8Array): void {
  const xml = Buffer.from(part.buffer, part.byteOffset, part.byteLength).toString('utf8');
  for (const [, run = ''] of xml.matchAll(textRun))
    count.held(run.replaceAll(/<[^>]*>/gu, '').replaceAll(/&[^;\s]{1,8};/gu, '&'));
}
