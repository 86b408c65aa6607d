import type { ConsoleRoute } from '../../console-kit/route.ts';
import { auditRoutes } from './audit.ts';
import type { IdentityRouteDeps } from './deps.ts';
import { keyRoutes } from './keys.ts';
import { passkeyRoutes } from './passkeys.ts';
import { peopleRoutes } from './people.ts';
import { profileRoutes } from './profile.ts';
import { sessionRoutes } from './session.ts';
import { settingsRoutes } from './settings.ts';
import { ssoRoutes } from './sso.ts';
import { tenantRoutes } from './tenants.ts';

export type { IdentityRouteDeps } from './deps.ts';

/** People, their sign-ins and keys, tenants with their settings, and the audit log. */
export const identityRoutes = (deps: IdentityRouteDeps): ConsoleRoute[] => [
  ...sessionRoutes(deps),
  ...profileRoutes(deps),
  ...ssoRoutes(deps),
  ...passkeyRoutes(deps),
  ...peopleRoutes(deps),
  ...tenantRoutes(deps),
  ...settingsRoutes(deps),
  ...auditRoutes(deps),
  ...keyRoutes(deps),
];
