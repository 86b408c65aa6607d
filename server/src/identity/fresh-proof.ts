import { StudioError } from '../kernel/errors.ts';
import type { SignedIn } from './signed-in.ts';

/** For so long a proof of who somebody is counts for what is sensitive. */
const FRESH_MINUTES = 10;

/** Throws StudioError `forbidden`, reason `reauthentication_needed`, where the person's last proof is too old. */
export function requireFreshProof({ authenticatedAt }: Pick<SignedIn, 'authenticatedAt'>, nowMs: number): void {
  if (nowMs - authenticatedAt.getTime() <= FRESH_MINUTES * 60_000) return;
  throw new StudioError('forbidden', 'Confirm your password first', { reason: 'reauthentication_needed' });
}
