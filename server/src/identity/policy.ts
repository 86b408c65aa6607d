import { type ConsoleAction, type Role, consoleActions } from '@ai-studio/contract/console/roles.ts';
import { StudioError } from '../kernel/errors.ts';

// The one place that says what a role may do. Source: interface section 5 (table of roles), decisions section 7.

const everyone = ['user', 'developer', 'administrator'] as const;
const builders = ['developer', 'administrator'] as const;
const administrators = ['administrator'] as const;

/** Roles that may do each action in their own tenant. */
const allowed: Readonly<Record<ConsoleAction, readonly Role[]>> = {
  chat: everyone,
  'agents.use': everyone,
  'collections.search': everyone,
  playground: builders,
  'documents.parse': builders,
  'keys.own': builders,
  'models.view': builders,
  'agents.build': builders,
  'collections.manage': builders,
  'usage.own': builders,
  'keys.all': administrators,
  'agents.approve': administrators,
  'users.manage': administrators,
  'usage.all': administrators,
  'audit.view': administrators,
  'settings.manage': administrators,
  // What all tenants share: an administrator only while there is a single tenant.
  'models.manage': [],
  'tenants.manage': [],
};

/** What of the installation is the platform operator's. */
const operators: ReadonlySet<ConsoleAction> = new Set(['models.view', 'models.manage', 'tenants.manage']);

/** Who asks, in the tenant that the session stands in. */
export interface Standing {
  /** Null for an operator who is no member of the tenant. */
  readonly role: Role | null;
  readonly operator: boolean;
  /** Whether the installation has no other tenant. */
  readonly singleTenant: boolean;
}

/** Whether the person may do it in their own tenant. Another tenant's things do not exist for them, whatever their role. */
export function may({ role, operator, singleTenant }: Standing, action: ConsoleAction): boolean {
  if (operator && operators.has(action)) return true;
  if (role === null) return false;
  if (action === 'models.manage') return singleTenant && role === 'administrator';
  return allowed[action].includes(role);
}

/** Everything the person may do. */
export const actionsOf = (standing: Standing): ReadonlySet<ConsoleAction> =>
  new Set(consoleActions.filter((action) => may(standing, action)));

/** Throws StudioError `forbidden`. */
export function requireAction(actions: ReadonlySet<ConsoleAction>, action: ConsoleAction): void {
  if (!actions.has(action))
    throw new StudioError('forbidden', `Your role has no permission for ${action}`, { reason: 'role_missing' });
}
