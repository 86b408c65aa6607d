import { z } from 'zod';

/** `error.type` values of OpenAI-format failures. Source: decisions, "Error forms". */
export const openAiErrorTypes = [
  'invalid_request_error',
  'authentication_error',
  'permission_error',
  'not_found_error',
  'rate_limit_error',
  'server_error',
] as const;
export type OpenAiErrorType = (typeof openAiErrorTypes)[number];

/** Body of a failure on chat, models, embeddings, audio and completions. Source: interface 2.1. */
export const OpenAiError = z.object({
  error: z.object({
    message: z.string(),
    type: z.enum(openAiErrorTypes).nullable(),
    param: z.string().nullable().describe('Path of the offending field, such as messages[0].role'),
    code: z.string().describe('The HTTP status as text; 50000, 50300, 50400 for server failures'),
  }),
});
export type OpenAiError = z.infer<typeof OpenAiError>;
