import { z } from 'zod';
import { described, describedStrictly } from '../described.ts';

/** What rows of a usage report stand for. */
export const usageGroups = ['day', 'hour', 'model', 'key', 'user', 'endpoint', 'status'] as const;

export const UsageQuery = describedStrictly('Query of GET /usage and GET /usage.csv', {
  from: z.iso.datetime().optional().describe('30 days ago when left out'),
  to: z.iso.datetime().optional().describe('End of the span, ISO 8601 in UTC, not included; now when left out'),
  group: z.enum(usageGroups).default('day').describe('What the rows of the report stand for'),
  model: z.string().max(200).optional().describe('Only requests to the model with this id'),
  key_id: z.string().max(64).optional().describe('Only requests with the API key of this id'),
  user_id: z.string().max(64).optional().describe('Only requests of the person with this id and of their keys'),
  time_zone: z.string().max(64).default('UTC').describe('IANA name of the time zone in which days begin'),
});
export type UsageQuery = z.infer<typeof UsageQuery>;

export const UsageFigures = described('Figures of use', {
  requests: z.int().describe('Number of requests to models'),
  errors: z.int().describe('Number of requests that failed'),
  canceled: z.int().describe('Number of requests that their caller ended before they were complete'),
  prompt_tokens: z.int().describe('Tokens of prompts and other inputs'),
  completion_tokens: z.int().describe('Tokens of reasoning and answers'),
  reasoning_tokens: z.int().describe('Tokens of reasoning, as far as they are known; completion_tokens hold them, too'),
  pages: z.int().describe('Pages of documents that were read'),
  audio_in_ms: z.int().describe('Length of recordings that were transcribed, in milliseconds'),
  audio_out_ms: z.int().describe('Length of generated speech, in milliseconds'),
  characters: z.int().describe('Characters of texts that were spoken'),
  latency_p50: z
    .number()
    .nullable()
    .describe('Milliseconds; null where nothing was measured. Percentiles are those of buckets that double'),
  latency_p95: z.number().nullable().describe('Milliseconds; null where nothing was measured'),
  first_token_p50: z.number().nullable().describe('Milliseconds; null where nothing was measured'),
  first_token_p95: z.number().nullable().describe('Milliseconds; null where nothing was measured'),
});
export type UsageFigures = z.infer<typeof UsageFigures>;

export const UsageReport = described('Use in a span of time, in all and by group', {
  from: z.iso.datetime().describe('Start of the span, ISO 8601 in UTC'),
  to: z.iso.datetime().describe('End of the span, ISO 8601 in UTC; not included'),
  total: UsageFigures,
  rows: z
    .array(
      UsageFigures.extend({
        key: z.string().describe('A time (ISO 8601), an id or a value of the group'),
        label: z.string().describe('Name of the row for people'),
      }),
    )
    .describe('Figures of each day, hour or value of the group, at most 10,000 rows'),
});
export type UsageReport = z.infer<typeof UsageReport>;
