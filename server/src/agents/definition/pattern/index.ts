import { type Assertion, badPattern, type CharSet, type Expression, parsePattern } from './parse.ts';

/** A regular expression that takes time in proportion to the text, whatever it says. */
export interface Pattern {
  /** Whether it is found anywhere in the first {@link MAX_SEARCHED_LENGTH} characters of a text. */
  test(text: string): boolean;
}

/** How much of a text is looked at, in UTF-16 units. */
export const MAX_SEARCHED_LENGTH = 50_000;
/** Most states: with the longest text, about a tenth of a second. */
const MAX_STATES = 500;

type State =
  | { readonly kind: 'set'; readonly has: CharSet; next: number }
  | { readonly kind: 'assert'; readonly what: Assertion; next: number }
  | { readonly kind: 'split'; next: number; other: number }
  | { readonly kind: 'found' };

/**
 * Makes a pattern of JavaScript's notation without look-around and references back, `(?i)` before it where case is the same.
 * Errors: StudioError `invalid_request` with what is wrong. Source: K. Thompson, "Regular expression search algorithm" (1968).
 */
export function compilePattern(source: string): Pattern {
  const states: State[] = [{ kind: 'found' }];
  const first = build(states, parsePattern(source), 0);
  return { test: (text) => search(states, first, text.slice(0, MAX_SEARCHED_LENGTH)) };
}

function add(states: State[], state: State): number {
  if (states.length >= MAX_STATES) throw badPattern('The pattern is too large: repeat less');
  return states.push(state) - 1;
}

/** Adds the states of an expression that goes on at `next`, from its end to its beginning. Returns its first. */
function build(states: State[], expression: Expression, next: number): number {
  switch (expression.kind) {
    case 'set':
      return add(states, { kind: 'set', has: expression.has, next });
    case 'assert':
      return add(states, { kind: 'assert', what: expression.what, next });
    case 'sequence':
      return expression.items.reduceRight((after, item) => build(states, item, after), next);
    case 'either':
      return expression.items
        .map((item) => build(states, item, next))
        .reduce((one, other) => add(states, { kind: 'split', next: one, other }));
    case 'repeat':
      return buildRepeat(states, expression, next);
  }
}

function buildRepeat(states: State[], repeat: Extract<Expression, { kind: 'repeat' }>, next: number): number {
  const { item, min, max } = repeat;
  let first = next;
  if (max === Number.POSITIVE_INFINITY) {
    const loop: Extract<State, { kind: 'split' }> = { kind: 'split', next: 0, other: next };
    first = add(states, loop);
    loop.next = build(states, item, first);
  } else {
    for (let left = max - min; left > 0; left -= 1)
      first = add(states, { kind: 'split', next: build(states, item, first), other: next });
  }
  for (let left = min; left > 0; left -= 1) {
    const before = states.length;
    first = build(states, item, first);
    // What adds nothing, as an empty group does, adds nothing however often.
    if (states.length === before) break;
  }
  return first;
}

const isWord = (char: string | undefined) => char !== undefined && /^\w$/.test(char);

function holds(what: Assertion, before: string | undefined, after: string | undefined): boolean {
  if (what === '^') return before === undefined;
  if (what === '$') return after === undefined;
  return (isWord(before) !== isWord(after)) === (what === '\\b');
}

/** Walks all ways at once, character by character. */
function search(states: readonly State[], first: number, text: string): boolean {
  const chars = Array.from(text);
  /** At which character each state was last entered, so that none is entered twice. */
  const entered = new Int32Array(states.length).fill(-1);
  let now: number[] = [];
  for (let at = 0; at <= chars.length; at += 1) {
    const [before, char] = [chars[at - 1], chars[at]];
    const open = [...now, first];
    const waiting: number[] = [];
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      if (entered[index] === at) continue;
      entered[index] = at;
      const state = states[index] as State;
      if (state.kind === 'found') return true;
      if (state.kind === 'set') waiting.push(index);
      else if (state.kind === 'split') open.push(state.next, state.other);
      else if (holds(state.what, before, char)) open.push(state.next);
    }
    now = [];
    if (char === undefined) return false;
    for (const index of waiting) {
      const state = states[index];
      if (state?.kind === 'set' && state.has(char)) now.push(state.next);
    }
  }
  return false;
}
