import { z } from 'zod';
import { described } from '../described.ts';

export const AgentNotes = described(
  'Reply of GET /agent-notes: reviews that wait for the person, and decisions of the last two weeks about their own',
  {
    pending: z.int().nullable().describe('Number of reviews that wait; null for people who do not decide'),
    decided: z
      .array(
        z.object({
          review_id: z.string().describe('Id of the review, 32 lower-case hexadecimal digits'),
          agent_id: z.string().describe('Id of the agent, 32 lower-case hexadecimal digits'),
          agent_name: z.string().describe('Name of the agent'),
          version_number: z.int().describe('Number of the version that was reviewed, from 1'),
          state: z.enum(['approved', 'rejected']).describe('The decision'),
          reason: z.string().nullable().describe('What the person who rejected it wrote; null where it was approved'),
          decided_by: z.string().describe('Name of the person who decided; empty where that person is gone'),
          decided_at: z.iso.datetime().describe('Time of the decision, ISO 8601 in UTC'),
        }),
      )
      .describe("The last decision on each agent, the newest first; without the person's own decisions"),
  },
);
export type AgentNotes = z.infer<typeof AgentNotes>;
