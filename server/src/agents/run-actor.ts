import type { GuardMode } from '@ai-studio/contract/utilities/guard.ts';
import {
  type AllowanceDeps,
  createKeyActor,
  findKeyRecord,
  isExpired,
  personActor,
  readGuard,
} from '../identity/index.ts';
import type { Actor, Principal } from '../kernel/actor.ts';
import { StudioError } from '../kernel/errors.ts';
import { resolveGuard } from '../privacy/index.ts';
import { RunInterrupt } from './runs/execution.ts';

/** Who pays for a run, within what they may use now. `guards`: the modes that the agents of the run ask for. Throws StudioError `forbidden`; RunInterrupt `canceled` where their key was deleted, or its holder may not call any more. */
export type RunActor = (who: Principal, guards: readonly GuardMode[]) => Promise<Actor>;

/** Resolves the actor whose quota a run uses, with the current limits of the key or person: they may have changed since the run started. */
export function createRunActor({ db, defaultLimits }: AllowanceDeps): RunActor {
  const keyActor = createKeyActor(defaultLimits);

  async function payer({ tenantId, keyId, userId }: Principal): Promise<Actor> {
    if (keyId === null && userId === null) throw new StudioError('forbidden', 'Nobody pays for this run');
    if (keyId === null) return personActor({ db, defaultLimits }, { tenantId, keyId, userId: userId ?? '' });
    const key = await findKeyRecord({ db }, tenantId, keyId);
    if (key === null || !key.holderMayCall) throw new RunInterrupt('canceled', 'the API key of the run was deleted');
    if (isExpired(key, Date.now()))
      throw new StudioError('forbidden', 'The API key of this run may not be used any more');
    return keyActor(key);
  }

  return async (who, own) => {
    const actor = await payer(who);
    if (own.length === 0) return actor;
    const policy = await readGuard({ db }, who.tenantId);
    // A key whose mode is not the tenant's has one of its own.
    const mode = actor.guard?.mode ?? 'off';
    return { ...actor, guard: resolveGuard(policy, mode === policy.mode ? null : mode, ...own) };
  };
}
