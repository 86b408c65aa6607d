import type { Address } from '../../console-kit/address.ts';
import type { Catalogue } from '../../models/catalogue.ts';
import type { Logger } from '../../kernel/log.ts';
import type { Bus } from '../../ports/bus.ts';
import type { Mailer } from '../../ports/mailer.ts';
import type { RateLimits } from '../../ports/rate-limiter.ts';
import type { IdentityDeps, SsoDeps } from '../index.ts';

/** What the routes of people, their sign-ins, their keys and their tenants work with. */
export interface IdentityRouteDeps extends IdentityDeps {
  readonly address: Address;
  readonly bus: Bus;
  readonly log: Logger;
  /** Sends invitations; null where the operator has no mail server. */
  readonly mailer: Mailer | null;
  readonly catalogue: Catalogue;
  /** Of the service, for people. */
  readonly version: string;
  /** Of the configuration, where a tenant has set none. */
  readonly defaultLimits: RateLimits;
  /** The single sign-on, where one is configured. */
  readonly sso: SsoDeps | null;
}
