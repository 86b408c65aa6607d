import type { TextChange } from '../../kernel/json-splice.ts';
import { toJsonText } from '../../kernel/json-text.ts';
import { findWindows, mayGoOn } from '../windows.ts';
import { type Mask, type TextPlace, contextOf } from './chat-text.ts';
import { type PlacedChat, type TextRange, textAt } from './placed-texts.ts';

// Does what chat-text.ts does, to texts in the bytes of a request. Both look through the same texts, in the same order and with the same
// text before each, so that a value has the same token either way.

/** The texts of a request that are to stand in it instead of others. */
export interface MaskedInPlace {
  /** Ascending by their places. */
  readonly changes: readonly TextChange[];
  /** Whether all of them are texts of messages, which no rule compares with anything. */
  readonly onlyMessages: boolean;
}

const byPlace = (a: TextChange, b: TextChange) => a.start - b.start;

/** Bytes at the end of a text that hold what the next one is told of it: 40 characters of an escape each, and some more. */
const CONTEXT_BYTES = 300;

/** The end of a text, as context of the next one. */
function contextAt(bytes: Buffer, { start, end }: TextRange): string {
  let from = Math.max(start, end - CONTEXT_BYTES);
  // Not within a character, nor behind the backslash of an escape.
  while (from > start && ((bytes[from] ?? 0) & 0xc0) === 0x80) from--;
  while (from > start && bytes[from - 1] === BACKSLASH) from--;
  return contextOf(textAt(bytes, { start: from, end }));
}
const BACKSLASH = 0x5c;

/** Masks texts in the bytes of a request. */
class InPlace {
  readonly changes: TextChange[] = [];
  readonly #bytes: Buffer;
  readonly #mask: Mask;
  readonly #inWindows: boolean;

  constructor(bytes: Buffer, mask: Mask, inWindows: boolean) {
    this.#bytes = bytes;
    this.#mask = mask;
    this.#inWindows = inWindows;
  }

  /**
   * Masks a text, or where values can be in it; at once where nothing has to be waited for. `preceding`: the text before it, which may
   * say what a value is.
   */
  mask(range: TextRange, place: TextPlace, preceding: TextRange | null = null): Promise<void> | undefined {
    const { start, end } = range;
    const goesOn = preceding !== null && mayGoOn(this.#bytes, preceding.start, preceding.end);
    const windows = this.#inWindows ? findWindows(this.#bytes, start, end, goesOn) : null;
    if (windows === null) return this.#maskPart(range, this.#behind(preceding, place));
    let waiting: Promise<void> | undefined;
    for (const window of windows) {
      const within = window.start === start && preceding ? this.#behind(preceding, place) : { ...place, isPlain: true };
      // One after the other, so that values are told apart in their order.
      if (waiting) waiting = waiting.then(() => this.#maskPart(window, within));
      else waiting = this.#maskPart(window, within);
    }
    return waiting;
  }

  #behind(preceding: TextRange | null, place: TextPlace): TextPlace {
    return preceding ? { ...place, before: contextAt(this.#bytes, preceding) } : place;
  }

  #maskPart(range: TextRange, place: TextPlace): Promise<void> | undefined {
    const text = textAt(this.#bytes, range);
    const masking = this.#mask(text, place);
    if (typeof masking !== 'string') return masking.then((masked) => this.#note(range, text, masked));
    this.#note(range, text, masking);
    return undefined;
  }

  #note({ start, end }: TextRange, text: string, masked: string): void {
    if (masked !== text) this.changes.push({ start, end, json: toJsonText(masked) });
  }
}

/** Masks the texts of a request in its bytes; `inWindows` where all that is looked for is found in {@link findWindows}. */
export async function maskInPlace(
  bytes: Buffer,
  { messages, user }: PlacedChat,
  mask: Mask,
  inWindows: boolean,
): Promise<MaskedInPlace> {
  const texts = new InPlace(bytes, mask, inWindows);
  const lastReply = messages.findLastIndex(({ role }) => role === 'assistant');
  let before: TextRange | null = null;
  for (const [at, { texts: ranges, list, name }] of messages.entries()) {
    const isNew = at > lastReply;
    const param = `messages[${at}]`;
    let preceding: TextRange | null = before;
    before = null;
    for (const range of ranges) {
      const own = list ? `${param}.content[${range.part}].text` : `${param}.content`;
      const masking = texts.mask(range, { isNew, param: own }, preceding);
      if (masking) await masking;
      before = preceding = range;
    }
    const naming = name && texts.mask(name, { isNew, param: `${param}.name` });
    if (naming) await naming;
  }
  const ofMessages = texts.changes.length;
  const masking = user && texts.mask(user, { isNew: lastReply < 0, param: 'user' });
  if (masking) await masking;
  return { changes: texts.changes.sort(byPlace), onlyMessages: texts.changes.length === ofMessages };
}
