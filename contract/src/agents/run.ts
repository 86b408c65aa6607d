import { z } from 'zod';
import { described } from '../described.ts';

// A run of an agent, as its log of events records it. Callers read this log, over A2A and in the console.

/** States of a run. Source: decisions section 4. */
export const runStates = ['submitted', 'working', 'input-required', 'completed', 'failed', 'canceled'] as const;
/** Source: decisions section 4. */
export const RunState = z.enum(runStates).describe('State of a run; the names are those of A2A tasks');
export type RunState = z.infer<typeof RunState>;

export const Citation = described('A passage that an answer cites', {
  number: z.int().describe('Number in the text, as in [1]'),
  collection_id: z.string().describe('Id of the collection, 32 lower-case hexadecimal digits'),
  document_id: z.string().describe('Id of the document, 32 lower-case hexadecimal digits'),
  document_name: z.string().describe('Name of the document, by default that of its file'),
  chunk_id: z.string().describe('Id of the chunk, 32 lower-case hexadecimal digits'),
  page: z.int().nullable().describe('Page of the passage, from 1; null where the document has no pages'),
  title: z.string().describe('Heading of the passage'),
  content: z
    .string()
    .describe('Text of the passage, at most 2,000 characters; of a larger one the part around what was found'),
  matches: z
    .array(
      z.object({
        start: z.int().describe('Start in content, in UTF-16 units'),
        end: z.int().describe('End in content, in UTF-16 units; not included'),
      }),
    )
    .optional()
    .describe('What was found within a larger passage, the best first; left out where it is all of it'),
  score: z.number().describe('Score in the search that found it; higher is better'),
});
export type Citation = z.infer<typeof Citation>;

export const RunUsage = described('Tokens of all models of a run or node', {
  prompt_tokens: z.int().describe('Tokens of the prompts'),
  completion_tokens: z.int().describe('Tokens that the models generated'),
  total_tokens: z.int().describe('Prompt and completion tokens together'),
});
export type RunUsage = z.infer<typeof RunUsage>;

export const RunFailure = described('Why a run or a node failed', {
  code: z.string().describe('Class of the failure, such as invalid_request or timeout'),
  message: z.string().describe('What went wrong, for callers; it holds no secret'),
  node: z.string().nullable().describe('Id of the node that failed; null for the whole run'),
});
export type RunFailure = z.infer<typeof RunFailure>;

export const RunFile = described('A file of a message or an answer; its content is in the blob store', {
  id: z.string().describe('Id of the file, 32 lower-case hexadecimal digits'),
  name: z.string().describe('Name of the file, without folders'),
  media_type: z
    .string()
    .describe('Media type, such as application/pdf, as its sender, its maker or the end of the name says'),
  size: z.int().describe('Size in bytes'),
});
export type RunFile = z.infer<typeof RunFile>;

/** What an answer brings beside its text. The id is unique for the run: the step that said it, and its place there. */
export const RunPart = z
  .discriminatedUnion('kind', [
    described('Data of an answer', {
      kind: z.literal('data'),
      id: z.string().describe('Id of the part within the run'),
      name: z.string().describe('What it is called'),
      data: z.unknown().describe('Any JSON'),
    }),
    described('A file of an answer', {
      kind: z.literal('file'),
      id: z.string().describe('Id of the part within the run'),
      file: RunFile,
    }),
  ])
  .describe('A part of an answer beside its text, in the order in which parts were said');
export type RunPart = z.infer<typeof RunPart>;

const stepOutcomes = ['done', 'failed', 'skipped', 'canceled'] as const;

export const RunEvent = z
  .intersection(
    z.object({
      seq: z.int().describe('Sequence number, from 1 without a gap'),
      at: z.iso.datetime().describe('Time of the event'),
    }),
    z.discriminatedUnion('type', [
      /** The run is in this state from now on. `question` with input-required; `failure` with failed. */
      z.object({
        type: z.literal('state'),
        state: RunState,
        question: z.string().optional().describe('Question to the person, with input-required'),
        failure: RunFailure.optional().describe('Why the run failed, with failed'),
      }),
      /** A piece of the answer. All pieces, joined in order, are the answer. */
      z.object({ type: z.literal('text'), text: z.string().describe('The piece, which follows those before it') }),
      /** Passages that the answer so far cites. */
      z.object({
        type: z.literal('citations'),
        citations: z.array(Citation).describe('All passages that the answer so far cites, by their numbers'),
      }),
      /** Data or a file that the answer brings. */
      z.object({ type: z.literal('part'), part: RunPart }),
      /** How far a node has come with a long document. */
      z.object({
        type: z.literal('progress'),
        step: z.string().describe('Key of the step: the node, or inside of containers such as each[2]/search'),
        node: z.string().describe('Id of the node'),
        name: z.string().describe('Name of the file that is read'),
        done: z.int().describe('Pages that are read'),
        total: z.int().nullable().describe('Pages of the document; null while they are not known'),
      }),
      /** A node begins. `step` is its key: `search`, or inside of containers `each[2]/search`. */
      z.object({
        type: z.literal('step_begin'),
        step: z.string().describe('Key of the step: the node, or inside of containers such as each[2]/search'),
        node: z.string().describe('Id of the node'),
        kind: z.string().describe('Kind of the node, such as retrieve'),
      }),
      z.object({
        type: z.literal('step_end'),
        step: z.string().describe('Key of the step: the node, or inside of containers such as each[2]/search'),
        node: z.string().describe('Id of the node'),
        state: z.enum(stepOutcomes).describe('How the step ended; skipped: no branch led to the node'),
        ms: z.number().describe('Duration in milliseconds'),
        tokens: z.int().describe('Prompt and completion tokens'),
        message: z.string().optional().describe('What went wrong, with failed'),
      }),
    ]),
  )
  .describe('One event of a run, in the order in which they happened');
export type RunEvent = z.infer<typeof RunEvent>;
/** What an event says, before it has its place in the log. */
export type RunEventBody = RunEvent extends infer E ? (E extends unknown ? Omit<E, 'seq' | 'at'> : never) : never;

export const RunStep = described('A node of a run, for the trace', {
  step: z.string().describe('Key of the step: the node, or inside of containers such as each[2]/search'),
  node: z.string().describe('Id of the node'),
  kind: z.string().describe('Kind of the node, such as retrieve'),
  state: z
    .enum(['running', 'waiting', ...stepOutcomes])
    .describe('State of the step; waiting: for the reply of the person; skipped: no branch led to the node'),
  inputs: z.unknown().describe('Inputs of the node; null where the tenant keeps none'),
  outputs: z.unknown().describe('Results of the node; null where the tenant keeps none'),
  failure: RunFailure.nullable(),
  usage: RunUsage,
  attempts: z.int().describe('Number of attempts'),
  started_at: z.iso.datetime().describe('Time when the last attempt began, ISO 8601 in UTC'),
  ended_at: z.iso.datetime().nullable().describe('Time of the end, ISO 8601 in UTC; null while it runs or waits'),
});
export type RunStep = z.infer<typeof RunStep>;

const RunTurn = described('Something that was said before', {
  role: z.enum(['user', 'assistant']).describe('Who said it'),
  text: z.string().describe('What was said'),
});

export const RunInput = described('Content of a message to a run', {
  text: z.string().describe('Text of the message; may be empty where files or data come with it'),
  files: z.array(RunFile).describe('Files of the message'),
  data: z.unknown().describe('Data parts of the message'),
  message_id: z.string().optional().describe('Id of the message that the caller chose, over A2A'),
  history: z
    .array(RunTurn)
    .optional()
    .describe('What was said before, where the caller tells all of it; left out: what the session has'),
});
export type RunInput = z.infer<typeof RunInput>;
