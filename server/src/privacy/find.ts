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

/** What to find. */
export interface FindPolicy {
  /** The default types of the decisions when left out. */
  readonly types?: readonly PiiType[];
  /** Minimum score; 0.5 when left out. */
  readonly threshold?: number;
  readonly language?: Language;
  /** Values that are never findings, in any notation. */
  readonly allowList?: readonly string[];
  /** Words that are always found. */
  readonly denyList?: readonly string[];
}

const DEFAULT_THRESHOLD = 0.5;
const rank = new Map<FindingType, number>(findingTypes.map((type, at) => [type, at]));

/** A value in lower case, without the separators that people write between its characters. */
export const comparable = (value: string): string =>
  normalise(value)
    .text.toLowerCase()
    .replace(/[\s.,()/-]+/g, '');

/** Drops findings that overlap one of a higher score, or a reserved range. Returns the rest in the order of the text. */
function removeOverlaps(found: Finding[], length: number, reserved: readonly Finding[]): Finding[] {
  const occupied = new Uint8Array(length);
  for (const { start, end } of reserved) occupied.fill(1, start, end);
  found.sort(
    (a, b) =>
      b.score - a.score ||
      b.end - b.start - (a.end - a.start) ||
      (rank.get(a.type) ?? 0) - (rank.get(b.type) ?? 0) ||
      a.start - b.start,
  );
  const chosen: Finding[] = [];
  for (const finding of found) {
    const { start, end } = finding;
    if (occupied.subarray(start, end).includes(1)) continue;
    occupied.fill(1, start, end);
    chosen.push(finding);
  }
  return chosen.toSorted((a, b) => a.start - b.start);
}

/** Finds every occurrence of the deny list's words, in any case. */
function findWords(text: string, words: readonly string[]): Finding[] {
  if (words.length === 0) return [];
  const lower = text.toLowerCase();
  // A few letters change their length in lower case; offsets would be wrong then.
  const haystack = lower.length === text.length ? lower : text;
  return words.flatMap((word) => {
    const wanted = normalise(word).text.toLowerCase();
    const found: Finding[] = [];
    for (
      let at = wanted === '' ? -1 : haystack.indexOf(wanted);
      at >= 0;
      at = haystack.indexOf(wanted, at + wanted.length)
    )
      found.push({ type: 'CUSTOM', start: at, end: at + wanted.length, score: 1 });
    return found;
  });
}

/** Finds the placeholders of a text that was masked before. */
export const findPlaceholders = (text: string): Finding[] =>
  text.includes('[')
    ? Array.from(text.matchAll(placeholders()), ({ index, 0: { length } }) => ({
        type: 'CUSTOM' as const,
        start: index,
        end: index + length,
        score: 1,
      }))
    : [];

/** A finding with offsets of the original text. */
const toOriginal = (normalised: Normalised, { type, start, end, score }: Finding): Finding => ({
  type,
  start: normalised.start(start),
  end: normalised.end(end),
  score: Math.round(score * 100) / 100,
});

/**
 * Finds the personal values of a text. Returns them in its order, without overlaps, with offsets in UTF-16 units of `text`. Pure;
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
  const allowed = new Set(allowList.map(comparable));
  const found: Finding[] = findWords(normalised.text, denyList);
  recognise(normalised.text, wanted, language, (type, start, end, score) => {
    if (score < threshold) return;
    found.push({ type, start, end, score });
  });
  return removeOverlaps(found, normalised.text.length, findPlaceholders(normalised.text))
    .filter(({ type }) => type === 'CUSTOM' || wanted.has(type))
    .filter(({ start, end }) => allowed.size === 0 || !allowed.has(comparable(normalised.text.slice(start, end))))
    .map((finding) => toOriginal(normalised, finding));
}
