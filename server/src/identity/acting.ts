import type { CallContext, Person, PersonActor } from '../kernel/actor.ts';
import type { TenantId } from '../kernel/context.ts';
import type { SignedIn } from './signed-in.ts';

/** Where a call comes from. */
export interface CallOrigin {
  readonly address: string;
  readonly userAgent: string;
  readonly requestId: string;
}

/** Who does something, where, and from where: what the audit log says of every act. */
export interface Acting {
  /** Null for what concerns no tenant. */
  readonly tenantId: TenantId | null;
  /** Null for the service itself and for unknown people. */
  readonly userId: string | null;
  readonly name: string;
  /** Null for what the service does by itself or by its command line. */
  readonly origin: CallOrigin | null;
}

/** A signed-in person as the one who acts, in the tenant of the session. */
export const actingOf = (person: SignedIn, origin: CallOrigin): Acting => ({
  tenantId: person.tenantId,
  userId: person.userId,
  name: person.name,
  origin,
});

/** An act within a tenant. */
export type TenantActing = Acting & { readonly tenantId: TenantId };

/** A call from the console within a tenant, and what the audit log says of its acts. */
export interface AuditedContext<Who extends Person = PersonActor> extends CallContext<Who> {
  readonly acting: TenantActing;
}

/** The service, or whoever holds its machine. */
export const actingSystem = <T extends TenantId | null>(tenantId: T): Acting & { readonly tenantId: T } => ({
  tenantId,
  userId: null,
  name: 'AI Studio',
  origin: null,
});
