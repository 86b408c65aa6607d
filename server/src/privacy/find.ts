import {
  type FindingType,
  type PiiType,
  defaultPiiTypes,
  findingTypes,
} from '@ai-studio/contract/utilities/privacy.ts';
import type { Finding } from './finding.ts';
import { type Normalised, normalise } from './normalise.ts';
import { placeholders } from './placeholder.ts';
import { type Language, recognise } from './recognisers/index.ts';

/** What is looked for. */
export interface FindPolicy {
  /** The default types of the decisions when left out. */
  readonly types?: readonly PiiType[];
  /** Least score; 0.5 when left out. */
  readonly threshold?: number;
  readonly language?: Language;
  /** Values that are no findings, however they are written. */
  readonly allowList?: readonly string[];
  /** Words that are always found. */
  readonly denyList?: readonly string[];
}

const DEFAULT_THRESHOLD = 0.5;
const rank = new Map<FindingType, number>(findingTypes.map((type, at) => [type, at]));

/** A value without what people put between its characters. */
export const essence = (value: string): string =>
  normalise(value)
    .text.toLowerCase()
    .replace(/[\s.,()/-]+/g, '');

/** The surest findings that do not overlap, in the order of the text. */
function withoutOverlap(found: Finding[], length: number, guarded: readonly Finding[]): Finding[] {
  const taken = new Uint8Array(length);
  for (const { start, end } of guarded) taken.fill(1, start, end);
  found.sort(
    (a, b) =>
      b.score - a.score ||
      b.end - b.start - (a.end - a.start) ||
      (rank.get(a.type) ?? 0) - (rank.get(b.type) ?? 0) ||
      a.start - b.start,
  );
  const kept: Finding[] = [];
  for (const finding of found) {
    const { start, end } = finding;
    if (taken.subarray(start, end).includes(1)) continue;
    taken.fill(1, start, end);
    kept.push(finding);
  }
  return kept.toSorted((a, b) => a.start - b.start);
}

/** Every place of the deny list's words, in any case. */
function findWords(text: string, words: readonly string[]): Finding[] {
  if (words.length === 0) return [];
  const lower = text.toLowerCase();
  // A few letters have another length in lower case; then places would be wrong.
  const inside = lower.length === text.length ? lower : text;
  return words.flatMap((word) => {
    const wanted = normalise(word).text.toLowerCase();
    const found: Finding[] = [];
    for (let at = wanted === '' ? -1 : inside.indexOf(wanted); at >= 0; at = inside.indexOf(wanted, at + wanted.length))
      found.push({ type: 'CUSTOM', start: at, end: at + wanted.length, score: 1 });
    return found;
  });
}

/** Where placeholders stand: a text that was masked before. */
export const placesOfPlaceholders = (text: string): Finding[] =>
  text.includes('[')
    ? Array.from(text.matchAll(placeholders()), ({ index, 0: { length } }) => ({
        type: 'CUSTOM' as const,
        start: index,
        end: index + length,
        score: 1,
      }))
    : [];

/** In units of the original. */
const toOriginal = (normalised: Normalised, { type, start, end, score }: Finding): Finding => ({
  type,
  start: normalised.start(start),
  end: normalised.end(end),
  score: Math.round(score * 100) / 100,
});

/**
 * Personal values of a text, in its order, none over another. Offsets are UTF-16 units of the text as it was given. Pure;
 * takes time in proportion to the text.
 */
export function findPii(text: string, policy: FindPolicy = {}): Finding[] {
  const {
    types = defaultPiiTypes,
    threshold = DEFAULT_THRESHOLD,
    language = 'auto',
    allowList = [],
    denyList = [],
  } = policy;
  const wanted = new Set(types);
  const normalised = normalise(text);
  const allowed = new Set(allowList.map(essence));
  const found: Finding[] = findWords(normalised.text, denyList);
  recognise(normalised.text, wanted, language, (type, start, end, score) => {
    if (score < threshold) return;
    found.push({ type, start, end, score });
  });
  return withoutOverlap(found, normalised.text.length, placesOfPlaceholders(normalised.text))
    .filter(({ type }) => type === 'CUSTOM' || wanted.has(type))
    .filter(({ start, end }) => allowed.size === 0 || !allowed.has(essence(normalised.text.slice(start, end))))
    .map((finding) => toOriginal(normalised, finding));
}
