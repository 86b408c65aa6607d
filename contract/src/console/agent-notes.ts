import { z } from 'zod';

/** GET /agent-notes: what waits for the person, and what was decided about what they submitted in the last two weeks. */
export const AgentNotes = z.object({
  /** Reviews that wait; null for those who do not decide. */
  pending: z.int().nullable(),
  /** Of each agent the last one, the newest first. Own decisions are none. */
  decided: z.array(
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
  ),
});
export type AgentNotes = z.infer<typeof AgentNotes>;
