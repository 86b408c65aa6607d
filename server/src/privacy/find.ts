import {
  type FindingType,
  type PiiType,
  defaultPiiTypes,
  findingTypes,
} from '@ai-studio/contract/utilities/privacy.ts';
import type { Finding } from './finding.ts';
import { forgetText } from './context.ts';
import { type Normalised, normalise } from './normalise.ts';
import { placeholders } from './placeholder.ts';
import { type Language, recognise } from './recognisers/index.ts';
import { survey } from './survey.ts';

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

/** Keeps the ranges that are taken. Returns whether one was free, and takes it. */
type Take = (start: number, end: number) => boolean;

/** Compares with each range that is taken: for few of them, where memory for the whole text would cost more. */
function takeAmongFew(reserved: readonly Finding[]): Take {
  const taken: { readonly start: number; readonly end: number }[] = [...reserved];
  return (start, end) => {
    for (const other of taken) if (start < other.end && other.start < end) return false;
    taken.push({ start, end });
    return true;
  };
}

function takeAmongMany(reserved: readonly Finding[], length: number): Take {
  const occupied = new Uint8Array(length);
  for (const { start, end } of reserved) occupied.fill(1, start, end);
  return (start, end) => {
    if (occupied.subarray(start, end).includes(1)) return false;
    occupied.fill(1, start, end);
    return true;
  };
}

const FEW = 64;

/** Drops findings that overlap one of a higher score, or a reserved range. Returns the rest in the order of the text. */
function removeOverlaps(found: Finding[], length: number, reserved: readonly Finding[]): Finding[] {
  const take = found.length + reserved.length <= FEW ? takeAmongFew(reserved) : takeAmongMany(reserved, length);
  found.sort(
    (a, b) =>
      b.score - a.score ||
      b.end - b.start - (a.end - a.start) ||
      (rank.get(a.type) ?? 0) - (rank.get(b.type) ?? 0) ||
      a.start - b.start,
  );
  return found.filter(({ start, end }) => take(start, end)).toSorted((a, b) => a.start - b.start);
}

/** Finds every occurrence of words that are normalised and in lower case, in any case. */
function findWords(text: string, words: readonly string[]): Finding[] {
  if (words.length === 0) return [];
  const lower = text.toLowerCase();
  // A few letters change their length in lower case; offsets would be wrong then.
  const haystack = lower.length === text.length ? lower : text;
  return words.flatMap((wanted) => {
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

const placeholder = placeholders();

/** Finds the placeholders of a text that was masked before. */
export function findPlaceholders(text: string): Finding[] {
  const found: Finding[] = [];
  if (!text.includes('[')) return found;
  placeholder.lastIndex = 0;
  while (placeholder.test(text)) {
    const end = placeholder.lastIndex;
    found.push({ type: 'CUSTOM', start: text.lastIndexOf('[', end - 1), end, score: 1 });
  }
  return found;
}

/** A list of a policy in the form in which it is asked; policies and their lists stay the same from text to text. */
function preparedBy<T, R>(prepare: (list: readonly T[]) => R): (list: readonly T[]) => R {
  const prepared = new WeakMap<readonly T[], R>();
  return (list) => {
    const known = prepared.get(list) ?? prepare(list);
    prepared.set(list, known);
    return known;
  };
}

const typeSet = preparedBy((types: readonly PiiType[]) => new Set(types));
const allowedSet = preparedBy((words: readonly string[]) => new Set(words.map(comparable)));
const deniedWords = preparedBy((words: readonly string[]) => words.map((word) => normalise(word).text.toLowerCase()));
const noWords: readonly string[] = [];

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
    allowList = noWords,
    denyList = noWords,
  } = policy;
  const [wanted, allowed, denied] = [typeSet(types), allowedSet(allowList), deniedWords(denyList)];
  // Words of the lists were surveyed before, as a survey holds until the next one.
  const seen = survey(text);
  const normalised = normalise(text, seen);
  const { text: read } = normalised;
  const found: Finding[] = findWords(read, denied);
  recognise(
    read,
    wanted,
    language,
    (type, start, end, score) => {
      if (score < threshold) return;
      found.push({ type, start, end, score });
    },
    read === text ? seen : survey(read),
  );
  forgetText();
  if (found.length === 0) return found;
  return removeOverlaps(found, read.length, findPlaceholders(read))
    .filter(({ type }) => type === 'CUSTOM' || wanted.has(type))
    .filter(({ start, end }) => allowed.size === 0 || !allowed.has(comparable(read.slice(start, end))))
    .map((finding) => toOriginal(normalised, finding));
}
