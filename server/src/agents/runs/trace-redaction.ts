import { readGuard } from '../../identity/index.ts';
import { type Database, isDatabaseUnavailable } from '../../ports/database.ts';
import { type PrivacyGuard, resolveGuard } from '../../privacy/index.ts';
import type { RunActor } from '../run-actor.ts';
import type { ExecuteRunDeps } from './execute-run.ts';
import { guardsOf } from './scope.ts';

interface RedactionDeps {
  readonly db: Database;
  readonly guard: Pick<PrivacyGuard, 'hide'>;
  readonly actorOf: RunActor;
}

/** What hides the values of a trace whose models were not to see them. */
export const createTraceRedaction =
  ({ db, guard, actorOf }: RedactionDeps): ExecuteRunDeps['traceRedaction'] =>
  async ({ guard: known, actor, row }) => {
    const own = guardsOf(row.definition, []);
    // Where no model was asked nobody has looked yet; for who may not call any more the policy of the tenant is left.
    const policy =
      known === undefined
        ? await actorOf(actor, own).then(
            (one) => one.guard,
            async (error: unknown) => {
              if (isDatabaseUnavailable(error)) throw error;
              return resolveGuard(await readGuard({ db }, actor.tenantId), ...own);
            },
          )
        : known;
    if (policy === null || policy.mode === 'report') return null;
    return (text) => guard.hide(policy, text);
  };
