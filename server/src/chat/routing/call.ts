import type { EngineBinding } from '../../models/profile.ts';
import { type Engine, EngineError } from '../../ports/engine.ts';
import type { Routing } from './run.ts';
import type { Target } from './targets.ts';

/** A call that is no chat, such as one for vectors: it comes whole, or not at all. */
export interface WholeCall {
  readonly requestId: string;
  readonly modelId: string;
  readonly bindings: readonly EngineBinding[];
  readonly signal: AbortSignal;
}

/** What a call does with the target that it got; `model` is the engine's own name of the model. */
export type Work<T> = (engine: Engine, model: string) => Promise<T>;

/** A server that refused is well; an engine that refused by itself asked nobody. */
const isAnswer = ({ kind, status }: EngineError) => kind === 'refused' && status !== null;

/**
 * Does the work on the target that a chat would get, and on others while it fails. Each outcome counts for the health of
 * the target, for chats too. Throws StudioError `unavailable` where no engine is configured, the EngineError of the last
 * target, and at once what is no failure of a target.
 */
export async function callWhole<T>(
  { targets, health, log }: Pick<Routing, 'targets' | 'health' | 'log'>,
  { requestId, modelId, bindings, signal }: WholeCall,
  work: Work<T>,
): Promise<T> {
  const candidates = targets.of(bindings, modelId);
  const tried: Target[] = [];
  let last: EngineError | null = null;
  for (;;) {
    const picked = targets.pick(candidates, tried);
    if (!picked) break;
    const { target, model } = picked;
    tried.push(target);
    targets.started(target);
    try {
      const result = await work(target.engine, model);
      targets.succeeded(target);
      return result;
    } catch (error) {
      if (signal.aborted || !(error instanceof EngineError)) throw error;
      if (isAnswer(error)) targets.succeeded(target);
      if (error.kind === 'refused') throw error;
      targets.failed(target, error);
      health.check(target);
      const { kind, status, message: reason } = error;
      log.warn({ engine: target.engine.id, requestId, kind, status, reason }, 'engine call failed');
      last = error;
    } finally {
      targets.left(target);
    }
  }
  if (last) throw last;
  const retryAfterSeconds = targets.patienceSeconds(candidates);
  throw new EngineError('unavailable', `All engines of the model ${modelId} asked for patience`, { retryAfterSeconds });
}
