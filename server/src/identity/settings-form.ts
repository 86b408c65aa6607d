import { forEachLimit } from '@ai-studio/contract/limits.ts';
import { type TenantSettings, TenantSettings as Form } from '@ai-studio/contract/console/settings.ts';

/** What holds until an administrator says otherwise. */
const standard: Omit<TenantSettings, 'name'> = {
  allowed_models: null,
  default_model: null,
  ...forEachLimit(null),
  max_keys: 100,
  require_second_factor: false,
  session_idle_hours: 72,
  conversation_days: null,
  agent_traces: 'full',
  accent: null,
};

const fields = Form.omit({ name: true }).shape;

/**
 * Settings from their row. What a later version wrote and this one can't read falls back to the standard, field by field: one
 * that is not understood switches no other off.
 */
export function settingsOf(name: string, row: unknown): TenantSettings {
  const given = typeof row === 'object' && row !== null ? (row as Readonly<Record<string, unknown>>) : {};
  const read = Object.entries(fields).flatMap(([key, form]) => {
    if (given[key] === undefined) return [];
    const parsed = form.safeParse(given[key]);
    return parsed.success ? [[key, parsed.data] as const] : [];
  });
  return { ...standard, ...Object.fromEntries(read), name };
}
