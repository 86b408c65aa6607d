import type { Logger } from './log.ts';

declare const tenantBrand: unique symbol;
/** Id of a tenant. A branded string, so that no other string is accepted for one. */
export type TenantId = string & { readonly [tenantBrand]: true };

/** Who acts: the holder of an API key, a person in the console, or the service itself. */
export type AuditActor =
  | { readonly kind: 'key'; readonly keyId: string }
  | { readonly kind: 'user'; readonly userId: string }
  | { readonly kind: 'system' };

/** The context of a request: the first input of every verb. */
export interface RequestContext {
  readonly requestId: string;
  readonly tenantId: TenantId;
  readonly actor: AuditActor;
  readonly signal: AbortSignal;
  readonly log: Logger;
}
