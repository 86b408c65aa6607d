import { z } from 'zod';
import { described, describedStrictly } from '../described.ts';
import { FindingCount } from '../utilities/guard.ts';
import { findingTypes, piiTypes } from '../utilities/privacy.ts';

export const PrivacyTrial = describedStrictly(
  'Body of POST /privacy/try: a text to search for personal values; nothing of it is kept or counted',
  {
    text: z.string().min(1).max(20_000).describe('Text to search, 1 to 20,000 characters'),
    types: z
      .array(z.enum(piiTypes))
      .min(1)
      .max(piiTypes.length)
      .nullable()
      .describe('Types that are searched for; null: the default types'),
    threshold: z.number().min(0).max(1).describe('Minimum score of a finding, 0 to 1'),
    by_policy: z.boolean().describe('Whether the lists and the recognizer model of the tenant are used'),
  },
);
export type PrivacyTrial = z.infer<typeof PrivacyTrial>;

export const PrivacyTrialResult = described('Personal values of the text', {
  findings: z
    .array(
      z.object({
        type: z.enum(findingTypes).describe('Type of the value'),
        start: z.int().describe('Start in the text, in UTF-16 units'),
        end: z.int().describe('End in the text, in UTF-16 units; not included'),
        score: z.number().describe('Certainty of the finding, 0 to 1'),
        recognizer: z
          .string()
          .describe('Name of the recognizer; model for the recognizer model of the tenant, deny_list for its list'),
      }),
    )
    .describe('Personal values that were found'),
  masked_text: z.string().describe('The text with these values masked'),
  failed_recognizers: z
    .array(
      z.object({
        name: z.string().describe('Name of the recognizer'),
        reason: z.string().describe('Why it did not run, or not over all of the text'),
      }),
    )
    .describe('Recognizers that did not run, or not over all of the text'),
});
export type PrivacyTrialResult = z.infer<typeof PrivacyTrialResult>;

export const PrivacyCountsQuery = describedStrictly('Query of GET /privacy/counts', {
  days: z.coerce.number().int().min(1).max(366).default(30).describe('Number of days in UTC, today included'),
});
export const PrivacyCounts = described('Personal values that were found, by day and type', {
  from: z.iso.date().describe('First day, ISO 8601 in UTC'),
  to: z.iso.date().describe('Last day, which is today, ISO 8601 in UTC'),
  items: z.array(FindingCount).describe('Numbers by day and type; what was not found is left out'),
});
export type PrivacyCounts = z.infer<typeof PrivacyCounts>;
