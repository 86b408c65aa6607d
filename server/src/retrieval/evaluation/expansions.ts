import type { QueryExpansion } from '@ai-studio/contract/retrieval/search-settings.ts';
import type { CallContext } from '../../kernel/actor.ts';
import { StudioError } from '../../kernel/errors.ts';
import { payerOf } from '../extraction/payer.ts';
import { untilItPasses } from '../passing-failure.ts';
import { askForExpansion, type Expanded } from '../search/expansion.ts';
import type { EvaluationDeps } from './deps.ts';
import type { ClaimedRun } from './run-rows.ts';

/** Time for one answer of a chat model; nobody waits for it. */
const TIMEOUT_MS = 120_000;

/** What chat models say beside one question. */
export interface Expansions {
  /**
   * What one says, asked once for all settings that want the same. Waits where the model is away, or a limit is reached. Throws StudioError
   * `forbidden` where whoever started the run may not ask chat models any more, and what the call of the model throws.
   */
  of(wanted: QueryExpansion): Promise<Expanded>;
}

/**
 * Opens the expansions of a question. Whoever started the run pays, within the limits and the models that they have now: it may have waited, and a
 * run takes its time.
 */
export function openExpansions(
  deps: EvaluationDeps,
  { requestId, signal }: CallContext,
  { tenant_id: tenantId, askedFor }: Pick<ClaimedRun, 'tenant_id' | 'askedFor'>,
  question: string,
): Expansions {
  const said = new Map<string, Expanded>();

  async function ask(wanted: QueryExpansion): Promise<Expanded> {
    const { userId, administers } = askedFor;
    const payer = { tenant_id: tenantId, key_id: null, user_id: userId, administers, model: wanted.model ?? '' };
    const actor = await payerOf(deps, payer);
    if (actor === null)
      throw new StudioError('forbidden', 'Whoever started the evaluation may not ask chat models any more');
    const ctx: CallContext = { actor, requestId, signal, priority: 'batch' };
    // A model that says nothing new says that the question is well put: it counts as it is.
    return {
      expansion: await askForExpansion(deps, ctx, question, { ...wanted, timeoutMs: TIMEOUT_MS }),
      unavailable: null,
    };
  }

  return {
    async of(wanted) {
      const key = JSON.stringify([wanted.kind, wanted.model ?? null]);
      const known = said.get(key) ?? (await untilItPasses(() => ask(wanted), signal));
      said.set(key, known);
      return known;
    },
  };
}
