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

/** Whether agents are models to the holder of a key. */
const AgentModels = z
  .boolean()
  .describe('Whether deployed agents are listed among the models and answer chats, as agent/SLUG');

export const ApiKey = described('A row of GET /keys: administrators see all keys of the tenant, developers their own', {
  id: z.string().describe('Id of the key'),
  name: z.string().describe('Name of the key'),
  start: z.string().describe('First characters of the value'),
  last4: z.string().describe('Last four characters of the value'),
  scopes: z.array(KeyScope).describe('What the key may be used for'),
  allowed_models: z.array(z.string()).nullable().describe('Models that the key may use; null for all'),
  ...forEachLimit(z.int().nullable().describe('Null: the default of the tenant')),
  tool_stream: ToolStream.nullable().describe('Null: as the tenant has set, else as the model has it'),
  agent_models: AgentModels,
  privacy_mode: GuardMode.nullable().describe('Handling of personal values; null: that of the tenant'),
  created_by: z
    .object({ id: z.string().describe('Id of the person'), name: z.string().describe('Name of the person') })
    .nullable()
    .describe('Null for the service itself'),
  created_at: z.iso.datetime().describe('Time of creation, ISO 8601 in UTC'),
  expires_at: z.iso
    .datetime()
    .nullable()
    .describe('Time from which the key is refused, ISO 8601 in UTC; null: it does not expire'),
  last_used_at: z.iso
    .datetime()
    .nullable()
    .describe('Time of the last use, ISO 8601 in UTC, up to half a minute late; null where there was none'),
  requests: z.int().describe('Number of requests of the last 30 days'),
  tokens: z.int().describe('Tokens of the last 30 days'),
});
export type ApiKey = z.infer<typeof ApiKey>;
export const ApiKeyList = described('Keys and the default limits of the tenant', {
  items: z.array(ApiKey).describe('Keys that the person may see, the newest first'),
  ...forEachLimit(
    z.int().nullable().describe('Limit a minute of keys that have none of their own; null for no limit'),
    'default_',
  ),
});
export type ApiKeyList = z.infer<typeof ApiKeyList>;

const Limit = z.int().min(1).max(2_147_483_647);
export const NewApiKey = describedStrictly('Body of POST /keys', {
  name: z.string().trim().min(1).max(100).describe('Name of the key, 1 to 100 characters'),
  scopes: z.array(KeyScope).min(1).max(keyScopes.length).describe('What the key may be used for; at least one scope'),
  allowed_models: z
    .array(z.string().max(200))
    .min(1)
    .max(1000)
    .nullable()
    .describe('Models that the key may use; null for all'),
  ...forEachLimit(Limit.nullable().describe('Limit a minute, 1 to 2,147,483,647; null: the default of the tenant')),
  tool_stream: ToolStream.nullable(),
  agent_models: AgentModels.default(false),
  privacy_mode: GuardMode.nullable().default(null),
  expires_at: z.iso
    .datetime()
    .nullable()
    .describe('Time in the future from which the key is refused, ISO 8601 in UTC; null: it does not expire'),
});
export type NewApiKey = z.input<typeof NewApiKey>;
/** Source: interface section 3. */
export const IssuedApiKey = described('A new key: the only reply that holds its value', {
  key: ApiKey,
  value: z.string().describe('The whole key, which clients send; it is not shown again'),
});
export type IssuedApiKey = z.infer<typeof IssuedApiKey>;
