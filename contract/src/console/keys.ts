import { z } from 'zod';
import { described, describedStrictly } from '../described.ts';
import { forEachLimit } from '../limits.ts';
import { GuardMode } from '../utilities/guard.ts';

/** What a key may be used for. Source: interface section 1. */
export const keyScopes = ['chat', 'embeddings', 'retrieval', 'agents', 'utilities'] as const;
/** Source: interface section 1. */
export const KeyScope = z.enum(keyScopes).describe('What a key may be used for');
export type KeyScope = z.infer<typeof KeyScope>;
/** Source: decisions section 2. */
export const ToolStream = z
  .enum(['openai', 'arguments'])
  .describe('Form of tool-call deltas: openai opens them with id and name');

export const ApiKey = described('A row of GET /keys: administrators see all keys of the tenant, developers their own', {
  id: z.string(),
  name: z.string(),
  start: z.string().describe('First characters of the value'),
  last4: z.string().describe('Last four characters of the value'),
  scopes: z.array(KeyScope),
  allowed_models: z.array(z.string()).nullable().describe('Models that the key may use; null for all'),
  ...forEachLimit(z.int().nullable().describe('Null: the default of the tenant')),
  tool_stream: ToolStream.nullable().describe('Null: as the model has it'),
  privacy_mode: GuardMode.nullable().describe('Handling of personal values; null: that of the tenant'),
  created_by: z.object({ id: z.string(), name: z.string() }).nullable().describe('Null for the service itself'),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime().nullable(),
  last_used_at: z.iso.datetime().nullable(),
  requests: z.int().describe('Number of requests of the last 30 days'),
  tokens: z.int().describe('Tokens of the last 30 days'),
});
export type ApiKey = z.infer<typeof ApiKey>;
export const ApiKeyList = described('Keys and the default limits of the tenant', {
  items: z.array(ApiKey),
  ...forEachLimit(z.int().nullable(), 'default_'),
});
export type ApiKeyList = z.infer<typeof ApiKeyList>;

const Limit = z.int().min(1).max(2_147_483_647);
export const NewApiKey = describedStrictly('Body of POST /keys', {
  name: z.string().trim().min(1).max(100),
  scopes: z.array(KeyScope).min(1).max(keyScopes.length),
  allowed_models: z
    .array(z.string().max(200))
    .min(1)
    .max(1000)
    .nullable()
    .describe('Models that the key may use; null for all'),
  ...forEachLimit(Limit.nullable()),
  tool_stream: ToolStream.nullable(),
  privacy_mode: GuardMode.nullable().default(null),
  expires_at: z.iso.datetime().nullable(),
});
export type NewApiKey = z.input<typeof NewApiKey>;
/** Source: interface section 3. */
export const IssuedApiKey = described('A new key: the only reply that holds its value', {
  key: ApiKey,
  value: z.string(),
});
export type IssuedApiKey = z.infer<typeof IssuedApiKey>;
