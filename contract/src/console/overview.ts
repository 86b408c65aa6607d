import { z } from 'zod';
import { described } from '../described.ts';
import { UsageFigures } from './usage.ts';

export const Overview = described('Reply of GET /overview; parts that the person may not see are null', {
  health: z.object({
    ready: z.boolean(),
    parts: z.array(z.object({ name: z.string(), ok: z.boolean(), reason: z.string().nullable() })),
  }),
  models: z.object({
    total: z.int(),
    ready: z.int(),
    builtin_only: z.boolean().describe('Whether the built-in engine is the only one'),
    loaded: z.array(z.string()).describe('Model files in memory'),
  }),
  today: UsageFigures.nullable().describe('Use since midnight in the time zone of the query'),
  steps: z
    .array(z.object({ id: z.enum(['model', 'key', 'first_call', 'invite']), done: z.boolean() }))
    .nullable()
    .describe('First steps, until all are done'),
});
export type Overview = z.infer<typeof Overview>;
