import { z } from 'zod';

const Limit = z.int().min(1).max(2_147_483_647).nullable();

/** GET and PATCH /settings: of the tenant. Null: the installation's default. */
export const TenantSettings = z.object({
  name: z.string().trim().min(1).max(100),
  /** Models that keys and people of the tenant may use; null for all. */
  allowed_models: z.array(z.string().max(200)).min(1).max(1000).nullable(),
  /** The one that chat and playground begin with. */
  default_model: z.string().nullable(),
  requests_per_minute: Limit.describe('Of a key that has no limit of its own'),
  tokens_per_minute: Limit.describe('Of a key that has no limit of its own'),
  max_keys: z.int().min(1).max(10_000).describe('Keys that the tenant may hold'),
  require_second_factor: z.boolean(),
  /** Hours without a call after which a session ends. */
  session_idle_hours: z.int().min(1).max(720),
  /** Days after which conversations that nobody touched are deleted; null for never. */
  conversation_days: z.int().min(1).max(3650).nullable(),
  /** What traces of agents keep once a run has ended: all, or all but inputs and outputs. */
  agent_traces: z.enum(['full', 'no_content']),
  /** Colour of buttons and links, one of the console's own. */
  accent: z.enum(['indigo', 'blue', 'teal', 'green', 'orange', 'red', 'grape']).nullable(),
});
export type TenantSettings = z.infer<typeof TenantSettings>;
export const TenantSettingsChange = TenantSettings.partial().strict();
