import type { ConversationMessage, NewTurn, TurnEvent } from '@ai-studio/contract/console/conversations.ts';
import type { GuardPolicy } from '@ai-studio/contract/utilities/guard.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import type { ChatOutput, ChatResult, CompleteOptions, PreparedChat, RunningChat } from '../chat/index.ts';
import { belongsTo } from '../identity/index.ts';
import { StudioError } from '../kernel/errors.ts';
import type { Logger } from '../kernel/log.ts';
import type { RateLimiter, RateLimits, RateState } from '../ports/rate-limiter.ts';
import type { UsageRow } from '../usage/index.ts';
import { beginTurn, type BeginDeps, type BegunTurn } from './begin.ts';
import { followAnswer, watchStored } from './follow.ts';
import { type AnswerEnd, LiveAnswer } from './live-answer.ts';
import type { Owner } from './owner.ts';
import { readReply } from './reply-reader.ts';
import { findOwn, selectMessages, toMessage } from './rows.ts';
import { openValueMask, unmaskMessage } from './value-mask.ts';

export interface AnswersDeps extends BeginDeps {
  readonly complete: (
    chat: PreparedChat,
    options: CompleteOptions,
    output: ChatOutput,
    done: (result: ChatResult) => void,
  ) => RunningChat;
  readonly limiter: RateLimiter;
  readonly meter: { record(row: UsageRow): void };
  /**
   * What people and the usage report are told of a failure. The message is null where there is nothing that the person
   * could do otherwise: the console has words of its own for that.
   */
  readonly explain: (error: unknown, requestId: string) => { readonly message: string | null; readonly status: number };
  readonly log: Logger;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** What a person may use: models (null for all), and how much in a minute. */
export interface Allowance {
  readonly models: ReadonlySet<string> | null;
  readonly limits: RateLimits;
  /** What becomes of personal values; null: nothing is looked for. */
  readonly guard: GuardPolicy | null;
}

/** One turn as it is asked for. */
export interface TurnCall {
  readonly requestId: string;
  /** Ends the following, not the answer. */
  readonly signal: AbortSignal;
}

/** The answers that this process makes. They go on when nobody follows them. */
export interface Answers {
  /**
   * Stores a question, begins its answer and follows it. Errors, before the first event: `not_found`, `conflict`
   * (`answer_running`), `rate_limited`, `unavailable` while the service stops, and those of the chat.
   */
  ask(owner: Owner, id: string, input: z.output<typeof NewTurn>, allowance: Allowance, call: TurnCall): Promise<Events>;
  /** Follows the last answer, in this process or another; one that has ended is told at once. Errors: `not_found`. */
  follow(owner: Owner, id: string, signal: AbortSignal): Promise<Events>;
  /** Ends the answer under way and keeps what came; does nothing where there is none. Errors: `not_found`. */
  stop(owner: Owner, id: string): Promise<void>;
  /** Ends the answer of a conversation that is no more. */
  forget(conversationId: string): void;
  /**
   * Something changed for a person, or, with null, may have changed for anybody: the answers of whoever may not be in their
   * tenant any more end, with what came.
   */
  askAgain(userId: string | null): void;
  /** Ends all answers, keeping what came. Safe to repeat. */
  close(): Promise<void>;
}
type Events = AsyncGenerator<TurnEvent, void>;

/** Time for another process to hear of a stop. */
const STOP_TIMEOUT_MS = 3_000;
const STOP_POLL_MS = 100;

/** What limits count a person of a tenant by. */
export const personSubject = ({ tenantId, userId }: Owner): string => `person/${tenantId}/${userId}`;

export function createAnswers(deps: AnswersDeps): Answers {
  const { db, box, limiter, meter, explain, log, now = Date.now } = deps;
  const live = new Map<string, LiveAnswer>();
  let closing = false;

  async function reserve(owner: Owner, limits: RateLimits, tokens: number): Promise<RateState> {
    const state = await limiter.reserve(personSubject(owner), limits, tokens);
    if (state.allowed) return state;
    throw new StudioError('rate_limited', `Your rate limit is reached; try again in ${state.resetSeconds} seconds`, {
      retryAfterSeconds: state.resetSeconds,
    });
  }

  function endOf(answer: LiveAnswer, result: ChatResult, status: ReturnType<AnswersDeps['explain']> | null) {
    if (result.outcome === 'ok') return { state: 'done', error: null } as const;
    if (status) return { state: 'failed', error: status.message } as const;
    return { state: answer.ending === 'closing' ? 'failed' : 'stopped', error: null } as const;
  }

  /** Makes the answer of a turn that was begun. */
  function start(owner: Owner, turn: BegunTurn, requestId: string, settle: (tokens: number) => void): LiveAnswer {
    const { conversationId, chat, restore } = turn;
    const answer = new LiveAnswer({ db, log, owner, conversationId, mask: turn.mask }, turn.answer, turn.title);
    const startedMs = now();
    live.set(conversationId, answer);
    const done = (result: ChatResult) => {
      const { usage, outcome } = result;
      const failure = outcome === 'error' ? explain(turn.hide(result.error), requestId) : null;
      const durationMs = now() - startedMs;
      settle(usage.promptTokens + usage.completionTokens);
      meter.record({
        at: startedMs,
        tenantId: owner.tenantId,
        keyId: null,
        userId: owner.userId,
        endpoint: 'chat',
        model: chat.model.id,
        engine: result.engine,
        status: failure?.status ?? 200,
        outcome,
        stream: true,
        promptTokens: usage.promptTokens,
        completionTokens: usage.completionTokens,
        reasoningTokens: usage.reasoningTokens,
        firstTokenMs: result.firstTokenMs,
        latencyMs: durationMs,
      });
      const end: AnswerEnd = { ...endOf(answer, result, failure), result, durationMs };
      void answer.finish(end).then(() => {
        if (live.get(conversationId) === answer) live.delete(conversationId);
      });
    };
    const output = readReply((parts) => answer.add(parts));
    const options = { requestId, toolStream: 'openai', ...(restore ? { restore } : {}) } as const;
    answer.runBy(deps.complete(chat, options, output, done));
    if (closing) answer.end('closing');
    return answer;
  }

  const lastAnswer = async (conversationId: string) => {
    const row = await selectMessages(db.query)
      .where('conversation_id', '=', conversationId)
      .where('role', '=', 'assistant')
      .orderBy('position', 'desc')
      .executeTakeFirst();
    return row ? toMessage(row) : null;
  };

  const byId = async (id: string): Promise<ConversationMessage | null> => {
    const row = await selectMessages(db.query).where('id', '=', id).executeTakeFirst();
    return row ? toMessage(row) : null;
  };

  return {
    async ask(owner, id, input, { models, limits, guard }, { requestId, signal }) {
      if (closing) throw new StudioError('unavailable', 'The service is stopping', { retryAfterSeconds: 1 });
      let reserved: { readonly rate: RateState; readonly tokens: number } | null = null;
      const settle = (tokens: number) => {
        if (!reserved) return;
        limiter.settle(personSubject(owner), limits, tokens - reserved.tokens, reserved.rate.window);
      };
      const admit = async ({ estimatedPromptTokens: tokens }: PreparedChat) => {
        reserved = { rate: await reserve(owner, limits, tokens), tokens };
      };
      const turn = await beginTurn(deps, owner, id, input, { models, guard }, admit).catch((error: unknown) => {
        settle(0);
        throw error;
      });
      const answer = start(owner, turn, requestId, settle);
      return followAnswer(answer, turn.question, signal);
    },
    async follow(owner, id, signal) {
      const row = await findOwn(db.query, owner, id);
      const here = live.get(id);
      if (here) return followAnswer(here, null, signal);
      const last = await lastAnswer(id);
      if (!last) throw new StudioError('not_found', 'The conversation has no answer yet');
      const mask = openValueMask(box, row);
      const again = async () => {
        const message = await byId(last.id);
        return message && unmaskMessage(mask, message);
      };
      return followAnswer(watchStored(unmaskMessage(mask, last), mask.unmask(row.title), again), null, signal);
    },
    async stop(owner, id) {
      await findOwn(db.query, owner, id);
      const here = live.get(id);
      if (here) {
        here.end('stopped');
        await here.over;
        return;
      }
      const asked = await db.query
        .updateTable('conversation_messages')
        .set({ stop_asked: true })
        .where('conversation_id', '=', id)
        .where('state', '=', 'running')
        .returning('id')
        .executeTakeFirst();
      for (let waited = 0; asked && waited < STOP_TIMEOUT_MS; waited += STOP_POLL_MS) {
        if ((await byId(asked.id))?.state !== 'running') return;
        await sleep(STOP_POLL_MS);
      }
    },
    askAgain(userId) {
      const owners = [...live.values()].map(({ owner }) => owner);
      const asked = owners.filter((owner) => userId === null || owner.userId === userId);
      for (const [subject, owner] of new Map(asked.map((owner) => [personSubject(owner), owner])))
        void belongsTo({ db }, owner)
          .then((still) => {
            if (still) return;
            for (const answer of live.values()) if (personSubject(answer.owner) === subject) answer.end('stopped');
          })
          .catch((error: unknown) => log.warn({ err: error }, 'It could not be asked whether answers may go on'));
    },
    forget: (conversationId) => live.get(conversationId)?.end('gone'),
    async close() {
      closing = true;
      const all = [...live.values()];
      for (const answer of all) answer.end('closing');
      await Promise.all(all.map(({ over }) => over));
    },
  };
}
