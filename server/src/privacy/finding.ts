import type { FindingType } from '@ai-studio/contract/utilities/privacy.ts';

/** A value that was found. */
export interface Finding {
  readonly type: FindingType;
  /** In UTF-16 units of the text. */
  readonly start: number;
  readonly end: number;
  /** 0 to 1. */
  readonly score: number;
  /** Left out where the rules found it. */
  readonly by?: 'model';
}

/** Score of what a person would be sure of. */
export const SURE = 0.95;

/** Takes what a recogniser found. */
export type Report = (type: FindingType, start: number, end: number, score: number) => void;
