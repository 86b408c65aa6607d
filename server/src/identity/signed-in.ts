import type { ConsoleAction, Role } from '@ai-studio/contract/console/roles.ts';
import type { TenantId } from '../kernel/context.ts';

/** A person behind a session of the console, in the tenant that the session stands in. */
export interface SignedIn {
  readonly sessionId: string;
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  /** Null for an operator who belongs to no tenant. */
  readonly tenantId: TenantId | null;
  readonly role: Role | null;
  readonly operator: boolean;
  readonly actions: ReadonlySet<ConsoleAction>;
  /** When the person last proved who they are. */
  readonly authenticatedAt: Date;
  /** The tenant demands a second factor that is missing: nothing but the profile opens. */
  readonly mustAddSecondFactor: boolean;
}
