import { type Nfa, closure } from './nfa.ts';
import { common, inverted, normalised } from './ranges.ts';
import type { Length } from './regex.ts';
import type { Ranges } from './text.ts';

/** Transitions to other states: at most one for each character. */
type Edges = readonly { readonly ranges: Ranges; readonly to: number }[];

/** A deterministic finite automaton; a character without a transition rejects the text. State 0 is the initial one. */
export interface Dfa {
  readonly states: readonly { readonly accepts: boolean; readonly edges: Edges }[];
}

/** Budget of steps for building the automata of one grammar. */
export interface StepBudget {
  left: number;
}

/** An automaton that would exceed the limit of states or the budget of steps. */
export class TooManyStates extends Error {}

const MAX_STATES = 4_000;

/** Builds an automaton by exploring its states from the initial one: `key` identifies a state, `expand` returns its transitions. */
function explore<S>(
  budget: StepBudget,
  first: S,
  key: (state: S) => string,
  expand: (state: S) => { accepts: boolean; transitions: readonly { ranges: Ranges; to: S }[]; steps: number },
): Dfa {
  const ids = new Map<string, number>([[key(first), 0]]);
  const open = [first];
  const states: { accepts: boolean; edges: Edges }[] = [];
  for (let at = 0; at < open.length; at++) {
    const { accepts, transitions, steps } = expand(open[at] as S);
    budget.left -= 1 + steps;
    if (at >= MAX_STATES || budget.left < 0) throw new TooManyStates();
    const targets = new Map<number, (readonly [number, number])[]>();
    for (const { ranges, to } of transitions) {
      const name = key(to);
      let id = ids.get(name);
      if (id === undefined) {
        id = ids.size;
        ids.set(name, id);
        open.push(to);
      }
      targets.set(id, [...(targets.get(id) ?? []), ...ranges]);
    }
    states.push({ accepts, edges: [...targets].map(([to, ranges]) => ({ to, ranges: normalised(ranges) })) });
  }
  return { states };
}

/** Cuts overlapping ranges at each other's borders; hands out each piece with the targets that it leads to. */
function pieces(steps: readonly { readonly ranges: Ranges; readonly to: number }[]) {
  const borders = new Map<number, { begin: number[]; end: number[] }>();
  const at = (code: number) => {
    const known = borders.get(code) ?? { begin: [], end: [] };
    borders.set(code, known);
    return known;
  };
  for (const { ranges, to } of steps)
    for (const [from, last] of ranges) {
      at(from).begin.push(to);
      at(last + 1).end.push(to);
    }
  const sorted = [...borders].toSorted(([a], [b]) => a - b);
  const active = new Map<number, number>();
  const out: { readonly ranges: Ranges; readonly to: number[] }[] = [];
  for (const [i, [code, { begin, end }]] of sorted.entries()) {
    for (const to of end) active.set(to, (active.get(to) ?? 0) - 1);
    for (const to of begin) active.set(to, (active.get(to) ?? 0) + 1);
    const targets = [...active].filter(([, count]) => count > 0).map(([to]) => to);
    const next = sorted[i + 1];
    if (next && targets.length > 0) out.push({ ranges: [[code, next[0] - 1]], to: targets });
  }
  return out;
}

/** Subset construction: the DFA of an NFA. Throws {@link TooManyStates}. */
export function determinize(nfa: Nfa, budget: StepBudget): Dfa {
  type States = { readonly ids: readonly number[]; readonly first: boolean };
  return explore<States>(
    budget,
    { ids: closure(nfa, [0], 'start'), first: true },
    ({ ids, first }) => `${first ? '^' : ''}${ids.join()}`,
    ({ ids, first }) => ({
      accepts: closure(nfa, ids, first ? 'empty' : 'end').includes(nfa.final),
      steps: ids.length,
      transitions: pieces(ids.flatMap((id) => nfa.states[id]?.steps ?? [])).map(({ ranges, to }) => ({
        ranges,
        to: { ids: closure(nfa, to, 'middle'), first: false },
      })),
    }),
  );
}

/** Texts that both take. Throws {@link TooManyStates}. */
export function intersection(a: Dfa, b: Dfa, budget: StepBudget): Dfa {
  return explore<readonly [number, number]>(
    budget,
    [0, 0],
    (pair) => pair.join(),
    ([i, j]) => ({
      accepts: a.states[i]?.accepts === true && b.states[j]?.accepts === true,
      steps: (a.states[i]?.edges.length ?? 0) * (b.states[j]?.edges.length ?? 0),
      transitions: (a.states[i]?.edges ?? []).flatMap((x) =>
        (b.states[j]?.edges ?? []).flatMap((y) => {
          const ranges = common(x.ranges, y.ranges);
          return ranges.length === 0 ? [] : [{ ranges, to: [x.to, y.to] as const }];
        }),
      ),
    }),
  );
}

/** Texts that the first takes and the second does not. Throws {@link TooManyStates}. */
export function difference(a: Dfa, b: Dfa, budget: StepBudget): Dfa {
  return explore<readonly [number, number | null]>(
    budget,
    [0, 0],
    (pair) => pair.join(),
    ([i, j]) => {
      const others = j === null ? [] : (b.states[j]?.edges ?? []);
      const rest = inverted(others.flatMap(({ ranges }) => ranges));
      const transitions = (a.states[i]?.edges ?? []).flatMap((x) =>
        [...others, { ranges: rest, to: null }].flatMap((y) => {
          const ranges = common(x.ranges, y.ranges);
          return ranges.length === 0 ? [] : [{ ranges, to: [x.to, y.to] as const }];
        }),
      );
      const accepts = a.states[i]?.accepts === true && (j === null || b.states[j]?.accepts !== true);
      return { accepts, transitions, steps: (a.states[i]?.edges.length ?? 0) * (others.length + 1) };
    },
  );
}

/** Texts of a length. Throws {@link TooManyStates}. */
export function ofLength(dfa: Dfa, { min, max }: Length, budget: StepBudget): Dfa {
  // From there on the length does not matter.
  const enough = max === null ? min : max + 1;
  return explore<readonly [number, number]>(
    budget,
    [0, 0],
    (pair) => pair.join(),
    ([id, length]) => ({
      accepts: dfa.states[id]?.accepts === true && length >= min,
      steps: dfa.states[id]?.edges.length ?? 0,
      transitions:
        max !== null && length >= max
          ? []
          : (dfa.states[id]?.edges ?? []).map(({ ranges, to }) => ({
              ranges,
              to: [to, Math.min(length + 1, enough)] as const,
            })),
    }),
  );
}

/** Without the states that lead nowhere and the characters that cannot be written; null when it takes no text. */
export function trimmed(dfa: Dfa, writable: (ranges: Ranges) => boolean): Dfa | null {
  const back: number[][] = dfa.states.map(() => []);
  for (const [id, { edges }] of dfa.states.entries())
    for (const { to, ranges } of edges) if (writable(ranges)) back[to]?.push(id);
  const alive = new Set<number>();
  const open = dfa.states.flatMap(({ accepts }, id) => (accepts ? [id] : []));
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (alive.has(id)) continue;
    alive.add(id);
    open.push(...(back[id] ?? []));
  }
  if (!alive.has(0)) return null;
  return {
    states: dfa.states.map(({ accepts, edges }) => ({
      accepts,
      edges: edges.filter(({ to, ranges }) => alive.has(to) && writable(ranges)),
    })),
  };
}
