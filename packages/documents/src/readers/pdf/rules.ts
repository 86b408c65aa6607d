import { overlapLength } from './geometry.ts';
import type { Rule } from './graphics.ts';

/** Lines as near as this are one: double lines, and ends that do not quite meet. */
export const SAME_RULE_POINTS = 3;
/** Least width and height of a table. */
export const MIN_TABLE_SIZE_POINTS = 8;
/** A border exists when at least this share of its length is drawn. */
const MIN_DRAWN_SHARE = 0.55;

/** Lines across and down. */
export interface Lines {
  readonly across: Rule[];
  readonly down: Rule[];
}

/** True when most of a stretch is drawn at a place. */
export function isDrawn(rules: readonly Rule[], at: number, from: number, to: number): boolean {
  let length = 0;
  for (const rule of rules)
    if (Math.abs(rule.at - at) <= SAME_RULE_POINTS) length += Math.max(0, overlapLength(rule.from, rule.to, from, to));
  return length >= MIN_DRAWN_SHARE * (to - from);
}
