import { type TenantSettings, TenantSettings as Form } from '@ai-studio/contract/console/settings.ts';

/** What holds until an administrator says otherwise. */
const standard: Omit<TenantSettings, 'name'> = {
  allowed_models: null,
  default_model: null,
  requests_per_minute: null,
  tokens_per_minute: null,
  max_keys: 100,
  require_second_factor: false,
  session_idle_hours: 72,
  conversation_days: null,
  accent: null,
};

const stored = Form.omit({ name: true }).partial();

/** Settings from their row; what a later version wrote and this one can't read falls back to the standard. */
export function settingsOf(name: string, row: unknown): TenantSettings {
  const parsed = stored.safeParse(row ?? {});
  return { ...standard, ...(parsed.success ? withoutUndefined(parsed.data) : {}), name };
}

const withoutUndefined = <T extends object>(all: T) =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
