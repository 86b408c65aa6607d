import type { GuardPolicy } from '@ai-studio/contract/utilities/guard.ts';
import type { RunFailure, RunFile, RunInput, RunPart, RunUsage } from '@ai-studio/contract/agents/run.ts';
import type { Principal } from '../../kernel/actor.ts';
import { StudioError } from '../../kernel/errors.ts';
import type { Database } from '../../ports/database.ts';
import { MAX_RUN_STEPS } from '../definition/graph.ts';
import { type AnswerParts, openAnswerParts } from './answer-parts.ts';
import { type Answers, openAnswers } from './answers.ts';
import { readEarlierFiles, readHistory, type Turn } from './history.ts';
import { openPassages, type PassageBook } from './passages.ts';
import type { ClaimedRun } from './rows.ts';
import type { RunLog } from './run-log.ts';
import type { Step } from './steps.ts';

/** Why a node failed, where it is known. */
export class NodeFailure extends Error {
  readonly failure: RunFailure;

  constructor(failure: RunFailure, cause: unknown) {
    super(failure.message, { cause });
    this.failure = failure;
  }
}

/** Why a run is ended from outside its nodes. */
export class RunInterrupt extends Error {
  readonly why: 'canceled' | 'closing' | 'database_away' | 'too_long';

  constructor(why: RunInterrupt['why'], message: string) {
    super(message);
    this.why = why;
  }
}

/** Whether an interrupted run can be resumed by another process or the next start. */
export const isResumable = (reason: unknown): boolean =>
  reason instanceof RunInterrupt && (reason.why === 'closing' || reason.why === 'database_away');

/** Tokens of the budget of a run that one call of a model holds while it runs. */
export interface TokenReservation {
  /** Counts one more token of output. Returns the failure of a run whose models, of which several speak, have no tokens left together. */
  countToken(): StudioError | null;
  /** Gives the tokens back: the call has ended, and its usage is counted by `spend`. */
  release(): void;
}

/** A run that this process runs: what all of its nodes share. */
export interface Execution {
  readonly row: ClaimedRun;
  readonly log: RunLog;
  /** Whose run it is. */
  readonly actor: Principal;
  /** Of this run, by key. */
  readonly steps: Map<string, Step>;
  readonly passages: PassageBook;
  readonly answers: Answers;
  /** What the answer brings beside its text. */
  readonly parts: AnswerParts;
  /** What became of personal values when a model was asked; undefined while none was. */
  guard: GuardPolicy | null | undefined;
  /** Ends all that is under way. */
  readonly signal: AbortSignal;
  abort(reason: Error): void;
  /** Files that messages of this run brought, by id. */
  files(): ReadonlyMap<string, RunFile>;
  /** Counts bytes of files that its nodes make. Throws StudioError `too_large` where they are too many together. */
  countFileBytes(bytes: number): void;
  /** Files of the last message of the session before this run that brought some. */
  earlierFiles(): Promise<readonly RunFile[]>;
  /** Questions of nodes that wait for a person, by their order. */
  readonly questions: string[];
  /** Tokens that its models may still use, beside what those under way take. Throws StudioError where there are none. */
  tokensLeft(): number;
  /** Reserves the estimated tokens of a call of a model. */
  reserveTokens(tokens: number): TokenReservation;
  spend(step: Step, usage: Pick<RunUsage, 'prompt_tokens' | 'completion_tokens'>): void;
  /** A step that was there before, or null. Throws StudioError once there are too many. */
  admit(key: string): Step | null;
  /** Earlier turns of the session. */
  history(): Promise<readonly Turn[]>;
}

/** Largest files that the nodes of a run make, together and before a crash, in bytes. */
const MAX_MADE_BYTES = 64 * 1024 * 1024;

interface OpenExecutionInput {
  readonly db: Database;
  readonly row: ClaimedRun;
  readonly log: RunLog;
  readonly steps: Map<string, Step>;
  /** Parts of the answer that were said before. */
  readonly parts: readonly RunPart[];
  readonly end: AbortController;
}

export function openExecution({ db, row, log, steps, parts, end }: OpenExecutionInput): Execution {
  const passages = openPassages(steps.values());
  const { limits } = row.definition;
  let history: Promise<readonly Turn[]> | null = null;
  /** Calls of models under way, and the tokens that they hold. */
  let activeCalls = 0;
  let fileBytes = 0;
  let reserved = 0;
  const left = () => limits.tokens - log.promptTokens - log.completionTokens - reserved;
  const budgetExceeded = () =>
    new StudioError(
      'unprocessable',
      `The models of this run have used the ${limits.tokens} tokens it may use; ask for less at once`,
      { reason: 'token_budget' },
    );
  return {
    row,
    log,
    actor: { tenantId: row.tenant_id, keyId: row.key_id, userId: row.user_id },
    steps,
    passages,
    answers: openAnswers(
      { textSoFar: () => log.answer, push: (json) => log.text(json), end: () => log.endText() },
      hasUnfinished(steps, ''),
      { passages, notify: (citations) => log.event({ type: 'citations', citations: [...citations] }) },
    ),
    parts: openAnswerParts(parts, (part) => log.event({ type: 'part', part })),
    guard: undefined,
    signal: end.signal,
    abort: (reason) => end.abort(reason),
    questions: [],
    tokensLeft() {
      const tokens = left();
      if (tokens <= 0) throw budgetExceeded();
      return tokens;
    },
    reserveTokens(tokens) {
      let own = tokens;
      activeCalls++;
      reserved += own;
      return {
        countToken() {
          own++;
          reserved++;
          // One alone is told how much it may say.
          return activeCalls > 1 && left() < 0 ? budgetExceeded() : null;
        },
        release() {
          activeCalls--;
          reserved -= own;
        },
      };
    },
    spend(step, { prompt_tokens: prompt, completion_tokens: completion }) {
      step.promptTokens += prompt;
      step.completionTokens += completion;
      log.promptTokens += prompt;
      log.completionTokens += completion;
    },
    admit(key) {
      const known = steps.get(key);
      if (known === undefined && steps.size >= MAX_RUN_STEPS)
        throw new StudioError('unprocessable', `A run has at most ${MAX_RUN_STEPS} steps`, { reason: 'step_budget' });
      return known ?? null;
    },
    files() {
      const replies = [...steps.values()].flatMap(
        ({ kept }) => (kept as { readonly reply?: RunInput } | null)?.reply ?? [],
      );
      return new Map([row.input, ...replies].flatMap(({ files }) => files.map((file) => [file.id, file])));
    },
    countFileBytes(bytes) {
      fileBytes += bytes;
      if (fileBytes > MAX_MADE_BYTES)
        throw new StudioError(
          'too_large',
          `The files that the tools of this run gave have more than ${MAX_MADE_BYTES} bytes together; ask for fewer of them`,
        );
    },
    earlierFiles: () => readEarlierFiles(db, row),
    history: () => (history ??= readHistory(db, row)),
  };
}

/** What a node that streams into an answer keeps. */
export interface Attached {
  /** Key of the answer's step. */
  readonly answer: string;
  /** Where its part begins. */
  readonly from: number;
}

/** The answer that a node was streaming into, if it was. */
export const attachedOf = (step: Step | undefined): Attached | null =>
  (step?.kept as { readonly attached?: Attached } | null | undefined)?.attached ?? null;

/** Whether a step is one of an agent's own, in its containers too, and none of an agent that it calls. `prefix`: of the keys of its steps. */
const isOwn = (key: string, prefix: string) =>
  key.startsWith(prefix) &&
  key
    .slice(prefix.length)
    .split('/')
    .slice(0, -1)
    .every((part) => part.endsWith(']'));

/** Whether a part of an agent's answer was begun before and not ended. */
export function hasUnfinished(steps: ReadonlyMap<string, Step>, prefix: string): boolean {
  return [...steps.values()].some((step) => {
    const attached = attachedOf(step);
    return attached !== null && isOwn(attached.answer, prefix) && steps.get(attached.answer)?.state !== 'done';
  });
}
