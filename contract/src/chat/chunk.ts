import { z } from 'zod';
import { described } from '../described.ts';
import { Annotations } from './annotations.ts';
import { reasoningFields } from './reasoning-keys.ts';
import { Usage, finishReasons } from './reply.ts';

/** Source: interface sections 2.4, 4.1 and 6; decisions section 2. */
export const ChatChunk = described('One event of a chat stream', {
  id: z.string().describe('Id of the reply, the same in all chunks'),
  object: z.literal('chat.completion.chunk'),
  created: z.int().describe('Unix time in seconds'),
  model: z.string().describe('The model that answers'),
  choices: z
    .array(
      z.object({
        index: z.int().describe('Place among the choices, from 0'),
        delta: described('What is new; may be empty', {
          role: z.literal('assistant').optional().describe('In the first chunk'),
          content: z.string().optional().describe('Next piece of the answer'),
          ...reasoningFields(
            z.string().optional().describe('Next piece of the reasoning, for the models that name it so'),
          ),
          tool_calls: z
            .array(
              z.object({
                index: z.int().describe('Place of the call among the calls of the reply, from 0'),
                id: z.string().optional().describe('Id of the call, in its first piece; some models send none'),
                type: z.literal('function').optional().describe('In the first piece of a call'),
                function: described('What is called', {
                  name: z.string().optional().describe('Name of the function, in the first piece of a call'),
                  arguments: z.string().describe('Next piece of the JSON object of arguments'),
                }),
              }),
            )
            .optional()
            .describe('Next pieces of tool calls'),
          annotations: Annotations.describe('Sources that the answer of an agent cites, after its text'),
        }),
        logprobs: z
          .record(z.string(), z.unknown())
          .nullable()
          .describe('Log probabilities of the tokens, where the request asked for them'),
        finish_reason: z.enum(finishReasons).nullable().describe('Why the reply ended, in its last chunk; null before'),
        stop_reason: z
          .string()
          .nullable()
          .optional()
          .describe('The stop string that ended the reply, beside finish_reason; null when none did'),
      }),
    )
    .describe('One entry for each choice that goes on; empty in the chunk that carries usage'),
  usage: Usage.optional().describe(
    'Tokens of the whole reply, in one more chunk at the end with stream_options.include_usage',
  ),
});
export type ChatChunk = z.infer<typeof ChatChunk>;
