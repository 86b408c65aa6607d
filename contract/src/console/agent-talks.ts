import { z } from 'zod';
import { described, describedStrictly } from '../described.ts';
import { AnswerFeedback, AnswerRating, RunQuestion } from './feedback.ts';
import { talkChange, talkPlace, talkSearch } from './talks.ts';
import { Citation, RunEvent, RunFailure, RunFile, RunPart, RunState, RunUsage } from '../agents/run.ts';

// Talks with agents in the console: sessions, their runs, and the agents that people can use.

// Properties that several of the schemas have.
const AgentSlug = z.string().describe('agent_slug: id of the agent for callers; it never changes');
const AgentName = z.string().describe('Name of the agent');
const AgentText = z.string().describe('What the agent is for; may be empty');
const CreatedAt = z.iso.datetime().describe('Time of creation, ISO 8601 in UTC');

/** Source: decisions section 4. */
export const AgentSession = described('A chat session with an agent', {
  id: z.int().describe('chat_session_id'),
  type: z.enum(['api', 'chat', 'test']).describe('Where it began: over the API, in the chat or in the builder'),
  title: z
    .string()
    .describe('Title that the person chose, else the first words of the first message; empty where it had no text'),
  by: z.string().describe('Name of the key or the person; empty with rated_only'),
  runs: z.int().describe('Number of runs'),
  up: z.int().describe('Number of answers that helped, as people said'),
  down: z.int().describe('Number of answers that did not'),
  rated_only: z
    .boolean()
    .describe("Whether it is somebody else's chat, of which those who build see the answers that were rated"),
  created_at: CreatedAt,
  updated_at: z.iso.datetime().describe('Time of the last message, ISO 8601 in UTC'),
});
export type AgentSession = z.infer<typeof AgentSession>;
export const AgentSessionQuery = describedStrictly('Query of the list of sessions', {
  type: z.enum(['api', 'chat', 'test']).optional().describe('Only sessions that began there'),
  rating: AnswerRating.optional().describe('Only sessions with an answer that was rated so'),
  before: z.coerce.number().int().optional().describe('next of the page before'),
  size: z.coerce.number().int().min(1).max(100).default(50).describe('Number of sessions, 1 to 100'),
});
export const AgentSessions = described('Sessions, the newest first', {
  items: z.array(AgentSession).describe('Sessions of this page'),
  next: z.int().nullable().describe('Where the next page begins; null at the end'),
});

export const AgentRun = described('A run as people see it: a question and its answer', {
  id: z.string().describe('Id of the run, 32 lower-case hexadecimal digits'),
  session_id: z.int().describe('chat_session_id of its session'),
  state: RunState,
  text: z.string().describe('Text of the message'),
  files: z.array(RunFile).describe('Files of the message'),
  answer: z
    .string()
    .describe('Answer as it was when the run ended or last asked; what is written since is in its events'),
  question: z.string().nullable().describe('Question of the agent, with input-required'),
  exchanges: z
    .array(
      z.object({
        question: z.string().describe('Question of the agent'),
        text: z.string().describe('Reply of the person'),
        at: z.int().describe('Length of the answer at that time, in UTF-16 units'),
      }),
    )
    .default([])
    .describe('Earlier questions of the agent and the replies; empty outside of sessions'),
  citations: z.array(Citation).describe('Passages that this answer cites, by number'),
  parts: z
    .array(RunPart)
    .describe('Data and files of the answer when the run ended or last asked; files: GET …/runs/{run}/files/{file}'),
  failure: RunFailure.nullable(),
  usage: RunUsage,
  feedback: AnswerFeedback.nullable()
    .default(null)
    .describe('What the person thinks of the answer; null: nothing was said'),
  evaluation: RunQuestion.nullable().default(null).describe('The evaluation question that was made of it; null: none'),
  version_number: z.int().nullable().describe('Number of the version; null for a draft'),
  created_at: CreatedAt,
  ended_at: z.iso.datetime().nullable().describe('Time of the end, ISO 8601 in UTC; null while the run works or waits'),
});
export type AgentRun = z.infer<typeof AgentRun>;
export const AgentRuns = described('Runs of a session', {
  items: z.array(AgentRun).describe('The newest runs, at most 500, in the order in which they were begun'),
  session: AgentSession,
  folder: z
    .string()
    .nullable()
    .default(null)
    .describe('Id of the folder in which its person keeps it; null for none, and for everybody else'),
});
/**
 * POST /agents/{id}/runs (building: what = draft, a version id, or deployed) and POST /deployed-agents/{slug}/runs (everybody:
 * the deployed version). The answer is an event stream of {@link RunStreamEvent}; the run goes on when nobody reads.
 */
export const NewRun = describedStrictly('Body of POST of a run', {
  text: z.string().max(100_000).default('').describe('Text of the message, at most 100,000 characters'),
  files: z
    .array(z.string())
    .max(20)
    .default([])
    .describe('Ids of files that were uploaded before: POST …/files (application/octet-stream, ?name=)'),
  data: z.unknown().optional().describe('Data of the message, any JSON; null when left out'),
  session_id: z.int().optional().describe('Session to go on with; a new one when left out'),
  what: z.string().max(100).default('deployed').describe('draft, deployed, or the id of a version'),
  run_id: z.string().optional().describe('The run whose question this answers'),
});
export type NewRun = z.infer<typeof NewRun>;
export const RunStreamEvent = z
  .union([z.object({ type: z.literal('run'), run: AgentRun }), RunEvent])
  .describe('An event of the stream of a run; the first one is the run itself');
export type RunStreamEvent = z.infer<typeof RunStreamEvent>;
export const FollowQuery = describedStrictly('Query of GET …/runs/{run}/events, which follows a run', {
  after: z.coerce.number().int().min(0).default(0).describe('Sequence number of the last event that the caller has'),
});

export const AgentFileQuery = describedStrictly('Query of POST …/files; the body is the file', {
  name: z.string().min(1).max(255).describe('Name of the file, 1 to 255 characters'),
  size: z.coerce.number().int().min(0).describe('Size in bytes'),
});

export const DeployedAgent = described('An agent that people can use: GET /deployed-agents, for every role', {
  slug: AgentSlug,
  name: AgentName,
  description: AgentText,
  greeting: z.string().describe('Text that people see before they write'),
  examples: z.array(z.string()).describe('Questions to begin with'),
  files: z.boolean().describe('Whether messages may carry files'),
});
export type DeployedAgent = z.infer<typeof DeployedAgent>;
export const DeployedAgents = described('Agents that people can use', {
  items: z.array(DeployedAgent).describe('All deployed agents, by name'),
});

export const AgentChat = AgentSession.extend({
  ...talkPlace,
  slug: AgentSlug,
  agent_name: AgentName,
  deployed: z.boolean().describe('Whether the agent takes messages now'),
}).describe('A session of the person with a deployed agent: GET /agent-chats');
export type AgentChat = z.infer<typeof AgentChat>;
export const AgentChatQuery = describedStrictly(
  'Query of GET /agent-chats; names of agents are searched as well',
  talkSearch,
);
export const AgentChatChange = z
  .object(talkChange)
  .partial()
  .strict()
  .describe('Body of PATCH /deployed-agents/{slug}/sessions/{session}');
export const AgentChats = described('Sessions, the last used first', {
  items: z.array(AgentChat).describe('Sessions of this page'),
  next: z.string().nullable().describe('Where the next page begins; null at the end'),
});

/**
 * GET …/runs/{run}/sources/{number}: a passage that an answer cites, and the page that it stands on. `…/text` gives that page as
 * text, `…/picture?width=` as a picture where `pictures` says so.
 */
export const AgentSource = described('A passage that an answer cites, and its page', {
  citation: Citation,
  page: z.int().nullable().describe('Null where the document is gone, or was never read page by page'),
  pictures: z.boolean().describe('Whether pages are available as pictures'),
  listed: z
    .boolean()
    .describe('Whether the document stands in the list of a collection; a file of a conversation does not'),
});
export type AgentSource = z.infer<typeof AgentSource>;
