import type { SecretBox } from '../kernel/secret-box.ts';
import type { Database } from '../ports/database.ts';
import type { Passwords } from './passwords/hash.ts';

/** What the verbs of people and their sign-ins work with. */
export interface IdentityDeps {
  readonly db: Database;
  readonly passwords: Passwords;
  /** For what must be read again, such as TOTP secrets. */
  readonly box: SecretBox;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}
