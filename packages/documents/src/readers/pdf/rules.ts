import { shared } from './geometry.ts';
import type { Rule } from './graphics.ts';

/** Lines nearer than this are one, in points: double lines, and ends that do not quite meet. */
export const NEAR = 3;
/** Tables are at least so large, in points. */
export const MIN_RULE_SIZE = 8;
/** A border is there when so much of its length is drawn. */
const DRAWN = 0.55;

/** Lines across and down. */
export interface Lines {
  readonly across: Rule[];
  readonly down: Rule[];
}

/** Whether most of a stretch is drawn at a place. */
export function drawn(rules: readonly Rule[], at: number, from: number, to: number): boolean {
  let length = 0;
  for (const rule of rules)
    if (Math.abs(rule.at - at) <= NEAR) length += Math.max(0, shared(rule.from, rule.to, from, to));
  return length >= DRAWN * (to - from);
}
