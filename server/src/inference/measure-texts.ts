import { lengthOfTexts } from '../models/embedders.ts';
import type { CatalogueModel } from '../models/catalogue.ts';
import type { ModelCall } from './model-call.ts';

/** What an embedding model reads, in tokens of its own. */
export interface TextMeasure {
  /** Tokens of one text, special ones counted; null where neither the catalogue nor the engine says. */
  readonly maxTokens: number | null;
  /** Of each text; null where the engine has no tokenizer that can be asked. */
  readonly counts: readonly number[] | null;
}

/** Texts that an engine counts at the same time: some count each by a request. */
const COUNTED_AT_ONCE = 32;

/**
 * Asks for the length that an embedding model reads, and for the tokens of texts by its own tokenizer. Throws StudioError `unavailable`, and
 * EngineError of the last engine that was tried.
 */
export const measureTexts = (call: ModelCall, model: CatalogueModel, texts: readonly string[]): Promise<TextMeasure> =>
  call.execute(model, async (engine, name, signal) => {
    const limits = (await engine.embedderLimits?.(name, signal)) ?? null;
    const known = [lengthOfTexts(model), limits?.maxTokens ?? null].filter((length) => length !== null);
    const maxTokens = known.length === 0 ? null : Math.min(...known);
    const counts: number[] = [];
    for (let from = 0; from < texts.length; from += COUNTED_AT_ONCE) {
      const part = await engine.countTokens?.(name, texts.slice(from, from + COUNTED_AT_ONCE), signal);
      if (part == null) return { maxTokens, counts: null };
      counts.push(...part);
    }
    return { maxTokens, counts };
  });
