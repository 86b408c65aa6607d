import { type ConsoleAction, type Role, consoleActions } from '@ai-studio/contract/console/roles.ts';
import { StudioError } from '../kernel/errors.ts';

// The one place that says what a role may do. Source: interface section 5 (table of roles), decisions section 7.

const everyone = ['user', 'developer', 'administrator'] as const;
const builders = ['developer', 'administrator'] as const;
const administrators = ['administrator'] as const;

/** Roles that may do each action in their own tenant. */
const rolesByAction: Readonly<Record<ConsoleAction, readonly Role[]>> = {
  chat: everyone,
  'chat.settings': builders,
  'prompts.share': builders,
  'prompts.manage': administrators,
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
  'network.manage': [],
  'index.view': [],
  'tenants.manage': [],
};

/** Actions on the installation that a platform operator may take. */
const operatorActions: ReadonlySet<ConsoleAction> = new Set([
  'models.view',
  'models.manage',
  'network.manage',
  'index.view',
  'tenants.manage',
]);
/** What an administrator may do to the installation while it has no other tenant. */
const singleTenantActions: ReadonlySet<ConsoleAction> = new Set(['models.manage', 'network.manage', 'index.view']);

/** The role of the requester in the tenant of the session. */
export interface RoleContext {
  /** Null for an operator who is no member of the tenant. */
  readonly role: Role | null;
  readonly operator: boolean;
  /** Whether the installation has no other tenant. */
  readonly singleTenant: boolean;
}

/** Whether the person may do it in their own tenant. Another tenant's things do not exist for them, whatever their role. */
export function isAllowed({ role, operator, singleTenant }: RoleContext, action: ConsoleAction): boolean {
  if (operator && operatorActions.has(action)) return true;
  if (role === null) return false;
  if (singleTenantActions.has(action)) return singleTenant && role === 'administrator';
  return rolesByAction[action].includes(role);
}

/** All actions that the role permits. */
export const allowedActions = (context: RoleContext): ReadonlySet<ConsoleAction> =>
  new Set(consoleActions.filter((action) => isAllowed(context, action)));

/** Throws StudioError `forbidden`. */
export function requireAction(actions: ReadonlySet<ConsoleAction>, action: ConsoleAction): void {
  if (!actions.has(action))
    throw new StudioError('forbidden', `Your role has no permission for ${action}`, { reason: 'role_missing' });
}
