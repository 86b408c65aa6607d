import type { PiiType } from '@ai-studio/contract/utilities/privacy.ts';

// Numbers are read as groups of digits with separators between. Each rule names the lengths of its groups ("6-7") and scores a
// candidate. All rules share one pass with bounded work at each group, so that time grows linearly with the text.

/** The separator between the groups of a number; `mixed` where separators differ. */
export type Joiner = 'none' | 'dash' | 'space' | 'dot' | 'mixed';

/** A number that may be a personal value. */
export interface Candidate {
  /** The text that holds it. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** The digits without separators. */
  readonly digits: string;
  /** Lengths of its groups. */
  readonly lengths: readonly number[];
  readonly joiner: Joiner;
}

/** How a recogniser knows its numbers. */
export interface NumberRule {
  readonly type: PiiType;
  /** Lengths of groups such as `6-7`, or bounds of all digits and the maximum number of groups. */
  readonly shapes:
    | readonly string[]
    | { readonly minDigits: number; readonly maxDigits: number; readonly groups: number };
  readonly joiners: readonly Joiner[];
  /** Score of a candidate; 0 for none. */
  score(candidate: Candidate): number;
}

/** The groups of digits of a text: start, end, and the joiner to the next group. Only the first `count` places count. */
export interface Groups {
  readonly count: number;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  /** Index in {@link joiners} of the joiner to the next group; 255 where it is not joined. */
  readonly joined: Uint8Array;
}

const joiners = ['none', 'dash', 'space', 'dot', 'mixed'] as const satisfies readonly Joiner[];
const NOT_JOINED = 255;
/** Separators that join two groups: a dash (also with spaces or a line break), one or two spaces, a dot, brackets of an area code. */
const joinerPatterns: readonly (readonly [RegExp, Joiner])[] = [
  [/^\s{0,2}-\s{0,2}$|^--$|^- -$/, 'dash'],
  [/^ {1,2}$/, 'space'],
  [/^\.$/, 'dot'],
  [/^ ?\) ?-?$|^ ?\($|^-\($|^\)?\/ ?$|^\. $|^ ?[~·] ?$|^_$/, 'mixed'],
];
/** Underscore, tilde, middle dot. */
const OTHER_JOINERS = new Set([95, 126, 183]);
const MAX_DISTANCE = 5;

function joinerOf(text: string, start: number, end: number): number {
  if (end - start > MAX_DISTANCE) return NOT_JOINED;
  if (end - start === 1) {
    const code = text.charCodeAt(start);
    if (code === 45) return 1;
    if (code === 32) return 2;
    if (code === 46) return 3;
    if (code > 64 && !OTHER_JOINERS.has(code)) return NOT_JOINED;
  }
  // No pattern begins with a letter or a syllable.
  const first = text.charCodeAt(start);
  if ((first >= 0xac00 && first <= 0xd7a3) || (first > 64 && first < 95) || (first > 96 && first < 123))
    return NOT_JOINED;
  const marks = text.slice(start, end);
  const matching = joinerPatterns.find(([pattern]) => pattern.test(marks));
  return matching ? joiners.indexOf(matching[1]) : NOT_JOINED;
}

const isDigit = (code: number) => code >= 48 && code <= 57;

/** Writes how each of the groups of digits of a text is joined to the next one. */
export function writeJoiners(text: string, { count, starts, ends, joined }: Groups): void {
  for (let at = 0; at + 1 < count; at++) joined[at] = joinerOf(text, ends[at] ?? 0, starts[at + 1] ?? 0);
  if (count > 0) joined[count - 1] = NOT_JOINED;
}

const isWord = (code: number) =>
  isDigit(code) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95 || code === 42;
const [DASH, DOT] = [45, 46];

/** Whether a number may begin at `start`: not in the middle of a longer one, nor of a code such as AB-12. */
export function beginsAt(text: string, start: number): boolean {
  if (start === 0) return true;
  const previous = text.charCodeAt(start - 1);
  if (isWord(previous)) return false;
  const beyond = text.charCodeAt(start - 2);
  if (previous === DASH) return !isWord(beyond);
  return previous !== DOT || !isDigit(beyond);
}

/** Whether a number may end at `end`. */
export function endsAt(text: string, end: number): boolean {
  const next = text.charCodeAt(end);
  if (isWord(next)) return false;
  const beyond = text.charCodeAt(end + 1);
  if (next === DASH) return !isWord(beyond);
  return next !== DOT || !isDigit(beyond);
}

const MAX_GROUPS = 5;
const MAX_DIGITS = 19;

/** Joiner of a number whose groups so far have `first`, and whose next group has `second`. */
const joinJoiners = (first: number, beyond: number): number => (first === 0 || first === beyond ? beyond : 4);

/** The number of the groups from `first` to `last`. */
function readCandidate(text: string, { starts, ends }: Groups, first: number, last: number, joiner: Joiner): Candidate {
  const lengths: number[] = [];
  let digits = '';
  for (let at = first; at <= last; at++) {
    const [from = 0, to = 0] = [starts[at], ends[at]];
    lengths.push(to - from);
    digits += text.slice(from, to);
  }
  return { text, start: starts[first] ?? 0, end: ends[last] ?? 0, digits, lengths, joiner };
}

/** Receives a number and a rule with its shape. */
export type ReportCandidate = (candidate: Candidate, rule: NumberRule) => void;

/** Creates a scanner that reports all numbers with the shape of a rule. */
export function createNumberScanner(
  rules: readonly NumberRule[],
): (text: string, groups: Groups, report: ReportCandidate) => void {
  const rulesFor = ruleTable(rules);
  return (text, groups, report) => {
    const { count, starts, ends, joined } = groups;
    for (let first = 0; first < count; first++) {
      const start = starts[first] ?? 0;
      if (!beginsAt(text, start)) continue;
      let total = 0;
      let shape = 0;
      let joiner = 0;
      for (let at = first; at < count && at < first + MAX_GROUPS; at++) {
        if (at > first) {
          const joins = joined[at - 1] ?? NOT_JOINED;
          if (joins === NOT_JOINED) break;
          joiner = joinJoiners(joiner, joins);
        }
        const end = ends[at] ?? 0;
        const length = end - (starts[at] ?? 0);
        total += length;
        if (total > MAX_DIGITS) break;
        shape = shape * SHAPE_BASE + length;
        const joins = joiners[joiner] ?? 'mixed';
        const shapeRules = rulesFor(shape, total, at - first + 1);
        if (shapeRules.length === 0) continue;
        if (!endsAt(text, end)) continue;
        let candidate: Candidate | null = null;
        for (const rule of shapeRules) {
          if (!rule.joiners.includes(joins)) continue;
          candidate ??= readCandidate(text, groups, first, at, joins);
          report(candidate, rule);
        }
      }
    }
  };
}

const SHAPE_BASE = 20;

/** Finds rules by shape, and by number of digits and of groups. */
function ruleTable(
  rules: readonly NumberRule[],
): (shape: number, total: number, groups: number) => readonly NumberRule[] {
  const byLength: NumberRule[][][] = Array.from({ length: MAX_GROUPS + 1 }, () =>
    Array.from({ length: MAX_DIGITS + 1 }, () => []),
  );
  for (const rule of rules) {
    if (!('minDigits' in rule.shapes)) continue;
    for (let groups = 1; groups <= rule.shapes.groups; groups++)
      for (let total = rule.shapes.minDigits; total <= rule.shapes.maxDigits; total++)
        byLength[groups]?.[total]?.push(rule);
  }
  const byShape = new Map<number, NumberRule[]>();
  for (const rule of rules) {
    if ('minDigits' in rule.shapes) continue;
    for (const shape of rule.shapes) {
      const lengths = shape.split('-').map(Number);
      const key = lengths.reduce((sum, length) => sum * SHAPE_BASE + length, 0);
      const lengthRules = byLength[lengths.length]?.[lengths.reduce((sum, length) => sum + length, 0)] ?? [];
      byShape.set(key, [...(byShape.get(key) ?? lengthRules), rule]);
    }
  }
  return (shape, total, groups) => byShape.get(shape) ?? byLength[groups]?.[total] ?? [];
}
