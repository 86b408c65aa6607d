import { type TextChange, changedBytes, growthOf } from '../../kernel/json-splice.ts';
import type { PromptEstimate } from '../../ports/engine.ts';

/** Kinds of bytes of a JSON body in UTF-8. Those that go on with a character are of kind `rest`. */
const kinds = ['space', 'letter', 'digit', 'sign', 'hangul', 'ideograph', 'wide', 'rest'] as const;
type Kind = (typeof kinds)[number];

/**
 * Tokens a character: few, likely, many. Of vocabularies of 32 to 200 thousand tokens, from those with little Korean (two tokens and more
 * a syllable) to those with much. Runs of spaces may be one token, figures one each. The counts that they were chosen by are in the test.
 */
const weights: Readonly<Record<Kind, readonly [low: number, likely: number, high: number]>> = {
  space: [0.008, 0.12, 1],
  letter: [0.12, 0.24, 0.5],
  digit: [0.25, 0.6, 1],
  sign: [0.06, 0.5, 1],
  hangul: [0.3, 0.75, 2],
  ideograph: [0.4, 1, 2],
  wide: [0.25, 0.5, 4],
  rest: [0, 0, 0],
};

function kindOf(byte: number): Kind {
  if (byte >= 0x80) {
    if (byte < 0xc0) return 'rest';
    // The first bytes of U+A000 to U+DFFF, and of U+3000 to U+9FFF.
    if (byte >= 0xea && byte <= 0xed) return 'hangul';
    return byte >= 0xe3 && byte <= 0xe9 ? 'ideograph' : 'wide';
  }
  if (byte <= 0x20) return 'space';
  if (byte >= 0x30 && byte <= 0x39) return 'digit';
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x7a ? 'letter' : 'sign';
}

const kindIndexes = Uint8Array.from({ length: 256 }, (_, byte) => kinds.indexOf(kindOf(byte)));
const HANGUL = kinds.indexOf('hangul');
const BACKSLASH = 0x5c;
const LOWER_U = 0x75;
/** Bytes of an escaped character, such as \\uc548. */
const ESCAPE_BYTES = 6;
const BASE64 = ';base64,';
const QUOTE = 0x22;

/** Counts the characters of each kind, base64 left out. */
function countKinds(bytes: Buffer, hasImages: boolean): Uint32Array {
  const counts = new Uint32Array(kinds.length);
  let skipAt = hasImages ? bytes.indexOf(BASE64) : -1;
  for (let i = 0; i < bytes.length; i++) {
    if (i === skipAt) {
      const end = bytes.indexOf(QUOTE, i);
      if (end < 0) break;
      i = end;
      skipAt = bytes.indexOf(BASE64, end);
    }
    const byte = bytes[i] as number;
    if (byte === BACKSLASH && bytes[i + 1] === LOWER_U) {
      counts[HANGUL] = (counts[HANGUL] as number) + 1;
      i += ESCAPE_BYTES - 1;
      continue;
    }
    const kind = kindIndexes[byte] as number;
    counts[kind] = (counts[kind] as number) + 1;
  }
  return counts;
}

/** A body is looked at only where its size alone does not tell. A class, as getters of object literals cost a shape each time. */
class BodyEstimate implements PromptEstimate {
  readonly hasImages: boolean;
  readonly bytes: number;
  readonly #body: Buffer;
  readonly #changes: readonly TextChange[];
  #tokens: readonly [number, number, number] | null = null;

  constructor(body: Buffer, hasImages: boolean, changes: readonly TextChange[]) {
    this.#body = body;
    this.#changes = changes;
    this.hasImages = hasImages;
    this.bytes = body.length + growthOf(changes);
  }

  get low(): number {
    return this.#estimate()[0];
  }

  get likely(): number {
    return this.#estimate()[1];
  }

  get high(): number {
    return this.#estimate()[2];
  }

  #estimate(): readonly [number, number, number] {
    if (this.#tokens) return this.#tokens;
    const body = this.#changes.length === 0 ? this.#body : changedBytes(this.#body, this.#changes);
    const counts = countKinds(body, this.hasImages);
    const sum = (which: 0 | 1 | 2) =>
      Math.ceil(kinds.reduce((total, kind, i) => total + (counts[i] ?? 0) * weights[kind][which], 0));
    return (this.#tokens = [sum(0), sum(1), sum(2)]);
  }
}

/** How many tokens the prompt of a chat request may have, by the scripts of its body. */
export const estimatePrompt = (body: Buffer, hasImages: boolean): PromptEstimate =>
  new BodyEstimate(body, hasImages, NO_CHANGES);
const NO_CHANGES: readonly TextChange[] = [];

/** The same of a body with other texts in it. */
export const estimateChanged = (body: Buffer, changes: readonly TextChange[], hasImages: boolean): PromptEstimate =>
  new BodyEstimate(body, hasImages, changes);
