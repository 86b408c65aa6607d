import { z } from 'zod';
import { described } from './described.ts';

/** `status.code` of a success in the common envelope. Source: interface 2.1. */
export const ENVELOPE_OK = '20000';

const Usage = z.record(z.string(), z.number()).describe('Counts of what was used, by name');

/** The common envelope around a result. Source: interface section 2.1. */
export const envelope = <T extends z.ZodType>(result: T, usage: z.ZodType = Usage) =>
  described('A success in the common envelope', {
    status: described('Whether the request succeeded', {
      code: z.string().describe('20000'),
      message: z.string().describe('OK'),
    }),
    result: result.describe(result.description ?? 'The result'),
    usage: usage.optional(),
  });

/** Source: interface section 2.1; decisions section 1. */
export const EnvelopeError = described('A failure in the common envelope, without a result', {
  status: described('What went wrong', {
    code: z.string().describe('HTTP status and two digits, such as 40001'),
    message: z.string().describe('What was wrong and what would be right'),
  }),
});
export type EnvelopeError = z.infer<typeof EnvelopeError>;
