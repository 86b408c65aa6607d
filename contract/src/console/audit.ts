import { z } from 'zod';
import { described, describedStrictly } from '../described.ts';

/** Actions that the audit log records. `console` has a text for each in both languages. */
export const auditActions = [
  'sign_in',
  'sign_in_failed',
  'sign_out',
  'sso_joined',
  'session_revoked',
  'setup',
  'email_changed',
  'password_changed',
  'password_reset_link',
  'password_reset',
  'totp_on',
  'totp_off',
  'recovery_codes',
  'passkey_added',
  'passkey_renamed',
  'passkey_removed',
  'user_invited',
  'user_joined',
  'user_role_changed',
  'user_disabled',
  'user_enabled',
  'user_removed',
  'key_created',
  'key_deleted',
  'settings_changed',
  'privacy_changed',
  'tenant_created',
  'tenant_renamed',
  'tenant_entered',
  'server_connected',
  'server_changed',
  'server_removed',
  'address_drained',
  'address_returned',
  'host_opened',
  'host_closed',
  'model_download',
  'model_download_canceled',
  'model_imported',
  'model_removed',
  'model_bound',
  'embedder_configured',
  'model_unbound',
  'model_loaded',
  'model_unloaded',
  'model_pinned',
  'model_unpinned',
  'collection_created',
  'collection_changed',
  'collection_removed',
  'collection_reindexed',
  'collection_evaluated',
  'collection_extracted',
  'collection_handed_over',
  'collection_reindex_ended',
  'connector_created',
  'connector_changed',
  'connector_removed',
  'connector_run',
  'connector_run_ended',
  'document_added',
  'document_changed',
  'document_removed',
  'document_reindexed',
  'chunk_added',
  'chunk_changed',
  'chunk_removed',
  'agent_created',
  'agent_changed',
  'agent_submitted',
  'agent_withdrawn',
  'agent_rejected',
  'agent_approved',
  'agent_deployed',
  'agent_undeployed',
  'agent_archived',
  'agent_unarchived',
  'agent_removed',
  'tool_server_added',
  'tool_server_changed',
  'tool_server_removed',
  'tool_tried',
  'batch_cancelled',
  'prompt_created',
  'prompt_changed',
  'prompt_removed',
  'file_deleted',
  'conversation_shared',
  'conversation_share_withdrawn',
  'usage_exported',
  'audit_exported',
] as const;
export const AuditAction = z.enum(auditActions).describe('An action that the audit log records');
export type AuditAction = z.infer<typeof AuditAction>;

/** Most entries that a query names: they stand in an address, of which proxies take some 8,000 characters. */
export const maxAuditIds = 400;

export const AuditQuery = describedStrictly('Query of GET /audit and of its exports', {
  from: z.iso.datetime().optional().describe('Only entries from this time on, ISO 8601 in UTC'),
  to: z.iso.datetime().optional().describe('Only entries before this time, ISO 8601 in UTC'),
  action: AuditAction.optional(),
  user_id: z.string().max(64).optional().describe('Only entries about what the person with this id did'),
  text: z.string().max(200).optional().describe('Found in the names of actor and target'),
  sort: z.enum(['at', '-at']).default('-at').describe('at: the oldest first; -at: the newest first'),
  ids: z
    .string()
    .regex(/^\d{1,15}(?:,\d{1,15})*$/, 'numbers of entries')
    .refine((ids) => ids.split(',').length <= maxAuditIds, `names ${maxAuditIds} entries at most`)
    .optional()
    .describe(`Only these entries, by their ids, separated by commas, at most ${maxAuditIds}`),
  before: z
    .string()
    .regex(/^\d{1,15}$/, 'a place in the audit log')
    .optional()
    .describe('next of the page before'),
  size: z.coerce.number().int().min(1).max(200).default(50).describe('Number of entries of a page, 1 to 200'),
});
export type AuditQuery = z.infer<typeof AuditQuery>;

export const AuditEvent = described('An entry of the audit log', {
  id: z.string().describe('Number of the entry in the audit log, in decimal digits; later entries have higher numbers'),
  at: z.iso.datetime().describe('Time of the action, ISO 8601 in UTC'),
  action: AuditAction,
  actor: described('Who did it; id null: the service, an API key or an unknown person', {
    id: z.string().nullable().describe('Id of the person; null for the service, an API key or an unknown person'),
    name: z.string().describe('Name of the person, or of the API key, at the time of the action'),
  }),
  target: z
    .object({
      kind: z.string().describe('Kind of the target, such as user, key or collection'),
      id: z.string().nullable().describe('Id of the target; null where it has none'),
      name: z.string().describe('Name of the target at the time of the action'),
    })
    .nullable()
    .describe('What it was done to'),
  address: z.string().nullable().describe('IP address of the request'),
  user_agent: z.string().nullable().describe('User-Agent of the request; null where no request caused it'),
  request_id: z.string().nullable().describe('X-Request-Id of the request'),
  detail: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
    .describe('Further facts, by name'),
});
export type AuditEvent = z.infer<typeof AuditEvent>;
export const AuditPage = described('A part of the audit log', {
  items: z.array(AuditEvent).describe('Entries of this page, in the order that was asked for'),
  next: z.string().nullable().describe('Where the next page begins; null at the end'),
});
export type AuditPage = z.infer<typeof AuditPage>;
