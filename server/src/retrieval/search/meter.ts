import type { Caller } from '../caller.ts';
import type { RetrievalDeps } from '../deps.ts';

/** Name under which searches without any model are counted. */
const NO_MODEL = 'keyword';

/** Counts a search: a row for each model that was asked, and one where none was. */
export function meterSearch(
  { meter, now }: Pick<RetrievalDeps, 'meter' | 'now'>,
  { tenantId, keyId, userId }: Caller,
  calls: readonly { readonly model: string; readonly engine: string | null; readonly tokens: number }[],
  startedMs: number,
): void {
  const latencyMs = now() - startedMs;
  for (const { model, engine, tokens } of calls.length === 0 ? [{ model: NO_MODEL, engine: null, tokens: 0 }] : calls)
    meter.record({
      at: startedMs,
      tenantId,
      keyId,
      userId: keyId === null ? userId : null,
      endpoint: 'search',
      model,
      engine,
      status: 200,
      outcome: 'ok',
      stream: false,
      promptTokens: tokens,
      completionTokens: 0,
      reasoningTokens: null,
      firstTokenMs: null,
      latencyMs,
    });
}
