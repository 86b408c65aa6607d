import type { SecretBox } from '../kernel/secret-box.ts';
import type { Database } from '../ports/database.ts';
import type { Passwords } from './passwords/hash.ts';

/** Dependencies of the verbs for people and sign-ins. */
export interface IdentityDeps {
  readonly db: Database;
  readonly passwords: Passwords;
  /** Encrypts secrets that must be read again, such as TOTP secrets. */
  readonly box: SecretBox;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}
