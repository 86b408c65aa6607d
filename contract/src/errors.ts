import { z } from 'zod';
import { described } from './described.ts';

/** `error.type` values of OpenAI-format failures. Source: decisions, "Error forms". */
export const openAiErrorTypes = [
  'invalid_request_error',
  'authentication_error',
  'permission_error',
  'not_found_error',
  'rate_limit_error',
  'server_error',
] as const;
/** Class of a failure in the OpenAI format. */
export type OpenAiErrorType = (typeof openAiErrorTypes)[number];

/** Source: interface section 2.1; decisions section 1. */
export const OpenAiError = described('A failure of chat, models, embeddings, audio and completions', {
  error: described('What went wrong', {
    message: z.string().describe('What was wrong and what would be right'),
    type: z.enum(openAiErrorTypes).nullable().describe('Class of the failure'),
    param: z
      .string()
      .nullable()
      .describe('Path of the field that is wrong, such as messages[0].role; null where none is'),
    code: z
      .string()
      .describe(
        'The HTTP status as text; 50000, 50300 and 50400 for failures of the server; context_length_exceeded where prompt and answer do not fit into the context of the model',
      ),
  }),
});
export type OpenAiError = z.infer<typeof OpenAiError>;
