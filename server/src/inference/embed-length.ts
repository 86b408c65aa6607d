import { type EmbedCall, type EmbedResult, type Engine, EngineError, type TooLong } from '../ports/engine.ts';

// Texts that are longer than an embedding model reads: found by the engine's refusal, by its tokenizer, or by the tokens that it used; never
// cut without a word.

/** How long a text may be for a model, and what becomes of a longer one. */
export interface LengthWish {
  /** Id of the model, for messages. */
  readonly modelId: string;
  /** Tokens of a text by the catalogue, special ones counted; null where only the engine can say. */
  readonly maxTokens: number | null;
  /** What the refusal of a text advises. */
  readonly advice?: string | undefined;
  /** Longer texts are cut at their end; else they are refused. */
  readonly truncate: boolean;
}

/** Vectors, and the places of the texts that were cut for them. */
export interface FittedResult extends EmbedResult {
  readonly truncated: readonly number[];
  /** Of each of these texts, as it came: its tokens and the limit. */
  readonly tooLong: readonly TooLong[];
}

interface Text {
  readonly at: number;
  readonly text: string;
}

/** Texts that go to an engine in one call. */
const BATCH = 256;
/** Bytes of a text that every model reads, so that nobody need be asked for lengths. */
const SAFE_BYTES = 120;
/** Special tokens that a model puts around a text, at most. */
const SPECIAL_TOKENS = 4;
/** What is left of a text that is cut by an estimate of its tokens, so that a second cut is seldom needed. */
const CUT_MARGIN = 0.97;
/** Cuts of one text: where lengths are not told each halves it, which makes one token of a million. */
const MAX_CUTS = 20;

/** A text without its end, and without half of a pair of surrogates there. */
function cutTo(text: string, share: number): string {
  const end = Math.max(1, Math.min(text.length - 1, Math.floor(text.length * share)));
  const isHalved = end > 1 && /[\uD800-\uDBFF]$/.test(text.slice(0, end));
  return text.slice(0, isHalved ? end - 1 : end);
}

const shareOf = ({ given, limit }: TooLong): number =>
  given === null || limit === null || given <= limit ? 0.5 : (limit / given) * CUT_MARGIN;

/** No text has more tokens than bytes, but for the special ones. */
const mayExceed = ({ text }: Text, limit: number) => Buffer.byteLength(text) + SPECIAL_TOKENS > limit;

const lengthsOf = (error: unknown): TooLong | null => (error instanceof EngineError ? error.tooLong : null);

/** The vectors of one request, text by text where some are too long. */
class Fitting {
  readonly #engine: Engine;
  readonly #call: EmbedCall;
  readonly #wish: LengthWish;
  readonly #vectors: EmbedResult['vectors'][number][] = [];
  readonly #truncated = new Map<number, TooLong>();
  #promptTokens = 0;

  constructor(engine: Engine, call: EmbedCall, wish: LengthWish) {
    this.#engine = engine;
    this.#call = call;
    this.#wish = wish;
  }

  async run(): Promise<FittedResult> {
    const texts = this.#call.input.map((text, at) => ({ at, text }));
    const counted = new Set(await this.#embedCounted(texts));
    const others = texts.filter((one) => !counted.has(one));
    for (let from = 0; from < others.length; from += BATCH) await this.#embed(others.slice(from, from + BATCH));
    const cut = [...this.#truncated].sort(([a], [b]) => a - b);
    return {
      vectors: this.#vectors,
      promptTokens: this.#promptTokens,
      truncated: cut.map(([at]) => at),
      tooLong: cut.map(([, tooLong]) => tooLong),
    };
  }

  /** The refusal in words that name both lengths. `cut`: the engine cut the text, and counted only what it kept. */
  #tooLong(at: number, { given, limit: told }: TooLong, cut = false): EngineError {
    const { modelId, maxTokens } = this.#wish;
    const limit = told ?? maxTokens;
    const param = this.#call.input.length === 1 ? 'input' : `input[${at}]`;
    const { advice = 'Split it' } = this.#wish;
    const reads = limit === null ? 'fewer' : String(limit);
    const what =
      given === null
        ? `${param} is too long for the embedding model ${modelId}${limit === null ? '' : `, which reads ${limit} tokens`}`
        : `${param} has ${given}${cut ? ' or more' : ''} tokens, of which the embedding model ${modelId} reads ${reads}`;
    return new EngineError('refused', `a text is too long for ${modelId}`, {
      status: 400,
      detail: `${what}. ${advice}`,
      param,
      tooLong: { given, limit },
    });
  }

  /** What is told first is of the text as it came. */
  #noteCut(at: number, tooLong: TooLong): void {
    if (!this.#truncated.has(at)) this.#truncated.set(at, tooLong);
  }

  /** The text without its end. Throws the refusal where that was not asked for. */
  #cut({ at, text }: Text, tooLong: TooLong): Text {
    if (!this.#wish.truncate || text.length < 2) throw this.#tooLong(at, tooLong);
    this.#noteCut(at, tooLong);
    return { at, text: cutTo(text, shareOf(tooLong)) };
  }

  /** Asks the engine once. Resolves with the tokens that it used. */
  async #ask(texts: readonly Text[]): Promise<number> {
    const { modelId } = this.#wish;
    const made = await this.#engine.embed?.({ ...this.#call, input: texts.map(({ text }) => text) });
    if (!made)
      throw new EngineError('refused', 'no embeddings', { detail: 'The engine of this model makes no embeddings' });
    if (made.vectors.length !== texts.length)
      throw new EngineError('protocol', `Engine ${this.#engine.id} sent another number of vectors`, {
        detail: `The embedding model ${modelId} gave ${made.vectors.length} vectors for ${texts.length} texts`,
      });
    for (const [i, vector] of made.vectors.entries()) this.#vectors[texts[i]?.at ?? 0] = vector;
    this.#promptTokens += made.promptTokens;
    return made.promptTokens;
  }

  /** Texts of which the engine says where one is too long. Resolves with the tokens that it used. */
  async #embed(texts: readonly Text[]): Promise<number> {
    let [one] = texts;
    if (one === undefined) return 0;
    for (let cuts = 0; ; cuts++)
      try {
        return await this.#ask(texts.length === 1 ? [one] : texts);
      } catch (error) {
        const tooLong = lengthsOf(error);
        if (tooLong === null) throw error;
        if (texts.length > 1) return this.#embedHalves(texts);
        if (cuts === MAX_CUTS) throw this.#tooLong(one.at, tooLong);
        one = this.#cut(one, tooLong);
      }
  }

  async #embedHalves(texts: readonly Text[]): Promise<number> {
    const half = Math.ceil(texts.length / 2);
    return (await this.#embed(texts.slice(0, half))) + (await this.#embed(texts.slice(half)));
  }

  /**
   * Embeds those texts whose length must be counted, as the engine would cut them without a word, or read more than the catalogue says.
   * Resolves with them.
   */
  async #embedCounted(texts: readonly Text[]): Promise<readonly Text[]> {
    const { maxTokens } = this.#wish;
    const { model, signal } = this.#call;
    if (!texts.some((one) => mayExceed(one, Math.min(SAFE_BYTES, maxTokens ?? SAFE_BYTES)))) return [];
    const own = await this.#engine.embedderLimits?.(model, signal).catch(() => null);
    const ownLimit = own?.maxTokens ?? null;
    const cuts = own?.cutsSilently ?? false;
    const limit = Math.min(maxTokens ?? Infinity, ownLimit ?? Infinity);
    if (limit === Infinity || !(cuts || limit < (ownLimit ?? Infinity))) return [];
    const suspects = texts.filter((one) => mayExceed(one, limit));
    const fitting = await this.#fitByCount(suspects, limit);
    if (fitting !== null)
      for (let from = 0; from < fitting.length; from += BATCH) await this.#embed(fitting.slice(from, from + BATCH));
    else for (const one of suspects) await this.#embedAlone(one, limit, cuts);
    return suspects;
  }

  /** The texts, cut until they fit by the engine's tokenizer; null where it has none. */
  async #fitByCount(texts: readonly Text[], limit: number): Promise<readonly Text[] | null> {
    const { model, signal } = this.#call;
    const fitting: Text[] = [];
    let left = texts;
    while (left.length > 0) {
      const asked = left.map(({ text }) => text);
      const counts = (await this.#engine.countTokens?.(model, asked, signal)) ?? null;
      if (counts === null) return null;
      fitting.push(...left.filter((_, i) => (counts[i] ?? 0) <= limit));
      left = left.flatMap((one, i) => {
        const given = counts[i] ?? 0;
        return given <= limit ? [] : [this.#cut(one, { given, limit })];
      });
    }
    return fitting;
  }

  /** A text whose length the engine's count tells afterwards. `cuts`: what it counts may be what it kept. */
  async #embedAlone(text: Text, limit: number, cuts: boolean): Promise<void> {
    let one = text;
    for (;;) {
      const given = await this.#embed([one]);
      if (given < limit || (given === limit && !cuts)) return;
      if (!this.#wish.truncate) throw this.#tooLong(one.at, { given, limit }, cuts);
      this.#noteCut(one.at, { given, limit });
      // What stands at the limit was cut there by the engine.
      if (given === limit) return;
      one = this.#cut(one, { given, limit });
    }
  }
}

/**
 * One vector a text, in order. A text that is longer than the model reads is refused with both lengths, or cut where that was asked for.
 * Throws EngineError.
 */
export const embedFitting = (engine: Engine, call: EmbedCall, wish: LengthWish): Promise<FittedResult> =>
  new Fitting(engine, call, wish).run();
