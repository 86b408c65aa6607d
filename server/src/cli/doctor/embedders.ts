import { vectorFault } from '../../inference/index.ts';
import type { Engine } from '../../ports/engine.ts';
import { ok, warn, type Finding } from './finding.ts';

/** Whether an engine makes vectors that can be used with a model of its own name: it is asked for one, in so many milliseconds. */
export async function checkEmbedder(engine: Engine, model: string, timeoutMs: number): Promise<Finding> {
  const subject = `Embedding model ${model}`;
  const signal = AbortSignal.timeout(timeoutMs);
  const advice = `Mend it on the engine ${engine.id}. Hybrid searches go by words alone until then, documents wait.`;
  try {
    const made = await engine.embed?.({ requestId: 'doctor', model, input: ['doctor'], dimensions: null, signal });
    if (made === undefined) return warn(subject, 'its engine makes no vectors', advice);
    const fault = vectorFault(made, 1, null);
    if (fault !== null) return warn(subject, `gives ${fault}`, advice);
    return ok(subject, `gives vectors of ${made.vectors[0]?.length} numbers`);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return warn(subject, signal.aborted ? `gives no vector within ${timeoutMs} ms` : why, advice);
  }
}
