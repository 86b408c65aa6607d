import { z } from 'zod';
import { described, describedStrictly } from '../described.ts';

/** What rows of a usage report stand for. */
export const usageGroups = ['day', 'hour', 'model', 'key', 'user', 'endpoint', 'status'] as const;

export const UsageQuery = describedStrictly('Query of GET /usage and GET /usage.csv', {
  from: z.iso.datetime().optional().describe('30 days ago when left out'),
  to: z.iso.datetime().optional(),
  group: z.enum(usageGroups).default('day'),
  model: z.string().max(200).optional(),
  key_id: z.string().max(64).optional(),
  user_id: z.string().max(64).optional(),
  time_zone: z.string().max(64).default('UTC').describe('IANA name of the time zone in which days begin'),
});
export type UsageQuery = z.infer<typeof UsageQuery>;

export const UsageFigures = described('Figures of use', {
  requests: z.int(),
  errors: z.int(),
  canceled: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  reasoning_tokens: z.int(),
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
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  total: UsageFigures,
  rows: z.array(
    UsageFigures.extend({
      key: z.string().describe('A time (ISO 8601), an id or a value of the group'),
      label: z.string().describe('Name of the row for people'),
    }),
  ),
});
export type UsageReport = z.infer<typeof UsageReport>;
