import { z } from 'zod';

/** `status.code` of a success in the common envelope. Source: interface 2.1. */
export const ENVELOPE_OK = '20000';

/** The common envelope around a result. Source: interface 2.1. */
export const envelope = <T extends z.ZodType>(result: T) =>
  z.object({
    status: z.object({ code: z.string(), message: z.string() }),
    result: result.optional(),
    usage: z.record(z.string(), z.number()).optional(),
  });

/** A failure in the common envelope: no `result`. */
export const EnvelopeError = z.object({ status: z.object({ code: z.string(), message: z.string() }) });
export type EnvelopeError = z.infer<typeof EnvelopeError>;
