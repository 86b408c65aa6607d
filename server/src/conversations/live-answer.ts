import type { ConversationMessage } from '@ai-studio/contract/console/conversations.ts';
import { sql } from 'kysely';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChatResult, RunningChat } from '../inference/index.ts';
import type { Person } from '../kernel/actor.ts';
import type { Logger } from '../kernel/log.ts';
import { type Database, isDatabaseAway } from '../ports/database.ts';
import type { AnswerSource } from './follow.ts';
import type { ReplyParts } from './reply-reader.ts';
import { storable } from './stored.ts';
import { nowInMilliseconds } from './rows.ts';

/** The growing text is stored, and the lease renewed, this often. */
const SAVE_MS = 500;
/** The last words are tried to be stored this often, with pauses that double from {@link FIRST_PAUSE_MS}. */
const TRIES = 8;
const FIRST_PAUSE_MS = 100;
/** Between tries while the database is away, which do not count. */
const AWAY_PAUSE_MS = 1_000;

/** How an answer ended. */
export interface AnswerEnd {
  readonly state: 'done' | 'stopped' | 'failed';
  readonly error: string | null;
  readonly result: ChatResult;
  readonly durationMs: number;
}

interface LiveAnswerDeps {
  readonly db: Database;
  readonly log: Logger;
  /** Whose it is. */
  readonly owner: Person;
  readonly conversationId: string;
  /** A text as the database may hold it. */
  readonly mask: (text: string) => string;
  /** Between two tries to store it. */
  readonly pause?: (ms: number) => Promise<unknown>;
}

/** An answer that this process makes: its text so far, kept in the database as it grows. */
export class LiveAnswer implements AnswerSource {
  readonly title: string;
  version = 0;
  /** Why it was ended from outside: by its person, by a stop of the service, or as its conversation is gone. */
  ending: 'stopped' | 'closing' | 'gone' | null = null;
  readonly #ended = Promise.withResolvers<void>();
  readonly over = this.#ended.promise;
  #message: ConversationMessage;
  #content = '';
  #reasoning = '';
  #savedLength = 0;
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
    this.#timer = setInterval(() => this.#save(), SAVE_MS).unref();
  }

  get owner(): Person {
    return this.#deps.owner;
  }

  /** Called once, with the chat that makes the answer. */
  runBy(run: RunningChat): void {
    this.#run = run;
  }

  add({ content, reasoning }: ReplyParts): void {
    this.#content += storable(content);
    this.#reasoning += storable(reasoning);
    this.#announce();
  }

  message(): ConversationMessage {
    if (this.#message.state !== 'running') return this.#message;
    return { ...this.#message, content: this.#content, reasoning: this.#reasoning === '' ? null : this.#reasoning };
  }

  changed(version: number): Promise<void> {
    return version === this.version ? this.#change.promise : Promise.resolve();
  }

  /** Ends it; `over` resolves once what came is stored. Safe to repeat. */
  end(why: NonNullable<LiveAnswer['ending']>): void {
    this.ending ??= why;
    if (why === 'closing') this.#isClosing = true;
    this.#run?.stop();
  }

  /** Stores how it ended. Never rejects. */
  async finish(end: AnswerEnd): Promise<void> {
    clearInterval(this.#timer);
    await this.#saving;
    const { usage, firstTokenMs } = end.result;
    const ended: ConversationMessage = {
      ...this.message(),
      state: end.state,
      error: end.error,
      prompt_tokens: usage.promptTokens,
      completion_tokens: usage.completionTokens,
      first_token_ms: firstTokenMs,
      duration_ms: end.durationMs,
    };
    if (this.ending !== 'gone') await this.#store(ended);
    this.#message = ended;
    this.#announce();
    this.#ended.resolve();
  }

  #announce(): void {
    this.version++;
    const { resolve } = this.#change;
    this.#change = Promise.withResolvers();
    resolve();
  }

  /** Stores what has come, renews the lease, and hears whether another process was asked to stop. */
  #save(): void {
    this.#saving = this.#saving
      .then(() => this.#saveNow())
      .catch((error: unknown) => this.#deps.log.warn({ err: error }, 'A growing answer could not be stored'));
  }

  async #saveNow(): Promise<void> {
    const length = this.#content.length + this.#reasoning.length;
    const grown = length !== this.#savedLength;
    const row = await this.#deps.db.query
      .updateTable('conversation_messages')
      .set({
        seen_at: sql<Date>`clock_timestamp()`,
        ...(grown ? this.#concealed(this.#content, this.#reasoning) : {}),
      })
      .where('id', '=', this.#message.id)
      .returning('stop_asked')
      .executeTakeFirst();
    this.#savedLength = length;
    if (row === undefined) this.end('gone');
    else if (row.stop_asked) this.end('stopped');
  }

  #concealed(content: string, reasoning: string) {
    const { mask } = this.#deps;
    return { content: mask(content), reasoning: reasoning === '' ? null : mask(reasoning) };
  }

  async #store({ id, content, reasoning, state, error, ...figures }: ConversationMessage): Promise<void> {
    const { db, log, pause: wait = sleep } = this.#deps;
    const { prompt_tokens, completion_tokens, first_token_ms, duration_ms } = figures;
    for (let attempt = 1, pause = FIRST_PAUSE_MS; attempt <= TRIES;) {
      try {
        await db.transaction(async (tx) => {
          await tx
            .updateTable('conversation_messages')
            .set({
              ...this.#concealed(content, reasoning ?? ''),
              state,
              error,
              prompt_tokens,
              completion_tokens,
              first_token_ms,
              duration_ms,
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
        if (isDatabaseAway(failure) && !this.#isClosing) {
          await wait(AWAY_PAUSE_MS);
          continue;
        }
        log.warn({ err: failure, attempt }, 'An answer could not be stored');
        if (attempt++ < TRIES) await wait(pause);
        pause *= 2;
      }
    }
  }
}
