import { z } from 'zod';
import { described } from '../described.ts';

export const AgentNotes = described(
  'Reply of GET /agent-notes: reviews that wait for the person, and decisions of the last two weeks about their own',
  {
    pending: z.int().nullable().describe('Number of reviews that wait; null for people who do not decide'),
    decided: z
      .array(
        z.object({
          review_id: z.string(),
          agent_id: z.string(),
          agent_name: z.string(),
          version_number: z.int(),
          state: z.enum(['approved', 'rejected']),
          reason: z.string().nullable(),
          decided_by: z.string(),
          decided_at: z.iso.datetime(),
        }),
      )
      .describe("The last decision on each agent, the newest first; without the person's own decisions"),
  },
);
export type AgentNotes = z.infer<typeof AgentNotes>;
