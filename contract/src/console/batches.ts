import { z } from 'zod';
import { BatchError, BatchStatus } from '../batches.ts';
import { described, describedStrictly } from '../described.ts';

/** Most batches of a page of the list. */
const MAX_ITEMS = 100;

export const ConsoleBatch = described('A batch of requests, as the console lists it', {
  id: z.string().describe('Id of the batch'),
  status: BatchStatus,
  endpoint: z.string().describe('What its lines are for'),
  model: z.string().nullable().describe('The model of its first line; null where it is not known'),
  key_name: z.string().nullable().describe('Name of the API key that started it; null where the key was deleted'),
  total: z.int().describe('Number of its lines; 0 until they were counted'),
  completed: z.int().describe('Lines that were answered'),
  failed: z.int().describe('Lines that failed'),
  error: BatchError.pick({ code: true, line: true })
    .nullable()
    .describe('The first reason why it failed; null where it did not'),
  created_at: z.iso.datetime().describe('Time of creation, ISO 8601 in UTC'),
  ended_at: z.iso.datetime().nullable().describe('Time of its end, ISO 8601 in UTC; null until then'),
});
export type ConsoleBatch = z.infer<typeof ConsoleBatch>;

export const ConsoleBatchList = described(
  'The newest batches: administrators see those of the tenant, others those of their own keys',
  { items: z.array(ConsoleBatch).max(MAX_ITEMS).describe('The batches, the newest first') },
);
export type ConsoleBatchList = z.infer<typeof ConsoleBatchList>;

export const ConsoleBatchesQuery = describedStrictly('Query of GET /batches', {
  size: z.coerce.number().int().min(1).max(MAX_ITEMS).default(MAX_ITEMS).describe('Number of batches, 1 to 100'),
});
