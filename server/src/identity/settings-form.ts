import { forEachLimit } from '@ai-studio/contract/limits.ts';
import { type TenantSettings, TenantSettings as Form } from '@ai-studio/contract/console/settings.ts';

/** Settings of a tenant that has changed none. */
const defaultSettings: Omit<TenantSettings, 'name'> = {
  allowed_models: null,
  default_model: null,
  default_embedding_model: null,
  synonyms: [],
  ...forEachLimit(null),
  tool_stream: null,
  max_keys: 100,
  require_second_factor: false,
  session_idle_hours: 72,
  conversation_days: null,
  agent_traces: 'full',
  accent: null,
  ai_notice_ko: null,
  ai_notice_en: null,
  ai_mark_ko: null,
  ai_mark_en: null,
  follow_ups: 'kept',
  model_titles: true,
};

const fields = Form.omit({ name: true }).shape;

/**
 * Parses the stored settings. A field that this version can't read, as a later one wrote it, falls back to its default; the others
 * are kept.
 */
export function settingsOf(name: string, row: unknown): TenantSettings {
  const stored = typeof row === 'object' && row !== null ? (row as Readonly<Record<string, unknown>>) : {};
  const readable = Object.entries(fields).flatMap(([key, form]) => {
    if (stored[key] === undefined) return [];
    const parsed = form.safeParse(stored[key]);
    return parsed.success ? [[key, parsed.data] as const] : [];
  });
  return { ...defaultSettings, ...Object.fromEntries(readable), name };
}
