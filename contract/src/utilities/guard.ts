import { z } from 'zod';
import { findingTypes, piiTypes } from './privacy.ts';

/** What becomes of personal values in what is said to models, from the mildest to the strictest. */
export const guardModes = ['off', 'report', 'mask', 'refuse'] as const;
export const GuardMode = z.enum(guardModes);
export type GuardMode = z.infer<typeof GuardMode>;

const Words = z.array(z.string().trim().min(1).max(200)).max(500);

/** What a tenant lets through to models, and what is counted, masked or refused. */
export const GuardPolicy = z.object({
  mode: GuardMode,
  /** Null: the types that are looked for when none are named. */
  types: z.array(z.enum(piiTypes)).min(1).max(piiTypes.length).nullable(),
  /** Least score of a finding. */
  threshold: z.number().min(0).max(1),
  allow_list: Words.describe('Values that are never masked'),
  deny_list: Words.describe('Words that are always masked'),
  /** Whether a key or an agent may have a milder mode of its own; a stricter one it always may. */
  may_loosen: z.boolean(),
  /** A chat model that looks for names and addresses, too, where texts are masked; null for none. */
  recognizer_model: z.string().min(1).max(200).nullable(),
});
export type GuardPolicy = z.infer<typeof GuardPolicy>;

/** Of a tenant that has set nothing. */
export const openPolicy: GuardPolicy = {
  mode: 'off',
  types: null,
  threshold: 0.5,
  allow_list: [],
  deny_list: [],
  may_loosen: false,
  recognizer_model: null,
};

/** Where values were found. */
export const guardSources = ['chat', 'agents', 'text'] as const;
export type GuardSource = (typeof guardSources)[number];

/** A number of values of a type that were found on a day. */
export const FoundCount = z.object({
  day: z.iso.date(),
  type: z.enum(findingTypes),
  count: z.int(),
});
export type FoundCount = z.infer<typeof FoundCount>;
