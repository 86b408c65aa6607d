import { z } from 'zod';
import { described } from './described.ts';

/** What a model is for. */
export const modelKinds = ['chat', 'embedding', 'rerank', 'transcription', 'speech'] as const;
export const ModelKind = z.enum(modelKinds).describe('Purpose of a model');
export type ModelKind = z.infer<typeof ModelKind>;

/** Why another model answers in place of one: its addresses fail or are drained, they have too much to do, or the prompt is too long for it. */
export const fallbackReasons = ['unavailable', 'overloaded', 'context_length'] as const;

/** What a model can be asked for. */
const modelCapabilities = [
  'chat',
  'tools',
  'vision',
  'reasoning',
  'embeddings',
  'rerank',
  'transcription',
  'speech',
] as const;
const ModelCapability = z.enum(modelCapabilities).describe('Something that a model can be asked for');

/** Source: decisions section 2. */
export const Model = described('An entry of GET /v1/models', {
  id: z.string().describe('Id of the model, as requests name it'),
  name: z.string().describe('What people call it: of an agent its name, else the id'),
  object: z.literal('model'),
  created: z.int().describe('Unix time in seconds'),
  owned_by: z.string().describe('Who offers the model'),
  root: z.string().describe('Id of the model: its own, or where this is an alias that of the model it stands for'),
  type: ModelKind,
  capabilities: z
    .array(ModelCapability)
    .describe(
      'What the model can be asked for. Chat models: chat, and tools, vision (images) and reasoning where they can',
    ),
  context_length: z
    .int()
    .optional()
    .describe(
      'Maximum number of tokens of prompt and answer together; of an embedding model those of a text, left out where its server does not say',
    ),
  max_model_len: z.int().optional().describe('The context length under the name that vLLM uses'),
});
export type Model = z.infer<typeof Model>;

/** Source: decisions section 2. */
export const ModelList = described('Reply of GET /v1/models: the models that the key may use', {
  object: z.literal('list'),
  data: z.array(Model).describe('The models'),
});
export type ModelList = z.infer<typeof ModelList>;
