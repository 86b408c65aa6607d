import { z } from 'zod';
import { described } from './described.ts';

/** Source: OpenAI API reference, "Moderations". */
export const ModerationRequest = described('Body of POST /v1/moderations', {
  input: z
    .union([
      z.string(),
      z.array(z.string()).min(1).max(2048),
      z
        .array(z.looseObject({ type: z.string().describe('text or image_url') }))
        .min(1)
        .max(2048),
    ])
    .describe('A text, texts, or texts and images'),
  model: z.string().min(1).nullish().describe('A guard model'),
});
export type ModerationRequest = z.infer<typeof ModerationRequest>;
