import type { Principal } from '../../kernel/actor.ts';
import type { RetrievalDeps } from '../deps.ts';

/** Name under which searches without any model are counted. */
const NO_MODEL = 'keyword';

/** Counts a search: a row for each model that was asked, and one where none was. */
export function meterSearch(
  { metering }: Pick<RetrievalDeps, 'metering'>,
  actor: Principal,
  calls: readonly { readonly model: string; readonly engine: string | null; readonly tokens: number }[],
  startedMs: number,
): void {
  const counted = calls.length === 0 ? [{ model: NO_MODEL, engine: null, tokens: 0 }] : calls;
  for (const { model, engine, tokens } of counted)
    metering.record({ actor, startedMs, endpoint: 'search', model, engine, promptTokens: tokens });
}
