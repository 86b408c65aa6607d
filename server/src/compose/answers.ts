import { type ChatRouter, complete, type CompleteDeps, createPrepare } from '../chat/index.ts';
import { type Answers, type AnswersDeps, createAnswers } from '../conversations/index.ts';
import { tellFailure } from '../http/index.ts';

export interface OpenAnswersOptions extends Pick<
  AnswersDeps,
  'db' | 'box' | 'catalogue' | 'limiter' | 'meter' | 'privacy' | 'log'
> {
  readonly router: ChatRouter;
  readonly maxJsonBytes: number;
}

/** Conversations on the same pipeline as the public interface. */
export function openAnswers({ router, maxJsonBytes, ...deps }: OpenAnswersOptions): Answers {
  const pipeline: CompleteDeps = { router, memory: new Map(), now: Date.now };
  return createAnswers({
    ...deps,
    prepare: createPrepare({ catalogue: deps.catalogue, maxJsonBytes }),
    complete: (...call) => complete(pipeline, ...call),
    explain: (error, requestId) => {
      const { message, status } = tellFailure(error);
      deps.log.info({ requestId, status, reason: message }, 'An answer failed');
      return { message: status < 500 ? message : null, status };
    },
  });
}
