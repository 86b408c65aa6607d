import type { CallContext, Person, PersonActor } from '../kernel/actor.ts';
import type { IncomingHttpHeaders } from 'node:http';
import type { TenantId } from '../kernel/context.ts';
import type { KeyRecord } from './key-record.ts';
import type { SignedIn } from './signed-in.ts';

/** Where a call comes from. */
export interface CallOrigin {
  readonly address: string;
  readonly userAgent: string;
  readonly requestId: string;
}

const MAX_USER_AGENT_LENGTH = 300;

/** Where a request comes from. */
export const originOf = ({
  ip,
  headers,
  id,
}: {
  readonly ip: string;
  readonly headers: IncomingHttpHeaders;
  readonly id: string;
}): CallOrigin => ({
  address: ip,
  userAgent: (headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT_LENGTH),
  requestId: id,
});

/** The actor of an audited action: who, in which tenant, and from where. */
export interface AuditActor {
  /** Null for what concerns no tenant. */
  readonly tenantId: TenantId | null;
  /** Null for the service itself, for API keys and for unknown people. */
  readonly userId: string | null;
  readonly name: string;
  /** Null for what the service does by itself or by its command line. */
  readonly origin: CallOrigin | null;
}

/** The audit actor of a signed-in person, in the tenant of the session. */
export const auditActorOf = (person: SignedIn, origin: CallOrigin): AuditActor => ({
  tenantId: person.tenantId,
  userId: person.userId,
  name: person.name,
  origin,
});

/** The actor of an action within a tenant. */
export type TenantAuditActor = AuditActor & { readonly tenantId: TenantId };

/** The audit actor of a call with an API key, which is told by its name: whoever has the key did it, not its holder alone. */
export const keyAuditActor = ({ tenantId, name }: KeyRecord, origin: CallOrigin): TenantAuditActor => ({
  tenantId,
  userId: null,
  name,
  origin,
});

/** A call from the console within a tenant, with its actor for the audit log. */
export interface AuditedContext<Who extends Person = PersonActor> extends CallContext<Who> {
  readonly auditActor: TenantAuditActor;
}

/** The audit actor of the service itself and of its command line. */
export const systemAuditActor = <T extends TenantId | null>(tenantId: T): AuditActor & { readonly tenantId: T } => ({
  tenantId,
  userId: null,
  name: 'AI Studio',
  origin: null,
});
