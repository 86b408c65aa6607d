import { z } from 'zod';
import { GuardMode } from '../utilities/guard.ts';

/** What a key may be used for. Source: interface section 1. */
export const keyScopes = ['chat', 'embeddings', 'retrieval', 'agents', 'utilities'] as const;
export const KeyScope = z.enum(keyScopes);
export type KeyScope = z.infer<typeof KeyScope>;
export const ToolStream = z.enum(['openai', 'arguments']);

/** A row of GET /keys: administrators see all of the tenant, developers their own. */
export const ApiKey = z.object({
  id: z.string(),
  name: z.string(),
  start: z.string(),
  last4: z.string(),
  scopes: z.array(KeyScope),
  allowed_models: z.array(z.string()).nullable(),
  requests_per_minute: z.int().nullable(),
  tokens_per_minute: z.int().nullable(),
  tool_stream: ToolStream.nullable(),
  privacy_mode: GuardMode.nullable().describe('Null: what the tenant has set'),
  created_by: z.object({ id: z.string(), name: z.string() }).nullable().describe('Null for the service itself'),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime().nullable(),
  last_used_at: z.iso.datetime().nullable(),
  /** Of the last 30 days. */
  requests: z.int(),
  tokens: z.int(),
});
export type ApiKey = z.infer<typeof ApiKey>;
export const ApiKeyList = z.object({
  items: z.array(ApiKey),
  default_requests_per_minute: z.int().nullable(),
  default_tokens_per_minute: z.int().nullable(),
});

const Limit = z.int().min(1).max(2_147_483_647);
/** POST /keys. */
export const NewApiKey = z.object({
  name: z.string().trim().min(1).max(100),
  scopes: z.array(KeyScope).min(1).max(keyScopes.length),
  allowed_models: z.array(z.string().max(200)).min(1).max(1000).nullable(),
  requests_per_minute: Limit.nullable(),
  tokens_per_minute: Limit.nullable(),
  tool_stream: ToolStream.nullable(),
  privacy_mode: GuardMode.nullable().default(null),
  expires_at: z.iso.datetime().nullable(),
});
export type NewApiKey = z.input<typeof NewApiKey>;
/** The one answer that holds the value. */
export const IssuedApiKey = z.object({ key: ApiKey, value: z.string() });
export type IssuedApiKey = z.infer<typeof IssuedApiKey>;
