import { z } from 'zod';

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
