import type { FindingType } from '@ai-studio/contract/utilities/privacy.ts';

/** A personal value that was found in a text. */
export interface Finding {
  readonly type: FindingType;
  /** In UTF-16 units of the text. */
  readonly start: number;
  readonly end: number;
  /** 0 to 1. */
  readonly score: number;
  /** Left out where a rule found it. */
  readonly by?: 'model';
}

/** Score of a value that a person would recognise without doubt. */
export const SURE = 0.95;

/** Receives what a recogniser found. */
export type Report = (type: FindingType, start: number, end: number, score: number) => void;
