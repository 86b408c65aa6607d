import type { FindingType, PiiOperator } from '@ai-studio/contract/utilities/privacy.ts';
import { type FindPolicy, findPii } from './find.ts';
import type { Finding } from './finding.ts';
import { typePlaceholder } from './placeholder.ts';

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

function replaceFindings(
  text: string,
  findings: readonly Finding[],
  operators: Operators,
  writers: KeyedWriters | undefined,
): Masked {
  let out = '';
  let copiedTo = 0;
  const maskedFindings = findings.map((finding) => {
    const { type, start, end } = finding;
    const replacement = replacementOf(operatorOf(operators, type), type, text.slice(start, end), writers);
    out += text.slice(copiedTo, start) + replacement;
    copiedTo = end;
    return { ...finding, replacement };
  });
  return { text: out + text.slice(copiedTo), findings: maskedFindings };
}

/** Findings of a masked text, with offsets of the original. A replacement that a finding touches becomes part of it. */
function toOriginalOffsets(found: readonly Finding[], findings: readonly MaskedFinding[]): Finding[] {
  let at = 0;
  let offset = 0;
  const replaced = findings.map(({ start, end, replacement }) => {
    const writtenAt = start + offset;
    offset += replacement.length - (end - start);
    return { start, end, from: writtenAt, to: writtenAt + replacement.length, shift: offset };
  });
  return found.map((finding) => {
    while (at < replaced.length && (replaced[at]?.to ?? 0) <= finding.start) at++;
    const before = at > 0 ? (replaced[at - 1]?.shift ?? 0) : 0;
    const first = replaced[at];
    const start = first && first.from < finding.start ? first.start : finding.start - before;
    const last = replaced.findLast(({ from: writtenAt }) => writtenAt < finding.end);
    const end = last && last.to > finding.end ? last.end : finding.end - (last?.shift ?? 0);
    return { ...finding, start, end };
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

/** Masks a text; yields each text to search, and expects its findings. */
function* maskInRounds(
  text: string,
  operator: Operators,
  writers: KeyedWriters | undefined,
): Generator<string, Masked, readonly Finding[]> {
  let findings = yield text;
  let masked = replaceFindings(text, findings, operator, writers);
  for (let round = 0; round < MAX_ROUNDS && masked.text !== text; round++) {
    const further = yield masked.text;
    if (further.length === 0) break;
    const merged = mergeFindings(findings, toOriginalOffsets(further, masked.findings));
    const previous = findings;
    if (
      merged.length === previous.length &&
      merged.every(({ start, end }, at) => start === previous[at]?.start && end === previous[at].end)
    )
      break;
    findings = merged;
    masked = replaceFindings(text, findings, operator, writers);
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
  while (!step.done) step = steps.next(findPii(step.value, policy));
  return step.value;
}

/** Does what maskText does, with another finder. */
export async function maskTextWith(
  find: (text: string, policy: FindPolicy) => Promise<readonly Finding[]>,
  text: string,
  policy: MaskPolicy,
  writers?: KeyedWriters,
): Promise<Masked> {
  const steps = maskInRounds(text, policy.operator ?? 'mask', writers);
  let step = steps.next();
  while (!step.done) step = steps.next(await find(step.value, policy));
  return step.value;
}
