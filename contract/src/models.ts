import { z } from 'zod';

/** What a model is for. */
export const modelKinds = ['chat', 'embedding', 'rerank', 'transcription', 'speech'] as const;
export const ModelKind = z.enum(modelKinds);
export type ModelKind = z.infer<typeof ModelKind>;

/** An entry of GET /v1/models. */
export const Model = z.object({
  id: z.string(),
  object: z.literal('model'),
  created: z.int(),
  owned_by: z.string(),
  context_length: z.int().optional(),
  max_model_len: z.int().optional().describe('The context length under the name that vLLM uses'),
});
export type Model = z.infer<typeof Model>;

export const ModelList = z.object({ object: z.literal('list'), data: z.array(Model) });
export type ModelList = z.infer<typeof ModelList>;
