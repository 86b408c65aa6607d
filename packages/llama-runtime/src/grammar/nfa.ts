import { EVERY } from './ranges.ts';
import { type Node, UnsupportedPattern } from './regex.ts';
import type { Ranges } from './text.ts';

interface State {
  /** Transitions by a character. */
  readonly steps: { readonly ranges: Ranges; readonly to: number }[];
  /** Epsilon transitions; some hold only before the first or after the last character. */
  readonly jumps: { readonly to: number; readonly only: 'start' | 'end' | null }[];
}

/** A nondeterministic finite automaton of a regular expression. State 0 is the initial one. */
export interface Nfa {
  readonly states: readonly State[];
  readonly final: number;
}

/** The epsilon closure: all states that can be reached without a character. */
export function closure({ states }: Nfa, from: readonly number[], at: 'start' | 'end' | 'middle' | 'empty'): number[] {
  const seen = new Set(from);
  const open = [...from];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    for (const { to, only } of states[id]?.jumps ?? []) {
      if (seen.has(to) || !(only === null || only === at || at === 'empty')) continue;
      seen.add(to);
      open.push(to);
    }
  }
  return [...seen].toSorted((a, b) => a - b);
}

class NfaBuilder {
  readonly states: State[] = [];

  state(): number {
    return this.states.push({ steps: [], jumps: [] }) - 1;
  }

  jump(from: number, to: number, only: 'start' | 'end' | null = null): void {
    this.states[from]?.jumps.push({ to, only });
  }

  step(from: number, to: number, ranges: Ranges): void {
    this.states[from]?.steps.push({ ranges, to });
  }

  /** Adds a node after a state; returns the state behind it. */
  add(node: Node, from: number): number {
    switch (node.type) {
      case 'set': {
        const to = this.state();
        this.step(from, to, node.ranges);
        return to;
      }
      case 'start':
      case 'end': {
        const to = this.state();
        this.jump(from, to, node.type);
        return to;
      }
      case 'sequence':
        return node.items.reduce((at, item) => this.add(item, at), from);
      case 'choice': {
        const to = this.state();
        for (const item of node.items) this.jump(this.add(item, this.#after(from)), to);
        return to;
      }
      case 'repeat':
        return this.#repeat(node.item, node.min, node.max, from);
    }
  }

  #after(from: number): number {
    const to = this.state();
    this.jump(from, to);
    return to;
  }

  #repeat(item: Node, min: number, max: number | null, from: number): number {
    let at = from;
    for (let i = 0; i < min; i++) at = this.add(item, at);
    if (max === null) {
      const loop = this.#after(at);
      this.jump(this.add(item, loop), loop);
      return this.#after(loop);
    }
    const end = this.state();
    this.jump(at, end);
    for (let i = min; i < max; i++) {
      at = this.add(item, this.#after(at));
      this.jump(at, end);
    }
    return end;
  }
}

/**
 * The machine of a regular expression. `search`: it takes texts in which the expression is found anywhere, as JSON
 * Schema means it; otherwise those that it matches as a whole.
 */
export function createNfa(node: Node, { search }: { readonly search: boolean }): Nfa {
  const builder = new NfaBuilder();
  const first = builder.state();
  if (search) builder.step(first, first, EVERY);
  const final = builder.add(node, first);
  if (!search) return { states: builder.states, final };
  const found = builder.state();
  builder.jump(final, found);
  builder.step(found, found, EVERY);
  return { states: builder.states, final: found };
}

const takes = (ranges: Ranges, code: number) => ranges.some(([from, to]) => code >= from && code <= to);

/**
 * Whether the machine takes a text: no expression makes it go back. What it takes is subtracted from `budget`; throws
 * UnsupportedPattern when none is left.
 */
export function accepts(nfa: Nfa, text: string, budget: { left: number }): boolean {
  let at = closure(nfa, [0], text === '' ? 'empty' : 'start');
  const characters = Array.from(text, (c) => c.codePointAt(0) ?? 0);
  for (const [i, code] of characters.entries()) {
    const next = new Set<number>();
    budget.left -= at.length;
    if (budget.left < 0) throw new UnsupportedPattern('so many states for such long texts');
    for (const id of at)
      for (const { ranges, to } of nfa.states[id]?.steps ?? []) if (takes(ranges, code)) next.add(to);
    if (next.size === 0) return false;
    at = closure(nfa, [...next], i === characters.length - 1 ? 'end' : 'middle');
  }
  return at.includes(nfa.final);
}
