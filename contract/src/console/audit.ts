import { z } from 'zod';

/** Everything that is written down. `console` has words for each in both languages. */
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
  'model_download',
  'model_download_canceled',
  'model_imported',
  'model_removed',
  'model_bound',
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
  'collection_handed_over',
  'collection_reindex_ended',
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
  'usage_exported',
  'audit_exported',
] as const;
export const AuditAction = z.enum(auditActions);
export type AuditAction = z.infer<typeof AuditAction>;

/** Query of GET /audit and of its exports; newest first. */
export const AuditQuery = z.object({
  from: z.iso.datetime().optional(),
  to: z.iso.datetime().optional(),
  action: AuditAction.optional(),
  user_id: z.string().max(64).optional(),
  text: z.string().max(200).optional().describe('Found in the names of who and what'),
  before: z
    .string()
    .regex(/^\d{1,15}$/, 'a place in the audit log')
    .optional()
    .describe('`next` of the page before'),
  size: z.coerce.number().int().min(1).max(200).default(50),
});
export type AuditQuery = z.infer<typeof AuditQuery>;

export const AuditEvent = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  action: AuditAction,
  actor: z
    .object({ id: z.string().nullable(), name: z.string() })
    .describe('Id null: the service or an unknown person'),
  target: z.object({ kind: z.string(), id: z.string().nullable(), name: z.string() }).nullable(),
  address: z.string().nullable(),
  user_agent: z.string().nullable(),
  request_id: z.string().nullable(),
  detail: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});
export type AuditEvent = z.infer<typeof AuditEvent>;
export const AuditPage = z.object({ items: z.array(AuditEvent), next: z.string().nullable() });
export type AuditPage = z.infer<typeof AuditPage>;
