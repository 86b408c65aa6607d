import type { FindingType, PiiOperator } from '@ai-studio/contract/utilities/privacy.ts';
import { type FindPolicy, findPii } from './find.ts';
import type { Finding } from './finding.ts';
import { typePlaceholder } from './placeholder.ts';

/** One operator for all, or one for each type; DEFAULT is for those that are not named, else mask. */
export type Operators = PiiOperator | Readonly<Partial<Record<FindingType | 'DEFAULT', PiiOperator>>>;

/** What is looked for, and what becomes of it. */
export interface MaskPolicy extends FindPolicy {
  /** mask when left out. */
  readonly operator?: Operators;
}

/** Writes what needs a key. Each gives the whole placeholder, and the same one for the same value. */
export interface KeyedWriters {
  hash(type: FindingType, value: string): string;
  encrypt(type: FindingType, value: string): string;
  /** Where given, it writes in place of mask and replace what can be turned back. */
  token?(type: FindingType, value: string): string;
}

/** A finding and what stands in its place. */
export interface MaskedFinding extends Finding {
  readonly replacement: string;
}

export interface Masked {
  readonly text: string;
  readonly findings: readonly MaskedFinding[];
}

/** Letters, digits and marks on letters as stars, unit by unit, and what JSON has in escapes; everything else stays. */
const starred = (value: string): string =>
  value.replace(/\\u[0-9a-fA-F]{4}|[\p{L}\p{N}\p{M}]/gu, (char) => '*'.repeat(char.length));

const operatorOf = (operators: Operators, type: FindingType): PiiOperator =>
  typeof operators === 'string' ? operators : (operators[type] ?? operators.DEFAULT ?? 'mask');

function replacementOf(
  operator: PiiOperator,
  type: FindingType,
  value: string,
  keyed: KeyedWriters | undefined,
): string {
  switch (operator) {
    case 'redact':
      return '';
    case 'hash':
    case 'encrypt':
      if (!keyed) throw new Error(`the operator ${operator} needs a key`);
      return keyed[operator](type, value);
    case 'mask':
      return keyed?.token?.(type, value) ?? starred(value);
    case 'replace':
      return keyed?.token?.(type, value) ?? typePlaceholder(type);
  }
}

function write(
  text: string,
  findings: readonly Finding[],
  operators: Operators,
  keyed: KeyedWriters | undefined,
): Masked {
  let out = '';
  let done = 0;
  const written = findings.map((finding) => {
    const { type, start, end } = finding;
    const replacement = replacementOf(operatorOf(operators, type), type, text.slice(start, end), keyed);
    out += text.slice(done, start) + replacement;
    done = end;
    return { ...finding, replacement };
  });
  return { text: out + text.slice(done), findings: written };
}

/** What was found in a masked text, in units of the text before: whatever a finding touches is part of it. */
function inOriginal(found: readonly Finding[], findings: readonly MaskedFinding[]): Finding[] {
  let at = 0;
  let shift = 0;
  const placed = findings.map(({ start, end, replacement }) => {
    const from = start + shift;
    shift += replacement.length - (end - start);
    return { start, end, from, to: from + replacement.length, shift };
  });
  return found.map((finding) => {
    while (at < placed.length && (placed[at]?.to ?? 0) <= finding.start) at++;
    const before = at > 0 ? (placed[at - 1]?.shift ?? 0) : 0;
    const first = placed[at];
    const start = first && first.from < finding.start ? first.start : finding.start - before;
    const last = placed.findLast(({ from }) => from < finding.end);
    const end = last && last.to > finding.end ? last.end : finding.end - (last?.shift ?? 0);
    return { ...finding, start, end };
  });
}

/** Findings of two rounds; those that touch become one, of the surer type. */
function merge(first: readonly Finding[], second: readonly Finding[]): Finding[] {
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

const ROUNDS = 4;

/** Masks a text; yields each text that is to be looked through, and takes what was found in it. */
function* masking(
  text: string,
  operator: Operators,
  keyed: KeyedWriters | undefined,
): Generator<string, Masked, readonly Finding[]> {
  let findings = yield text;
  let masked = write(text, findings, operator, keyed);
  for (let round = 0; round < ROUNDS && masked.text !== text; round++) {
    const more = yield masked.text;
    if (more.length === 0) break;
    const merged = merge(findings, inOriginal(more, masked.findings));
    const known = findings;
    if (
      merged.length === known.length &&
      merged.every(({ start, end }, at) => start === known[at]?.start && end === known[at].end)
    )
      break;
    findings = merged;
    masked = write(text, findings, operator, keyed);
  }
  return masked;
}

/**
 * Masks the personal values of a text. Masking the result again changes nothing: what the removal of a value brings together
 * is looked at, too. Pure, but for what the keyed writers do; without them hash and encrypt throw.
 */
export function maskText(text: string, policy: MaskPolicy = {}, keyed?: KeyedWriters): Masked {
  const steps = masking(text, policy.operator ?? 'mask', keyed);
  let step = steps.next();
  while (!step.done) step = steps.next(findPii(step.value, policy));
  return step.value;
}

/** The same, where texts are looked through by somebody else. */
export async function maskTextWith(
  find: (text: string, policy: FindPolicy) => Promise<readonly Finding[]>,
  text: string,
  policy: MaskPolicy,
  keyed?: KeyedWriters,
): Promise<Masked> {
  const steps = masking(text, policy.operator ?? 'mask', keyed);
  let step = steps.next();
  while (!step.done) step = steps.next(await find(step.value, policy));
  return step.value;
}
