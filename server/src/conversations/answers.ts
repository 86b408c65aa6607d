import type { ConversationMessage, NewTurn, TurnEvent } from '@ai-studio/contract/console/conversations.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import type { ChatResult, OpenChat } from '../inference/index.ts';
import { belongsTo } from '../identity/index.ts';
import { type CallContext, type Person, type PersonActor, subjectOf } from '../kernel/actor.ts';
import { httpStatuses, StudioError } from '../kernel/errors.ts';
import type { Logger } from '../kernel/log.ts';
import { toStudioError } from '../ports/failure.ts';
import { beginTurn, type BeginDeps, type BegunTurn } from './begin.ts';
import { followAnswer, watchStored } from './follow.ts';
import { type AnswerEnd, LiveAnswer } from './live-answer.ts';
import { readReply } from './reply-reader.ts';
import { findOwn, selectMessages, toMessage } from './rows.ts';
import { openValueMask, unmaskMessage } from './value-mask.ts';

export interface AnswersDeps extends BeginDeps {
  readonly openChat: OpenChat;
  readonly log: Logger;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** The answers that this process makes. They go on when nobody follows them. */
export interface Answers {
  /**
   * Stores a question, begins its answer and follows it. Errors, before the first event: `not_found`, `conflict`
   * (`answer_running`), `rate_limited`, `unavailable` while the service stops, and those of the chat. The signal of the call ends
   * the following, not the answer.
   */
  ask(ctx: CallContext<PersonActor>, id: string, input: z.output<typeof NewTurn>): Promise<Events>;
  /** Follows the last answer, in this process or another; one that has ended is told at once. Errors: `not_found`. */
  follow(owner: Person, id: string, signal: AbortSignal): Promise<Events>;
  /** Ends the answer under way and keeps what came; does nothing where there is none. Errors: `not_found`. */
  stop(owner: Person, id: string): Promise<void>;
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

/** What a person is told of a failure: null where they could do nothing otherwise, as the console has words of its own for that. */
function explain(error: unknown): string | null {
  const { code, message } = toStudioError(error);
  return httpStatuses[code] < 500 ? message : null;
}

export function createAnswers(deps: AnswersDeps): Answers {
  const { db, box, openChat, log, now = Date.now } = deps;
  const live = new Map<string, LiveAnswer>();
  let closing = false;

  function endOf(answer: LiveAnswer, { outcome, error }: ChatResult) {
    if (outcome === 'ok') return { state: 'done', error: null } as const;
    if (outcome === 'error') return { state: 'failed', error: explain(error) } as const;
    return { state: answer.ending === 'closing' ? 'failed' : 'stopped', error: null } as const;
  }

  /** Makes the answer of a turn that was begun. */
  function start(
    owner: Person,
    { conversationId, chat, inference, ...turn }: BegunTurn,
    requestId: string,
  ): LiveAnswer {
    const answer = new LiveAnswer({ db, log, owner, conversationId, mask: turn.mask }, turn.answer, turn.title);
    const startedMs = now();
    live.set(conversationId, answer);
    const reader = readReply((parts) => answer.add(parts));
    const done = (result: ChatResult) => {
      reader.flush();
      const hidden = { ...result, error: inference.hide(result.error) };
      if (result.outcome === 'error') log.info({ requestId, err: hidden.error }, 'answer failed');
      const end: AnswerEnd = { ...endOf(answer, hidden), result, durationMs: now() - startedMs };
      void answer.finish(end).then(() => {
        if (live.get(conversationId) === answer) live.delete(conversationId);
      });
    };
    answer.runBy(inference.run(chat, reader, done));
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
    async ask({ actor, requestId, signal }, id, input) {
      if (closing) throw new StudioError('unavailable', 'The service is stopping', { retryAfterSeconds: 1 });
      const inference = openChat({ actor, requestId, endpoint: 'chat', startedMs: now(), conversation: id });
      const turn = await beginTurn(deps, actor, id, input, inference).catch((error: unknown) => {
        inference.settle();
        throw error;
      });
      const answer = start(actor, turn, requestId);
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
      for (const [subject, owner] of new Map(asked.map((owner) => [subjectOf(owner), owner])))
        void belongsTo({ db }, owner)
          .then((still) => {
            if (still) return;
            for (const answer of live.values()) if (subjectOf(answer.owner) === subject) answer.end('stopped');
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
