import type { PiiType } from '@ai-studio/contract/utilities/privacy.ts';

// Numbers are read as groups of digits with marks between. A family says which lengths its groups have ("6-7") and how
// sure it is of one; all families share one pass, whose work at a group is limited, so that time grows with the text only.

/** What stands between the groups of a number; `mixed` where it differs. */
export type Joiner = 'none' | 'dash' | 'space' | 'dot' | 'mixed';

/** A number that may be one of some kind. */
export interface Candidate {
  /** The text it stands in. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Without what is between them. */
  readonly digits: string;
  /** Lengths of its groups. */
  readonly lengths: readonly number[];
  readonly joiner: Joiner;
}

/** Says how a family knows its numbers. */
export interface NumberRule {
  readonly type: PiiType;
  /** Lengths of groups such as `6-7`, or how many digits in all, and groups at most. */
  readonly shapes: readonly string[] | { readonly least: number; readonly most: number; readonly groups: number };
  readonly joiners: readonly Joiner[];
  /** Score of a candidate; 0 for none. */
  score(candidate: Candidate): number;
}

/** Groups of digits: where each begins and ends, and how the next one is joined to it. */
export interface Groups {
  readonly count: number;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  /** Joiner to the next group by its place in {@link joiners}; 255 where none. */
  readonly joined: Uint8Array;
}

const joiners = ['none', 'dash', 'space', 'dot', 'mixed'] as const satisfies readonly Joiner[];
const APART = 255;
/** What joins two groups: a dash (also with spaces or an end of line), a space or two, a dot, brackets of an area code. */
const between: readonly (readonly [RegExp, Joiner])[] = [
  [/^\s{0,2}-\s{0,2}$|^--$|^- -$/, 'dash'],
  [/^ {1,2}$/, 'space'],
  [/^\.$/, 'dot'],
  [/^ ?\) ?-?$|^ ?\($|^-\($|^\)?\/ ?$|^\. $|^ ?[~·] ?$|^_$/, 'mixed'],
];
/** Underscore, tilde, middle dot. */
const OTHER_JOINERS = new Set([95, 126, 183]);
const MAX_DISTANCE = 5;

function joinerOf(text: string, from: number, to: number): number {
  if (to - from > MAX_DISTANCE) return APART;
  if (to - from === 1) {
    const code = text.charCodeAt(from);
    if (code === 45) return 1;
    if (code === 32) return 2;
    if (code === 46) return 3;
    if (code > 64 && !OTHER_JOINERS.has(code)) return APART;
  }
  const marks = text.slice(from, to);
  const found = between.find(([pattern]) => pattern.test(marks));
  return found ? joiners.indexOf(found[1]) : APART;
}

const isDigit = (code: number) => code >= 48 && code <= 57;

/** All groups of digits of a text. */
export function digitGroups(text: string): Groups {
  let room = 64;
  let starts = new Uint32Array(room);
  let ends = new Uint32Array(room);
  let count = 0;
  for (const { index, 0: digits } of text.matchAll(/[0-9]+/g)) {
    if (count === room) {
      room *= 2;
      const [moreStarts, moreEnds] = [new Uint32Array(room), new Uint32Array(room)];
      moreStarts.set(starts);
      moreEnds.set(ends);
      [starts, ends] = [moreStarts, moreEnds];
    }
    starts[count] = index;
    ends[count] = index + digits.length;
    count++;
  }
  const joined = new Uint8Array(count).fill(APART);
  for (let at = 0; at + 1 < count; at++) joined[at] = joinerOf(text, ends[at] ?? 0, starts[at + 1] ?? 0);
  return { count, starts, ends, joined };
}

const isWord = (code: number) =>
  isDigit(code) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95 || code === 42;
const [DASH, DOT] = [45, 46];

/** Whether a number begins at `start`: it is not the rest of a longer one, nor of a code such as AB-12. */
export function beginsAt(text: string, start: number): boolean {
  if (start === 0) return true;
  const before = text.charCodeAt(start - 1);
  if (isWord(before)) return false;
  const second = text.charCodeAt(start - 2);
  if (before === DASH) return !isWord(second);
  return before !== DOT || !isDigit(second);
}

/** Whether a number ends before `end`. */
export function endsAt(text: string, end: number): boolean {
  const behind = text.charCodeAt(end);
  if (isWord(behind)) return false;
  const second = text.charCodeAt(end + 1);
  if (behind === DASH) return !isWord(second);
  return behind !== DOT || !isDigit(second);
}

const MAX_GROUPS = 5;
const MAX_DIGITS = 19;

/** Joiner of a number whose groups so far had `first`, and whose next has `second`. */
const together = (first: number, second: number): number => (first === 0 || first === second ? second : 4);

/** Takes a number, with a rule that has its shape. */
export type TakeCandidate = (candidate: Candidate, rule: NumberRule) => void;

/** What finds all numbers that the rules have shapes for. */
export function numberScanner(
  rules: readonly NumberRule[],
): (text: string, groups: Groups, take: TakeCandidate) => void {
  const rulesOf = ruleTable(rules);
  return (text, groups, take) => {
    const { count, starts, ends, joined } = groups;
    for (let first = 0; first < count; first++) {
      const start = starts[first] ?? 0;
      if (!beginsAt(text, start)) continue;
      let total = 0;
      let shape = 0;
      let joiner = 0;
      for (let at = first; at < count && at < first + MAX_GROUPS; at++) {
        if (at > first) {
          const joins = joined[at - 1] ?? APART;
          if (joins === APART) break;
          joiner = together(joiner, joins);
        }
        const end = ends[at] ?? 0;
        const length = end - (starts[at] ?? 0);
        total += length;
        if (total > MAX_DIGITS) break;
        shape = shape * SHAPE_BASE + length;
        const joins = joiners[joiner] ?? 'mixed';
        const shaped = rulesOf(shape, total, at - first + 1);
        if (shaped.length === 0) continue;
        const found = shaped.filter((rule) => rule.joiners.includes(joins));
        if (found.length === 0 || !endsAt(text, end)) continue;
        const lengths = Array.from(
          { length: at - first + 1 },
          (_, i) => (ends[first + i] ?? 0) - (starts[first + i] ?? 0),
        );
        const digits = text.slice(start, end).replace(/[^0-9]+/g, '');
        const candidate = { text, start, end, digits, lengths, joiner: joins };
        for (const rule of found) take(candidate, rule);
      }
    }
  };
}

const SHAPE_BASE = 20;

/** Rules by shape, and by number of digits and of groups. */
function ruleTable(
  rules: readonly NumberRule[],
): (shape: number, total: number, groups: number) => readonly NumberRule[] {
  const loose: NumberRule[][][] = Array.from({ length: MAX_GROUPS + 1 }, () =>
    Array.from({ length: MAX_DIGITS + 1 }, () => []),
  );
  for (const rule of rules) {
    if (!('least' in rule.shapes)) continue;
    for (let groups = 1; groups <= rule.shapes.groups; groups++)
      for (let total = rule.shapes.least; total <= rule.shapes.most; total++) loose[groups]?.[total]?.push(rule);
  }
  const byShape = new Map<number, NumberRule[]>();
  for (const rule of rules) {
    if ('least' in rule.shapes) continue;
    for (const shape of rule.shapes) {
      const lengths = shape.split('-').map(Number);
      const key = lengths.reduce((sum, length) => sum * SHAPE_BASE + length, 0);
      const others = loose[lengths.length]?.[lengths.reduce((sum, length) => sum + length, 0)] ?? [];
      byShape.set(key, [...(byShape.get(key) ?? others), rule]);
    }
  }
  return (shape, total, groups) => byShape.get(shape) ?? loose[groups]?.[total] ?? [];
}
