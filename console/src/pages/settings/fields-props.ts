import type { TenantSettings } from '@ai-studio/contract/console/settings.ts';

/** What a group of fields of the settings takes. */
export interface FieldsProps {
  readonly settings: TenantSettings;
  readonly onChange: (change: Partial<TenantSettings>) => void;
}
