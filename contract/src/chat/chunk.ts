import { z } from 'zod';
import { reasoningFields } from './reasoning-keys.ts';
import { Usage, finishReasons } from './reply.ts';

/** One event of a chat stream. Source: interface 2.4 and 6; decisions section 2, "Stream". */
export const ChatChunk = z.object({
  id: z.string(),
  object: z.literal('chat.completion.chunk'),
  created: z.int(),
  model: z.string(),
  choices: z.array(
    z.object({
      index: z.int(),
      delta: z.object({
        role: z.literal('assistant').optional(),
        content: z.string().optional(),
        ...reasoningFields(z.string().optional()),
        tool_calls: z
          .array(
            z.object({
              index: z.int(),
              id: z.string().optional(),
              type: z.literal('function').optional(),
              function: z.object({ name: z.string().optional(), arguments: z.string() }),
            }),
          )
          .optional(),
      }),
      logprobs: z.record(z.string(), z.unknown()).nullable(),
      finish_reason: z.enum(finishReasons).nullable(),
      stop_reason: z.string().nullable().optional(),
    }),
  ),
  usage: Usage.optional(),
});
export type ChatChunk = z.infer<typeof ChatChunk>;
