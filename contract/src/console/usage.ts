import { z } from 'zod';

export const usageGroups = ['day', 'hour', 'model', 'key', 'user', 'endpoint', 'status'] as const;

/** Query of GET /usage and GET /usage.csv. Without `from` the last 30 days. */
export const UsageQuery = z.object({
  from: z.iso.datetime().optional(),
  to: z.iso.datetime().optional(),
  group: z.enum(usageGroups).default('day'),
  model: z.string().max(200).optional(),
  key_id: z.string().max(64).optional(),
  user_id: z.string().max(64).optional(),
  time_zone: z.string().max(64).default('UTC').describe('IANA name; days begin there'),
});
export type UsageQuery = z.infer<typeof UsageQuery>;

export const UsageFigures = z.object({
  requests: z.int(),
  errors: z.int(),
  canceled: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  reasoning_tokens: z.int(),
  /** Of documents that were read. */
  pages: z.int(),
  /** Length of recordings that were written down, in milliseconds. */
  audio_in_ms: z.int(),
  /** Length of sound that was made, in milliseconds. */
  audio_out_ms: z.int(),
  /** Of texts that were said. */
  characters: z.int(),
  /** Milliseconds; null where nothing was measured. Percentiles are of buckets that double. */
  latency_p50: z.number().nullable(),
  latency_p95: z.number().nullable(),
  first_token_p50: z.number().nullable(),
  first_token_p95: z.number().nullable(),
});
export type UsageFigures = z.infer<typeof UsageFigures>;

/** `key` is a time (ISO 8601), an id or a value of the group; `label` what people call it. */
export const UsageReport = z.object({
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  total: UsageFigures,
  rows: z.array(UsageFigures.extend({ key: z.string(), label: z.string() })),
});
export type UsageReport = z.infer<typeof UsageReport>;
