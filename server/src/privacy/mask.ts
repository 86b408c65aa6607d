import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FindingType, PiiOperator } from '@ai-studio/contract/utilities/privacy.ts';
import { type FindPolicy, findPii } from './find.ts';
import type { Finding } from './finding.ts';
import { typePlaceholder } from './placeholder.ts';
import { VALUES_A_TURN } from '../kernel/turns.ts';

/** One operator for all types, or one for each; DEFAULT applies to types that are not named, and is `mask` when left out. */
export type Operators = PiiOperator | Readonly<Partial<Record<FindingType | 'DEFAULT', PiiOperator>>>;

/** What to find, and how to replace it. */
export interface MaskPolicy extends FindPolicy {
  /** mask when left out. */
  readonly operator?: Operators;
}

/** Writers of placeholders that need a key. Each returns the whole placeholder, always the same one for the same value. */
export interface KeyedWriters {
  hash(type: FindingType, value: string): string;
  encrypt(type: FindingType, value: string): string;
  /** Where set, `mask` and `replace` write these reversible tokens instead. */
  token?(type: FindingType, value: string): string;
}

/** A finding and its replacement. */
export interface MaskedFinding extends Finding {
  readonly replacement: string;
}

export interface Masked {
  readonly text: string;
  readonly findings: readonly MaskedFinding[];
}

/** Replaces letters, digits, combining marks and JSON escapes by stars, unit by unit; everything else stays. */
const maskCharacters = (value: string): string =>
  value.replace(/\\u[0-9a-fA-F]{4}|[\p{L}\p{N}\p{M}]/gu, (char) => '*'.repeat(char.length));

const operatorOf = (operators: Operators, type: FindingType): PiiOperator =>
  typeof operators === 'string' ? operators : (operators[type] ?? operators.DEFAULT ?? 'mask');

function replacementOf(
  operator: PiiOperator,
  type: FindingType,
  value: string,
  writers: KeyedWriters | undefined,
): string {
  switch (operator) {
    case 'redact':
      return '';
    case 'hash':
    case 'encrypt':
      if (!writers) throw new Error(`the operator ${operator} needs a key`);
      return writers[operator](type, value);
    case 'mask':
      return writers?.token?.(type, value) ?? maskCharacters(value);
    case 'replace':
      return writers?.token?.(type, value) ?? typePlaceholder(type);
  }
}

/** Pauses between values, whose replacements may have to be encrypted. */
function* replaceFindings(
  text: string,
  findings: readonly Finding[],
  operators: Operators,
  writers: KeyedWriters | undefined,
): Generator<null, Masked, unknown> {
  let out = '';
  let copiedTo = 0;
  const replaced: MaskedFinding[] = [];
  for (const finding of findings) {
    const { type, start, end } = finding;
    const replacement = replacementOf(operatorOf(operators, type), type, text.slice(start, end), writers);
    out += text.slice(copiedTo, start) + replacement;
    copiedTo = end;
    replaced.push({ ...finding, replacement });
    if (replaced.length % VALUES_A_TURN === 0) yield null;
  }
  return { text: out + text.slice(copiedTo), findings: replaced };
}

/**
 * Findings of a masked text, with offsets of the original. A replacement that a finding touches becomes part of it. Both are in the
 * order of the text, and passed through once.
 */
function toOriginalOffsets(found: readonly Finding[], findings: readonly MaskedFinding[]): Finding[] {
  let offset = 0;
  const replaced = findings.map(({ start, end, replacement }) => {
    const writtenAt = start + offset;
    offset += replacement.length - (end - start);
    return { start, end, from: writtenAt, to: writtenAt + replacement.length, shift: offset };
  });
  /** The first that ends behind the start of the finding, and the first that begins behind its end. */
  let [first, behind] = [0, 0];
  return found.map((finding) => {
    while (first < replaced.length && (replaced[first]?.to ?? 0) <= finding.start) first++;
    while (behind < replaced.length && (replaced[behind]?.from ?? 0) < finding.end) behind++;
    const touched = replaced[first];
    const last = replaced[behind - 1];
    return {
      ...finding,
      start:
        touched && touched.from < finding.start ? touched.start : finding.start - (replaced[first - 1]?.shift ?? 0),
      end: last && last.to > finding.end ? last.end : finding.end - (last?.shift ?? 0),
    };
  });
}

/** Merges findings of two rounds; overlapping ones become one, with the type of the higher score. */
function mergeFindings(first: readonly Finding[], second: readonly Finding[]): Finding[] {
  const merged: Finding[] = [];
  for (const { type, start, end, score } of [...first, ...second].toSorted(
    (a, b) => a.start - b.start || b.end - a.end,
  )) {
    const last = merged.at(-1);
    if (!last || start >= last.end) merged.push({ type, start, end, score });
    else
      merged[merged.length - 1] = {
        type: score > last.score ? type : last.type,
        start: last.start,
        end: Math.max(last.end, end),
        score: Math.max(last.score, score),
      };
  }
  return merged;
}

const MAX_ROUNDS = 4;

async function pause(): Promise<readonly Finding[]> {
  await nextTurn();
  return [];
}

/** Masks a text; yields the text to search and then each masked one, and expects the findings, and null where others may have their turn. */
function* maskInRounds(
  text: string,
  operator: Operators,
  writers: KeyedWriters | undefined,
): Generator<string | Masked | null, Masked, readonly Finding[]> {
  let findings = yield text;
  let masked = yield* replaceFindings(text, findings, operator, writers);
  for (let round = 0; round < MAX_ROUNDS && masked.text !== text; round++) {
    const further = yield masked;
    if (further.length === 0) break;
    const merged = mergeFindings(findings, toOriginalOffsets(further, masked.findings));
    const previous = findings;
    if (
      merged.length === previous.length &&
      merged.every(({ start, end }, at) => start === previous[at]?.start && end === previous[at].end)
    )
      break;
    findings = merged;
    masked = yield* replaceFindings(text, findings, operator, writers);
  }
  return masked;
}

/**
 * Masks the personal values of a text. Masking the result again changes nothing, as values that a removal brings together are
 * masked too. Pure, except for the keyed writers; without them `hash` and `encrypt` throw.
 */
export function maskText(text: string, policy: MaskPolicy = {}, writers?: KeyedWriters): Masked {
  const steps = maskInRounds(text, policy.operator ?? 'mask', writers);
  let step = steps.next();
  while (!step.done) {
    const asked = step.value;
    step = steps.next(asked === null ? [] : findPii(typeof asked === 'string' ? asked : asked.text, policy));
  }
  return step.value;
}

type Found = readonly Finding[] | Promise<readonly Finding[]>;
type Find = (text: string, policy: FindPolicy) => Found;

/**
 * Does what maskText does, with another finder: at once where that finds at once. Other requests have their turn between many values.
 * `findAgain` finds in a masked text what `find` would find in all of it.
 */
export function maskTextWith(
  find: Find,
  text: string,
  policy: MaskPolicy,
  writers?: KeyedWriters,
  findAgain: (masked: Masked) => Found = (masked) => find(masked.text, policy),
): Masked | Promise<Masked> {
  const steps = maskInRounds(text, policy.operator ?? 'mask', writers);
  const search = (asked: string | Masked | null) =>
    asked === null ? pause() : typeof asked === 'string' ? find(asked, policy) : findAgain(asked);
  let step = steps.next();
  while (!step.done) {
    const found = search(step.value);
    if (found instanceof Promise) return goOn(steps, found, search);
    step = steps.next(found);
  }
  return step.value;
}

async function goOn(
  steps: ReturnType<typeof maskInRounds>,
  awaited: Promise<readonly Finding[]>,
  search: (asked: string | Masked | null) => Found,
): Promise<Masked> {
  let step = steps.next(await awaited);
  while (!step.done) step = steps.next(await search(step.value));
  return step.value;
}
