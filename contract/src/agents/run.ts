import { z } from 'zod';

// A run of an agent, as its log of events tells it. The log is what callers are told, over A2A and in the console.

export const runStates = ['submitted', 'working', 'input-required', 'completed', 'failed', 'canceled'] as const;
export const RunState = z.enum(runStates);
export type RunState = z.infer<typeof RunState>;

/** A passage that an answer cites. `number` is the one in the text: [1]. */
export const Citation = z.object({
  number: z.int(),
  collection_id: z.string(),
  document_id: z.string(),
  document_name: z.string(),
  chunk_id: z.string(),
  /** From 1; null where the document has none. */
  page: z.int().nullable(),
  title: z.string(),
  /** The passage, at most 2,000 characters. */
  content: z.string(),
  score: z.number(),
});
export type Citation = z.infer<typeof Citation>;

/** Tokens of all models of a run or node. */
export const RunUsage = z.object({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() });
export type RunUsage = z.infer<typeof RunUsage>;

/** Why a run or a node failed. `message` is for people outside and holds no secret. */
export const RunFailure = z.object({ code: z.string(), message: z.string(), node: z.string().nullable() });
export type RunFailure = z.infer<typeof RunFailure>;

const stepEnds = ['done', 'failed', 'skipped', 'canceled'] as const;

/** One event of a run; `seq` counts from 1 without a gap. */
export const RunEvent = z.intersection(
  z.object({ seq: z.int(), at: z.iso.datetime() }),
  z.discriminatedUnion('type', [
    /** The run is in this state from now on. `question` with input-required; `failure` with failed. */
    z.object({
      type: z.literal('state'),
      state: RunState,
      question: z.string().optional(),
      failure: RunFailure.optional(),
    }),
    /** A piece of the answer. All pieces, joined in order, are the answer. */
    z.object({ type: z.literal('text'), text: z.string() }),
    /** Passages that the answer so far cites. */
    z.object({ type: z.literal('citations'), citations: z.array(Citation) }),
    /** A node begins. `step` is its key: `search`, or inside of containers `each[2]/search`. */
    z.object({ type: z.literal('step_begin'), step: z.string(), node: z.string(), kind: z.string() }),
    z.object({
      type: z.literal('step_end'),
      step: z.string(),
      node: z.string(),
      state: z.enum(stepEnds),
      ms: z.number(),
      tokens: z.int(),
      message: z.string().optional(),
    }),
  ]),
);
export type RunEvent = z.infer<typeof RunEvent>;
/** What an event says, before it has its place in the log. */
export type RunEventBody = RunEvent extends infer E ? (E extends unknown ? Omit<E, 'seq' | 'at'> : never) : never;

/** A node of a run, for the trace. Inputs and outputs are null where the tenant keeps none. */
export const RunStep = z.object({
  step: z.string(),
  node: z.string(),
  kind: z.string(),
  state: z.enum(['running', 'waiting', ...stepEnds]),
  inputs: z.unknown(),
  outputs: z.unknown(),
  failure: RunFailure.nullable(),
  usage: RunUsage,
  attempts: z.int(),
  started_at: z.iso.datetime(),
  ended_at: z.iso.datetime().nullable(),
});
export type RunStep = z.infer<typeof RunStep>;

/** A file that came with a message. Its bytes lie in the blob store. */
export const RunFile = z.object({ id: z.string(), name: z.string(), media_type: z.string(), size: z.int() });
export type RunFile = z.infer<typeof RunFile>;

/** What a message brings. */
export const RunInput = z.object({
  text: z.string(),
  files: z.array(RunFile),
  data: z.unknown(),
  /** Id that the caller gave the message, where it came over A2A. */
  message_id: z.string().optional(),
});
export type RunInput = z.infer<typeof RunInput>;
