/** Where an engine puts a model's thinking: `open` within its text, without the opening tag, `plain` nowhere. */
export type ReasoningStyle = 'field' | 'tags' | 'open' | 'plain';

interface Known {
  readonly style: ReasoningStyle;
  /** Replies of this style in a row; 0 where it is only assumed. */
  readonly seen: number;
}

/** Who is asked for what: addresses of one model may differ, so that what was learned of one says nothing of another. */
interface Asked {
  /** Id of the engine. */
  readonly engine: string;
  readonly model: string;
  /** Whether the model is to think in this reply; null where it has no say in it. */
  readonly expected: boolean | null;
}

const keyOf = (engine: string, model: string, expected: boolean | null) => `${engine} ${model} ${String(expected)}`;

/** After as many replies of one style in a row nothing is held back any more. */
const TRUSTED = 3;

/**
 * Remembers what the last replies of an address, a model and a kind of request looked like. The first reply that looks
 * otherwise takes the place of all before it.
 */
export class ReasoningMemory {
  readonly #known = new Map<string, Known>();
  #last: Asked & { readonly key: string } = { engine: '', model: '', expected: null, key: keyOf('', '', null) };

  /** By which it is remembered. The same text again where the same is asked for, which takes less than to make and hash it anew. */
  keyOf(engine: string, model: string, expected: boolean | null): string {
    const last = this.#last;
    if (last.engine === engine && last.model === model && last.expected === expected) return last.key;
    const key = keyOf(engine, model, expected);
    this.#last = { engine, model, expected, key };
    return key;
  }

  get(key: string): Known | undefined {
    return this.#known.get(key);
  }

  note(key: string, style: ReasoningStyle): void {
    const known = this.#known.get(key);
    if (known?.style !== style) this.#known.set(key, { style, seen: 1 });
    else if (known.seen < TRUSTED) this.#known.set(key, { style, seen: known.seen + 1 });
  }

  /** A reply looked like none of them. */
  forget(key: string): void {
    this.#known.delete(key);
  }
}

/** What a request and its model say about thinking. */
export interface ThinkingWish {
  /** Whether the model is to think in this reply; null where it has no say in it. */
  readonly expected: boolean | null;
  /** Whether it would think if nobody asked. */
  readonly byDefault: boolean;
  /** Whether its prompt is known to open the thinking. */
  readonly opensInPrompt: () => boolean;
}

/**
 * Characters of a stream's beginning that are held back where an earlier reply, or the profile, says what they probably
 * are: a few seconds of an answer.
 */
const PROBABLE_CHARS = 1024;

/** And where nothing does, or where thinking is not shown: all but the longest replies. */
const UNKNOWN_CHARS = 32_768;

/** And for how long, where it is an answer for all that is known: people wait for it. */
const ANSWER_MS = 1000;

/** What a text without a tag at its beginning probably is. */
export interface Belief {
  readonly thinking: boolean;
  /** Whether something speaks for its being thinking, beside the wish. */
  readonly open: boolean;
  /** How many characters of a stream wait for a proof of it. */
  readonly heldChars: number;
  /** And how many milliseconds; null: as long as it takes. */
  readonly heldMs: number | null;
}

const answer = (heldChars: number, heldMs: number | null = ANSWER_MS): Belief => ({
  thinking: false,
  open: false,
  heldChars,
  heldMs,
});

export function beliefOf(known: Known | undefined, { expected, byDefault, opensInPrompt }: ThinkingWish): Belief {
  if (known === undefined && !opensInPrompt()) {
    if (expected === null) return answer(0);
    if (expected) return { thinking: true, open: false, heldChars: UNKNOWN_CHARS, heldMs: null };
    return byDefault ? answer(UNKNOWN_CHARS, null) : answer(PROBABLE_CHARS);
  }
  const trusted = known !== undefined && known.seen >= TRUSTED;
  if (known === undefined || known.style === 'open') {
    // Thinking that was not asked for is not shown: nobody waits for it.
    const heldChars = expected !== true ? UNKNOWN_CHARS : trusted ? 0 : PROBABLE_CHARS;
    return { thinking: true, open: true, heldChars, heldMs: null };
  }
  return answer(trusted || expected === null ? 0 : PROBABLE_CHARS);
}
