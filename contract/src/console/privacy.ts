import { z } from 'zod';
import { FoundCount } from '../utilities/guard.ts';
import { findingTypes, piiTypes } from '../utilities/privacy.ts';

/** POST /privacy/try: a text is looked through, and nothing of it is kept or counted. */
export const PrivacyTrial = z.object({
  text: z.string().min(1).max(20_000),
  /** Null: those that are looked for when none are named. */
  types: z.array(z.enum(piiTypes)).min(1).max(piiTypes.length).nullable(),
  threshold: z.number().min(0).max(1),
  /** With the allow and the deny list of the tenant, and its model for names. */
  by_policy: z.boolean(),
});
export type PrivacyTrial = z.infer<typeof PrivacyTrial>;

/** `start` and `end` are UTF-16 units of the text. */
export const PrivacyTrialResult = z.object({
  findings: z.array(
    z.object({
      type: z.enum(findingTypes),
      start: z.int(),
      end: z.int(),
      score: z.number(),
      recognizer: z.string(),
    }),
  ),
  masked_text: z.string(),
  failed_recognizers: z.array(z.object({ name: z.string(), reason: z.string() })),
});
export type PrivacyTrialResult = z.infer<typeof PrivacyTrialResult>;

/** Query and answer of GET /privacy/counts: days of the UTC, today among them. */
export const PrivacyCountsQuery = z.object({ days: z.coerce.number().int().min(1).max(366).default(30) });
export const PrivacyCounts = z.object({ from: z.iso.date(), to: z.iso.date(), items: z.array(FoundCount) });
export type PrivacyCounts = z.infer<typeof PrivacyCounts>;
