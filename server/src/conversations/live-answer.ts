import type { ConversationMessage } from '@ai-studio/contract/console/conversations.ts';
import type { Citation } from '@ai-studio/contract/agents/run.ts';
import { sql } from 'kysely';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChatResult, RunningChat } from '../inference/index.ts';
import type { Person } from '../kernel/actor.ts';
import type { Logger } from '../kernel/log.ts';
import { type Database, isDatabaseUnavailable } from '../ports/database.ts';
import type { AnswerSource } from './follow.ts';
import type { ReplyParts } from './reply-batcher.ts';
import { citedOf } from './sources.ts';
import { stripNul } from './validation.ts';
import { maskCitations } from './value-mask.ts';
import { nowInMilliseconds } from './rows.ts';

/** The growing text is stored, and the lease renewed, this often. */
const SAVE_INTERVAL_MS = 500;
/** Attempts to store the final state, with a backoff that doubles from {@link INITIAL_BACKOFF_MS}. */
const MAX_ATTEMPTS = 8;
const INITIAL_BACKOFF_MS = 100;
/** Delay between attempts while the database is unreachable; those do not count. */
const DATABASE_RETRY_MS = 1_000;

/** How an answer ended. */
export interface AnswerEnd {
  readonly state: 'done' | 'stopped' | 'failed';
  readonly error: string | null;
  readonly result: ChatResult;
  readonly durationMs: number;
  /** The model that answered, where it may be another than the one that was asked for. */
  readonly model?: string | undefined;
  /** Set where it is. */
  readonly fallback?: ConversationMessage['fallback'];
}

interface LiveAnswerDeps {
  readonly db: Database;
  readonly log: Logger;
  /** Whose it is. */
  readonly owner: Person;
  readonly conversationId: string;
  /** Replaces personal values by tokens, for the database. */
  readonly mask: (text: string) => string;
  /** What it may cite. */
  readonly sources?: readonly Citation[];
  /** Between two tries to store it. */
  readonly pause?: (ms: number) => Promise<unknown>;
}

/** An answer that this process makes: its text so far, kept in the database as it grows. */
export class LiveAnswer implements AnswerSource {
  readonly title: string;
  version = 0;
  /** Why it was stopped: by its owner, by the shutdown of the service, or because its conversation was deleted. */
  stopReason: 'stopped' | 'closing' | 'gone' | null = null;
  readonly #ended = Promise.withResolvers<void>();
  readonly settled = this.#ended.promise;
  #message: ConversationMessage;
  #content = '';
  #reasoning = '';
  #savedLength = 0;
  /** Of the first word of reasoning. */
  #reasoningSince: number | null = null;
  #reasoningMs: number | null = null;
  #isClosing = false;
  #run: RunningChat | null = null;
  #saving: Promise<void> = Promise.resolve();
  #change = Promise.withResolvers<void>();
  readonly #deps: LiveAnswerDeps;
  readonly #timer: NodeJS.Timeout;

  constructor(deps: LiveAnswerDeps, answer: ConversationMessage, title: string) {
    this.#deps = deps;
    this.#message = answer;
    this.title = title;
    this.#timer = setInterval(() => this.#save(), SAVE_INTERVAL_MS).unref();
  }

  get conversationId(): string {
    return this.#deps.conversationId;
  }

  get owner(): Person {
    return this.#deps.owner;
  }

  /** Called once, with the chat that makes the answer. */
  attachRun(run: RunningChat): void {
    this.#run = run;
  }

  add({ content, reasoning }: ReplyParts): void {
    if (reasoning !== '') this.#reasoningSince ??= performance.now();
    if (content !== '') this.#endReasoning();
    this.#content += stripNul(content);
    this.#reasoning += stripNul(reasoning);
    this.#notify();
  }

  #endReasoning(): void {
    if (this.#reasoningSince !== null) this.#reasoningMs ??= Math.round(performance.now() - this.#reasoningSince);
  }

  message(): ConversationMessage {
    if (this.#message.state !== 'running') return this.#message;
    return {
      ...this.#message,
      content: this.#content,
      reasoning: this.#reasoning === '' ? null : this.#reasoning,
      reasoning_ms: this.#reasoningMs,
    };
  }

  changed(version: number): Promise<void> {
    return version === this.version ? this.#change.promise : Promise.resolve();
  }

  /** Stops the chat; `settled` resolves once the text so far is stored. Safe to repeat. */
  requestStop(why: NonNullable<LiveAnswer['stopReason']>): void {
    this.stopReason ??= why;
    if (why === 'closing') this.#isClosing = true;
    this.#run?.stop();
  }

  /** Stores how it ended. Never rejects. */
  async finish(end: AnswerEnd): Promise<void> {
    clearInterval(this.#timer);
    await this.#saving;
    this.#endReasoning();
    const { usage, firstTokenMs } = end.result;
    const ended: ConversationMessage = {
      ...this.message(),
      ...(end.model === undefined ? {} : { model: end.model }),
      fallback: end.fallback ?? null,
      state: end.state,
      error: end.error,
      prompt_tokens: usage.promptTokens,
      completion_tokens: usage.completionTokens,
      first_token_ms: firstTokenMs,
      duration_ms: end.durationMs,
      citations: citedOf(this.#content, this.#deps.sources ?? []).map(({ number, document_name, page }) => ({
        number,
        document_name,
        page,
      })),
    };
    if (this.stopReason !== 'gone') await this.#store(ended);
    this.#message = ended;
    this.#notify();
    this.#ended.resolve();
  }

  #notify(): void {
    this.version++;
    const { resolve } = this.#change;
    this.#change = Promise.withResolvers();
    resolve();
  }

  /** Stores the text so far, renews the lease, and checks whether another process requested a stop. */
  #save(): void {
    this.#saving = this.#saving
      .then(() => this.#saveNow())
      .catch((error: unknown) => this.#deps.log.warn({ err: error }, 'partial answer could not be stored'));
  }

  async #saveNow(): Promise<void> {
    const length = this.#content.length + this.#reasoning.length;
    const grown = length !== this.#savedLength;
    const row = await this.#deps.db.query
      .updateTable('conversation_messages')
      .set({
        seen_at: sql<Date>`clock_timestamp()`,
        ...(grown ? this.#masked(this.#content, this.#reasoning) : {}),
      })
      .where('id', '=', this.#message.id)
      .returning('stop_asked')
      .executeTakeFirst();
    this.#savedLength = length;
    if (row === undefined) this.requestStop('gone');
    else if (row.stop_asked) this.requestStop('stopped');
  }

  #masked(content: string, reasoning: string) {
    const { mask } = this.#deps;
    return { content: mask(content), reasoning: reasoning === '' ? null : mask(reasoning) };
  }

  async #store({ id, content, reasoning, state, error, ...figures }: ConversationMessage): Promise<void> {
    const { db, log, mask, sources = [], pause: wait = sleep } = this.#deps;
    const { model, fallback, prompt_tokens, completion_tokens, first_token_ms, duration_ms, reasoning_ms } = figures;
    for (let attempt = 1, pause = INITIAL_BACKOFF_MS; attempt <= MAX_ATTEMPTS;) {
      try {
        await db.transaction(async (tx) => {
          await tx
            .updateTable('conversation_messages')
            .set({
              ...this.#masked(content, reasoning ?? ''),
              citations: JSON.stringify(maskCitations(mask, citedOf(content, sources))),
              state,
              model,
              fallback: fallback && JSON.stringify(fallback),
              error,
              prompt_tokens,
              completion_tokens,
              first_token_ms,
              duration_ms,
              reasoning_ms,
            })
            .set({ seen_at: null, stop_asked: false })
            .where('id', '=', id)
            .execute();
          await tx
            .updateTable('conversations')
            .set({ updated_at: nowInMilliseconds })
            .where('id', '=', this.#deps.conversationId)
            .execute();
        });
        return;
      } catch (failure) {
        if (isDatabaseUnavailable(failure) && !this.#isClosing) {
          await wait(DATABASE_RETRY_MS);
          continue;
        }
        log.warn({ err: failure, attempt }, 'answer could not be stored');
        if (attempt++ < MAX_ATTEMPTS) await wait(pause);
        pause *= 2;
      }
    }
  }
}
