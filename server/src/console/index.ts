import type { IdentityDeps } from '../identity/index.ts';
import type { Catalogue } from '../models/catalogue.ts';
import type { Bus } from '../ports/bus.ts';
import { createAddress } from './address.ts';
import { auditRoutes } from './audit.ts';
import { type Console, createConsole, type FrameDeps } from './frame.ts';
import { sessionRoutes } from './session.ts';
import { settingsRoutes } from './settings.ts';

export type { Console } from './frame.ts';

/** Everything that the console's own interface works with. */
export interface ConsoleDeps extends FrameDeps, IdentityDeps {
  readonly bus: Bus;
  readonly catalogue: Catalogue;
  readonly version: string;
  /** The single sign-on, where one is configured. */
  readonly singleSignOn: { readonly name: string } | null;
}

/** The console's own interface with all its routes. */
export function openConsole(deps: ConsoleDeps): Console {
  const all = { ...deps, address: createAddress(deps.configuredUrl) };
  return createConsole(deps, [...sessionRoutes(all), ...settingsRoutes(all), ...auditRoutes(all)]);
}
