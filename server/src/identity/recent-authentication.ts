import { StudioError } from '../kernel/errors.ts';
import type { SignedIn } from './signed-in.ts';

/** How long an authentication counts for sensitive actions. */
const MAX_AUTHENTICATION_AGE_MINUTES = 10;

/** Throws StudioError `forbidden`, reason `reauthentication_needed`, where the person's last proof is too old. */
export function requireRecentAuthentication(
  { authenticatedAt }: Pick<SignedIn, 'authenticatedAt'>,
  nowMs: number,
): void {
  if (nowMs - authenticatedAt.getTime() <= MAX_AUTHENTICATION_AGE_MINUTES * 60_000) return;
  throw new StudioError('forbidden', 'Confirm your password first', { reason: 'reauthentication_needed' });
}
