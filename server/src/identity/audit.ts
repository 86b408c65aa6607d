import type { AuditAction } from '@ai-studio/contract/console/audit.ts';

/** What was done, to what. Who, when and from where come from the call. Never holds a secret. */
export interface AuditNote {
  readonly action: AuditAction;
  readonly target?: { readonly kind: string; readonly id: string | null; readonly name: string } | null;
  readonly detail?: Readonly<Record<string, string | number | boolean | null>>;
}
