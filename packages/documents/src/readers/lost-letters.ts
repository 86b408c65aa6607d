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

/**
 * The runs of text of an XML part, whatever their namespace. A single expression for a whole run would look through the rest of the part
 * for each of those that nothing closes.
 */
function* runsOf(xml: string): Generator<string> {
  const opening = /<(?:[\w.-]+:)?t[\s>]/gu;
  const closing = /<\/(?:[\w.-]+:)?t\s*>/gu;
  for (let open = opening.exec(xml); open !== null; open = opening.exec(xml)) {
    const end = xml.indexOf('>', opening.lastIndex - 1);
    if (end === -1) return;
    opening.lastIndex = end + 1;
    if (xml[end - 1] === '/') continue;
    closing.lastIndex = end + 1;
    const close = closing.exec(xml);
    if (close === null) return;
    yield xml.slice(end + 1, close.index);
    opening.lastIndex = closing.lastIndex;
  }
}

/** Counts the letters in the runs of text of an XML part. */
export function countRuns(count: LetterCount, part: Uint8Array): void {
  const xml = Buffer.from(part.buffer, part.byteOffset, part.byteLength).toString('utf8');
  for (const run of runsOf(xml)) count.held(run.replaceAll(/<[^<>]*>/gu, '').replaceAll(/&[^;\s]{1,8};/gu, '&'));
}
