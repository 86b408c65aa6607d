import { z } from 'zod';
import { described } from '../described.ts';
import { findingTypes, piiTypes } from './privacy.ts';

/** Handling of personal values in requests to models, from the mildest to the strictest. */
export const guardModes = ['off', 'report', 'mask', 'refuse'] as const;
export const GuardMode = z
  .enum(guardModes)
  .describe('Handling of personal values in requests to models, from the mildest to the strictest');
export type GuardMode = z.infer<typeof GuardMode>;

const Words = z.array(z.string().trim().min(1).max(200)).max(500);

export const GuardPolicy = described('Handling of personal values in requests of a tenant to models', {
  mode: GuardMode,
  types: z
    .array(z.enum(piiTypes))
    .min(1)
    .max(piiTypes.length)
    .nullable()
    .describe('Types that are searched for; null: the default types'),
  threshold: z.number().min(0).max(1).describe('Minimum score of a finding, 0 to 1'),
  allow_list: Words.describe('Values that are never masked'),
  deny_list: Words.describe('Words that are always masked'),
  may_loosen: z
    .boolean()
    .describe('Whether a key or an agent may have a milder mode of its own; a stricter one is always allowed'),
  recognizer_model: z
    .string()
    .min(1)
    .max(200)
    .nullable()
    .describe('A chat model that searches for names and addresses as well where texts are masked; null for none'),
});
export type GuardPolicy = z.infer<typeof GuardPolicy>;

export const GuardPolicyChange = GuardPolicy.strict().describe('Body of PUT /privacy/policy: the policy as a whole');

/** The policy of a tenant that has set none. */
export const defaultGuardPolicy: GuardPolicy = {
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
/** Where a value was found. */
export type GuardSource = (typeof guardSources)[number];

export const FindingCount = described('Number of personal values of one type that were found on one day', {
  day: z.iso.date().describe('Day in UTC'),
  type: z.enum(findingTypes).describe('Type of the values'),
  count: z.int().describe('Number of values'),
});
export type FindingCount = z.infer<typeof FindingCount>;
