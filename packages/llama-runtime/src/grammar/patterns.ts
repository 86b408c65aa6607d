import {
  type Dfa,
  type StepBudget,
  TooManyStates,
  determinize,
  difference,
  intersection,
  ofLength,
  trimmed,
} from './dfa.ts';
import { formats, unboundedFormats } from './formats.ts';
import { accepts, createNfa } from './nfa.ts';
import { type Length, type Node, UnsupportedPattern, parseRegex } from './regex.ts';
import {
  type Writer,
  inJson,
  machineBody,
  ofFittedLength,
  openEnded,
  regexBody,
  withoutAnchors,
} from './regex-text.ts';
import type { SchemaWalk } from './walk.ts';

/** What a text must be. */
export interface TextRules extends Length {
  /** Regular expressions that are all found in it. */
  readonly patterns: readonly string[];
  /** Formats by their names. */
  readonly formats: readonly string[];
  /** Regular expressions that it matches as a whole. */
  readonly wholes?: readonly string[];
  /** Regular expressions that are not found in it. */
  readonly notPatterns?: readonly string[];
  /** What it is not. */
  readonly notTexts?: readonly string[];
}

/** What a text is made with: rules for its states, and how its characters are written. */
export interface TextMaker extends Pick<SchemaWalk, 'reserve' | 'budget'> {
  readonly write: Writer;
}

/** States that lengths and expressions may take together. */
const MAX_STATES = 4_000;
/** Longer texts are cut before their states are counted. */
const MAX_LENGTH = 256;

const textNode = (text: string): Node => ({
  type: 'sequence',
  items: Array.from(text, (c) => ({ type: 'set', ranges: [[c.codePointAt(0) ?? 0, c.codePointAt(0) ?? 0]] })),
});

/**
 * Texts of a length; where that makes too many states of a long range, only its shorter ones. Null when there are none.
 * Throws TooManyStates, also where there may be longer ones only.
 */
function cutToLength(
  machine: Dfa,
  { min, max }: Length,
  budget: StepBudget,
  live: (machine: Dfa) => Dfa | null,
): Dfa | null {
  if (max === null || max <= MAX_LENGTH) {
    try {
      return live(ofLength(machine, { min, max }, budget));
    } catch (error) {
      if (!(error instanceof TooManyStates) || max === null) throw error;
    }
  }
  const shorter = Math.max(min, Math.floor(MAX_STATES / machine.states.length) - 1);
  const cut = live(ofLength(machine, { min, max: Math.min(max, shorter) }, budget));
  if (cut === null && shorter < max) throw new TooManyStates();
  return cut;
}

/** The machine of the texts; null when there are none. */
function machineOf(
  rules: TextRules,
  search: boolean,
  { budget, write }: Pick<TextMaker, 'budget' | 'write'>,
): Dfa | null {
  const live = (machine: Dfa) => trimmed(machine, (ranges) => write(ranges) !== null);
  const whole = (node: Node) => determinize(createNfa(node, { search: false }), budget);
  const anywhere = (source: string) => determinize(createNfa(parseRegex(source), { search: true }), budget);
  let all: Dfa | null = null;
  const parts = [
    ...rules.formats.map((name) => whole(parseRegex(unboundedFormats[name] ?? '[^]*'))),
    ...(rules.wholes ?? []).map((source) => whole(parseRegex(source))),
    ...rules.patterns.map((source) => (search ? anywhere(source) : whole(openEnded(parseRegex(source))))),
  ];
  for (const part of parts.length === 0 ? [whole(parseRegex('[^]*'))] : parts) {
    const joined: Dfa = all === null ? part : intersection(all, part, budget);
    all = live(joined);
    if (all === null) return null;
  }
  for (const source of rules.notPatterns ?? []) all = all && live(difference(all, anywhere(source), budget));
  const texts = rules.notTexts ?? [];
  if (all && texts.length > 0) {
    all = live(difference(all, whole({ type: 'choice', items: texts.map(textNode) }), budget));
  }
  const { min, max } = rules;
  return all && (min > 0 || max !== null) ? cutToLength(all, { min, max }, budget, live) : all;
}

/** A body for one expression and a length, without states. */
function plainBody(rules: TextRules, write: Writer): string | null {
  const { patterns, wholes = [], notPatterns = [], notTexts = [], min, max } = rules;
  const [source, other] = [...patterns, ...wholes, ...rules.formats.map((name) => formats[name] ?? '[^]*')];
  if (source === undefined || other !== undefined || notPatterns.length > 0 || notTexts.length > 0) return null;
  const node = withoutAnchors(patterns.length > 0 ? openEnded(parseRegex(source)) : parseRegex(source));
  const fitted = node && ofFittedLength(node, { min, max });
  return fitted && regexBody(fitted, write);
}

/**
 * GBNF of a text; null when no text is like that. Throws {@link UnsupportedPattern}.
 * A pattern without anchors is taken for the whole text where that leaves any.
 */
export function textBody(maker: TextMaker, rules: TextRules): string | null {
  const plain = plainBody(rules, maker.write);
  if (plain !== null) return plain;
  try {
    const machine =
      machineOf(rules, false, maker) ?? (rules.patterns.length > 0 ? machineOf(rules, true, maker) : null);
    return machine && machineBody(maker, machine, maker.write);
  } catch (error) {
    if (error instanceof TooManyStates)
      throw new UnsupportedPattern(
        'so many states together with what stands beside it (say the length in the pattern)',
      );
    throw error;
  }
}

/** Whether no text is found by both expressions; false where that would take too long to tell. */
export function areDisjoint(a: string, b: string, budget: StepBudget): boolean {
  try {
    return machineOf({ patterns: [a, b], formats: [], min: 0, max: null }, true, { budget, write: inJson }) === null;
  } catch (error) {
    if (error instanceof TooManyStates || error instanceof UnsupportedPattern) return false;
    throw error;
  }
}

/** Steps to look for one expression in texts: a second or two. */
const MAX_STEPS = 5_000_000;

/**
 * Tells whether an expression is found in a text, as JSON Schema's `pattern` means it. Throws {@link UnsupportedPattern},
 * also when the texts together take too long.
 */
export function createSearch(source: string, budget: StepBudget = { left: MAX_STEPS }): (text: string) => boolean {
  const nfa = createNfa(parseRegex(source), { search: true });
  return (text) => accepts(nfa, text, budget);
}
