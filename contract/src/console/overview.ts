import { z } from 'zod';
import { UsageFigures } from './usage.ts';

/** GET /overview. Parts that the person may not see are null. */
export const Overview = z.object({
  health: z.object({
    ready: z.boolean(),
    parts: z.array(z.object({ name: z.string(), ok: z.boolean(), reason: z.string().nullable() })),
  }),
  models: z.object({ total: z.int(), ready: z.int(), builtin_only: z.boolean(), loaded: z.array(z.string()) }),
  today: UsageFigures.nullable(),
  steps: z
    .array(z.object({ id: z.enum(['model', 'key', 'first_call', 'invite']), done: z.boolean() }))
    .nullable()
    .describe('First steps until all are done'),
});
export type Overview = z.infer<typeof Overview>;
