import { z } from 'zod';
import { described } from '../described.ts';
import { UsageFigures } from './usage.ts';

export const Overview = described('Reply of GET /overview; parts that the person may not see are null', {
  health: z
    .object({
      ready: z.boolean().describe('Whether all parts work that the service cannot do without'),
      parts: z
        .array(
          z.object({
            name: z.string().describe('Name of the part'),
            ok: z.boolean().describe('Whether the part works'),
            reason: z.string().nullable().describe('Why it does not work, in English; null where it does'),
          }),
        )
        .describe('Parts that the service is made of or depends on'),
    })
    .describe('Whether the service works'),
  models: z
    .object({
      total: z.int().describe('Number of models that are offered'),
      ready: z.int().describe('Number of models with a healthy engine, without those of the built-in engine alone'),
      builtin_only: z.boolean().describe('Whether the built-in engine is the only one'),
      loaded: z.array(z.string()).describe('Model files in memory'),
    })
    .describe('Models of the service'),
  work: z
    .object({
      path: z
        .array(
          z.object({
            id: z
              .enum(['collection', 'agent', 'try', 'review'])
              .describe('The step: documents that can be found, an agent, a run of it, or a review that was asked for'),
            done: z.boolean().describe('Whether somebody of the tenant has done it'),
          }),
        )
        .describe('From documents to an agent that people use'),
      failed_documents: z
        .array(
          z.object({
            collection_id: z.string().describe('Id of the collection, 32 lower-case hexadecimal digits'),
            collection_name: z.string().describe('Name of the collection'),
            failed: z.int().describe('Number of documents that could not be read'),
          }),
        )
        .describe('Collections that the person may change, with documents that failed; at most five'),
      expiring_keys: z
        .array(
          z.object({
            id: z.string().describe('Id of the key'),
            name: z.string().describe('Name of the key'),
            expires_at: z.iso.datetime().describe('Time from which it is refused, ISO 8601 in UTC'),
          }),
        )
        .describe('Keys that expire within two weeks, the next one first; at most five'),
    })
    .nullable()
    .describe('What people who build agents have before them'),
  waits: z
    .object({
      invitations: z.int().describe('Number of people who were invited and have not come'),
      open_documents: z.int().describe('Number of documents that are being read'),
      failed_documents: z.int().describe('Number of documents that could not be read'),
    })
    .nullable()
    .describe('What waits in the tenant, for administrators'),
  today: UsageFigures.nullable().describe('Use since midnight in the time zone of the query'),
  steps: z
    .array(
      z.object({
        id: z
          .enum(['model', 'key', 'first_call', 'invite'])
          .describe('The step: a chat model, an API key, a call that succeeds, or a second person'),
        done: z.boolean().describe('Whether the step is done'),
      }),
    )
    .nullable()
    .describe('First steps, until all are done'),
});
export type Overview = z.infer<typeof Overview>;
