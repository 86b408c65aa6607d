import type { ConversationMessage, NewTurn, TurnEvent } from '@ai-studio/contract/console/conversations.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import type { ChatResult, OpenChat } from '../inference/index.ts';
import { isActiveMember } from '../identity/index.ts';
import { type CallContext, type Person, type PersonActor, subjectOf } from '../kernel/actor.ts';
import { httpStatuses, StudioError } from '../kernel/errors.ts';
import type { Logger } from '../kernel/log.ts';
import { toStudioError } from '../ports/failure.ts';
import { requireNoneRunning, type StartedAnswer, startTurn, type StartedTurn, type TurnDeps } from './start-turn.ts';
import { followAnswer, pollStoredAnswer } from './follow.ts';
import { type AnswerEnd, LiveAnswer } from './live-answer.ts';
import { mergeEvents } from './merge-events.ts';
import { createReplyBatcher } from './reply-batcher.ts';
import { shownPath } from './branches.ts';
import { gatherMaterial, type MaterialDeps, modelsOf } from './material.ts';
import { findOwn, readMessages, selectMessages, toMessage } from './rows.ts';
import { openValueMask, unmaskMessage } from './value-mask.ts';

export interface AnswersDeps extends TurnDeps, MaterialDeps {
  readonly openChat: OpenChat;
  readonly log: Logger;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** The answers that this process generates. They continue when no client follows them. */
export interface Answers {
  /**
   * Stores a question, begins its answer and follows it. Errors, before the first event: `not_found`, `conflict`
   * (`answer_running`), `rate_limited`, `unavailable` while the service stops, and those of the chat. The signal of the call ends
   * the following, not the answer.
   */
  ask(ctx: CallContext<PersonActor>, id: string, input: z.output<typeof NewTurn>): Promise<Events>;
  /** Follows the last answers, in this process or another; those that have ended are told at once. Errors: `not_found`. */
  follow(owner: Person, id: string, signal: AbortSignal): Promise<Events>;
  /** Ends the answers under way, or one of them, and keeps what came; does nothing where there is none. Errors: `not_found`. */
  stop(owner: Person, id: string, answerId?: string): Promise<void>;
  /** Ends the answer of a conversation that is no more. */
  forget(conversationId: string): void;
  /**
   * Checks again whether a person, or with null every owner, still belongs to their tenant, and stops the answers of those who do
   * not. The text so far is stored.
   */
  recheckAccess(userId: string | null): void;
  /** Ends all answers, keeping what came. Safe to repeat. */
  close(): Promise<void>;
}
type Events = AsyncGenerator<TurnEvent, void>;

/** How long to wait until another process has stopped its answer. */
const STOP_TIMEOUT_MS = 3_000;
const STOP_POLL_MS = 100;

/** The message of a failure that the user can act on; null for server errors, for which the console has its own text. */
function userMessage(error: unknown): string | null {
  const { code, message } = toStudioError(error);
  return httpStatuses[code] < 500 ? message : null;
}

export function createAnswers(deps: AnswersDeps): Answers {
  const { db, box, openChat, log, now = Date.now } = deps;
  /** By the id of the answer. */
  const live = new Map<string, LiveAnswer>();
  const liveOf = (conversationId: string) => [...live.values()].filter((one) => one.conversationId === conversationId);
  let closing = false;

  function endOf(answer: LiveAnswer, { outcome, error }: ChatResult) {
    if (outcome === 'ok') return { state: 'done', error: null } as const;
    if (outcome === 'error') return { state: 'failed', error: userMessage(error) } as const;
    return { state: answer.stopReason === 'closing' ? 'failed' : 'stopped', error: null } as const;
  }

  /** Makes an answer of a turn that was begun. */
  function start(
    owner: Person,
    { conversationId, ...turn }: StartedTurn,
    { answer: place, chat, inference }: StartedAnswer,
    requestId: string,
  ): LiveAnswer {
    const answer = new LiveAnswer(
      { db, log, owner, conversationId, mask: turn.mask, sources: turn.sources },
      place,
      turn.title,
    );
    const startedMs = now();
    live.set(place.id, answer);
    const batcher = createReplyBatcher((parts) => answer.add(parts));
    const done = (result: ChatResult) => {
      batcher.flush();
      const hidden = { ...result, error: inference.redactError(result.error) };
      if (result.outcome === 'error') log.info({ requestId, err: hidden.error }, 'answer failed');
      const model = inference.chat?.model.id;
      const fallback = inference.fallback && { asked: chat.model.id, reason: inference.fallback.reason };
      const end: AnswerEnd = { ...endOf(answer, hidden), result, durationMs: now() - startedMs, model, fallback };
      void answer.finish(end).then(() => live.delete(place.id));
    };
    answer.attachRun(inference.run(chat, batcher, done));
    if (closing) answer.requestStop('closing');
    return answer;
  }

  /** The answers under way, else the last one of the version that is shown. */
  const lastAnswers = async (conversationId: string, leafId: string | null) => {
    const all = await readMessages(db.query, conversationId);
    const running = all.filter(({ state }) => state === 'running');
    const last = shownPath(all, leafId).findLast(({ role }) => role === 'assistant');
    return (running.length > 0 ? running : last ? [last] : []).map((row) => toMessage(row, all));
  };

  /** The same message later: it alone is read, as it gets no other versions before it has ended. */
  const again = async ({ id, versions }: ConversationMessage): Promise<ConversationMessage | null> => {
    const row = await selectMessages(db.query).where('id', '=', id).executeTakeFirst();
    return row ? { ...toMessage(row, [row]), versions } : null;
  };
  const anyRunning = async (ids: readonly string[]) =>
    (await selectMessages(db.query).where('id', 'in', ids).execute()).some(({ state }) => state === 'running');

  return {
    async ask(ctx, id, input) {
      const { actor, requestId, signal } = ctx;
      if (closing) throw new StudioError('unavailable', 'The service is stopping', { retryAfterSeconds: 1 });
      const startedMs = now();
      // What cannot be answered now reads no files and searches nothing.
      const row = await findOwn(db.query, actor, id);
      await requireNoneRunning(db.query, row.id);
      const calls = modelsOf(input, row.model).map((model) => ({
        model,
        inference: openChat({ actor, requestId, endpoint: 'chat', startedMs, conversation: id, session: id }),
      }));
      for (const { inference } of calls) await inference.countRequest();
      const material = await gatherMaterial(deps, ctx, id, input);
      const turn = await startTurn(deps, actor, id, input, calls, material).catch((error: unknown) => {
        for (const { inference } of calls) inference.settle();
        throw error;
      });
      const answers = turn.answers.map((one) => start(actor, turn, one, requestId));
      return mergeEvents(answers.map((answer) => followAnswer(answer, turn.question, signal)));
    },
    async follow(owner, id, signal) {
      const row = await findOwn(db.query, owner, id);
      const here = liveOf(id);
      if (here.length > 0) return mergeEvents(here.map((answer) => followAnswer(answer, null, signal)));
      const last = await lastAnswers(id, row.leaf_id);
      if (last.length === 0) throw new StudioError('not_found', 'The conversation has no answer yet');
      const mask = openValueMask(box, row);
      const stored = (answer: ConversationMessage) =>
        pollStoredAnswer(unmaskMessage(mask, answer), mask.unmask(row.title), async () => {
          const message = await again(answer);
          return message && unmaskMessage(mask, message);
        });
      return mergeEvents(last.map((answer) => followAnswer(stored(answer), null, signal)));
    },
    async stop(owner, id, answerId) {
      await findOwn(db.query, owner, id);
      const here = liveOf(id).filter((one) => answerId === undefined || one.message().id === answerId);
      if (here.length > 0) {
        for (const answer of here) answer.requestStop('stopped');
        await Promise.all(here.map(({ settled }) => settled));
        return;
      }
      let asking = db.query
        .updateTable('conversation_messages')
        .set({ stop_asked: true })
        .where('conversation_id', '=', id)
        .where('state', '=', 'running');
      if (answerId !== undefined) asking = asking.where('id', '=', answerId);
      const asked = (await asking.returning('id').execute()).map((row) => row.id);
      for (let waited = 0; asked.length > 0 && waited < STOP_TIMEOUT_MS; waited += STOP_POLL_MS) {
        if (!(await anyRunning(asked))) return;
        await sleep(STOP_POLL_MS);
      }
    },
    recheckAccess(userId) {
      const owners = [...live.values()].map(({ owner }) => owner);
      const asked = owners.filter((owner) => userId === null || owner.userId === userId);
      for (const [subject, owner] of new Map(asked.map((owner) => [subjectOf(owner), owner])))
        void isActiveMember({ db }, owner)
          .then((still) => {
            if (still) return;
            for (const answer of live.values()) if (subjectOf(answer.owner) === subject) answer.requestStop('stopped');
          })
          .catch((error: unknown) =>
            log.warn({ err: error }, 'access of the owners of running answers could not be checked'),
          );
    },
    forget(conversationId) {
      for (const answer of liveOf(conversationId)) answer.requestStop('gone');
    },
    async close() {
      closing = true;
      const all = [...live.values()];
      for (const answer of all) answer.requestStop('closing');
      await Promise.all(all.map(({ settled }) => settled));
    },
  };
}
