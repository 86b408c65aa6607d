import type { Citation, RunEvent, RunFailure } from '@ai-studio/contract/agents/run.ts';
import type { UrlCitation } from '@ai-studio/contract/chat/annotations.ts';
import type { ChatResult, RunningChat } from '../../inference/index.ts';
import type { Principal } from '../../kernel/actor.ts';
import { type ErrorCode, FinalFailure, StudioError } from '../../kernel/errors.ts';
import type { EngineUsage } from '../../ports/engine.ts';
import { followTask } from '../a2a/follow.ts';
import type { Deployed } from '../lifecycle/runnable.ts';
import type { RunSnapshot } from '../runs/types.ts';
import { annotationsOf, sourcesText } from './annotations.ts';
import { rememberConversation } from './conversation.ts';
import { type AnswerFinish, finishOf } from './finish.ts';
import type { AgentChat } from './read-chat.ts';
import { type ChatStart, type StartChatDeps, type StartedChat, startChat } from './start-chat.ts';

export interface AgentChatDeps extends StartChatDeps {
  /** Where people reach the service: sources are pages of its console. */
  readonly address: () => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Failures of a run that are those of its chat; others are the agent's own. */
const passed: ReadonlySet<string> = new Set<ErrorCode>([
  'rate_limited',
  'unavailable',
  'timeout',
  'forbidden',
  'unprocessable',
  'too_large',
]);

/** The run has failed: what it did may have effects. Others are failures to begin or to follow it, and whoever asks again joins it. */
export class AgentRunFailure extends FinalFailure {}

const failureOf = (failure: RunFailure | undefined): AgentRunFailure =>
  new AgentRunFailure(
    failure && passed.has(failure.code) ? (failure.code as ErrorCode) : 'internal',
    failure?.message ?? 'The agent failed',
  );

/** Between an answer and a question after it. */
const BETWEEN = '\n\n';

/** Who asks which agent what. */
export interface ChatTurn {
  readonly actor: Principal;
  readonly agent: Deployed;
  readonly chat: AgentChat;
}

/** A whole answer of an agent. */
export interface WholeAnswer {
  readonly content: string;
  readonly annotations: readonly UrlCitation[];
  readonly usage: EngineUsage;
  readonly finish: AnswerFinish;
}

/** The form in which an answer is told. */
export interface AnswerForm {
  /** A piece of its text, as it comes. Returns false while whoever reads it is behind. */
  say(text: string): boolean;
  /** It is complete. */
  end(answer: WholeAnswer): void;
  /** It failed. */
  fail(error: unknown): void;
  /** Says that it goes on. */
  ping(): void;
  /** Whether anything was sent. */
  readonly isOpen: boolean;
}

export interface AnswerOptions extends ChatStart {
  /** The form has no place for sources: they are told as the last lines of the text. */
  readonly sourcesInText?: boolean;
}

/**
 * A chat that an agent answers: its run is started and followed, and told in the form of whoever asks. When its caller goes away the run
 * ends, as nobody could ask for it.
 */
export class AgentAnswer implements RunningChat {
  readonly #deps: AgentChatDeps;
  readonly #turn: ChatTurn;
  readonly #form: AnswerForm;
  readonly #options: AnswerOptions;
  readonly #done: (result: ChatResult) => void;
  readonly #gone = new AbortController();
  readonly #startedMs: number;
  #runId: string | null = null;
  #content = '';
  #citations: readonly Citation[] = [];
  #usage: EngineUsage = { promptTokens: 0, completionTokens: 0, reasoningTokens: null, promptTokensDetails: null };
  #firstTokenMs: number | null = null;
  #over = false;
  #drained: PromiseWithResolvers<void> | null = null;
  /** Nobody comes back for it. */
  #isUnwanted = false;

  constructor(
    deps: AgentChatDeps,
    turn: ChatTurn,
    form: AnswerForm,
    done: (result: ChatResult) => void,
    options: AnswerOptions = {},
  ) {
    this.#deps = deps;
    this.#turn = turn;
    this.#form = form;
    this.#done = done;
    this.#options = options;
    this.#startedMs = deps.now();
  }

  /** Never rejects. */
  async run(): Promise<void> {
    try {
      const { actor, agent, chat } = this.#turn;
      const started = await startChat(this.#deps, actor, agent, chat, this.#options);
      this.#runId = started.run.id;
      if (this.#gone.signal.aborted) return this.#leave();
      await this.#follow(started);
      await this.#finish(started);
    } catch (error) {
      if (this.#over) return;
      this.#form.fail(error);
      this.#end('error', error);
    }
  }

  async #follow({ run, after }: StartedChat): Promise<void> {
    for await (const { event, last } of followTask(this.#deps.runs, run.id, after, this.#gone.signal)) {
      this.#take(event, last);
      await this.#drained?.promise;
    }
  }

  #take(event: RunEvent, last: boolean): void {
    if (event.type === 'text') return this.#say(event.text);
    if (event.type === 'citations') this.#citations = event.citations;
    if (event.type !== 'state' || !last) return;
    if (event.state === 'failed') throw failureOf(event.failure);
    if (event.state === 'canceled') throw new StudioError('unprocessable', 'The run of the agent was cancelled');
    if (event.state === 'input-required') this.#say((this.#content === '' ? '' : BETWEEN) + (event.question ?? ''));
  }

  #say(text: string): void {
    if (text === '') return;
    this.#content += text;
    this.#firstTokenMs ??= this.#deps.now() - this.#startedMs;
    if (!this.#over && !this.#form.say(text)) this.#drained ??= Promise.withResolvers();
  }

  /** The conversation is known before its client can go on with it. */
  async #finish(started: StartedChat): Promise<void> {
    const { actor, agent, chat } = this.#turn;
    const { runs, db, address } = this.#deps;
    const run = await runs.read(actor.tenantId, agent.agent.id, started.run.id);
    const annotations = annotationsOf(this.#content, this.#citations, address());
    if (this.#options.sourcesInText === true) this.#say(sourcesText(this.#citations, annotations, address()));
    const said = [...chat.history, { role: 'user' as const, text: chat.text }];
    const turns = [...said, { role: 'assistant' as const, text: this.#content }];
    await rememberConversation(db, actor, { agentId: agent.agent.id, runId: run.id }, turns);
    const finish = await finishOf(db, run);
    if (this.#over) return;
    this.#usage = usageOf(run, started);
    this.#form.end({ content: this.#content, annotations, usage: this.#usage, finish });
    this.#end('ok', null);
  }

  #end(outcome: ChatResult['outcome'], error: unknown): void {
    if (this.#over) return;
    this.#over = true;
    // What models took was metered by the run.
    this.#done({
      outcome,
      error,
      usage: this.#usage,
      engine: null,
      firstTokenMs: this.#firstTokenMs,
      opened: this.#form.isOpen,
    });
  }

  #cancelRun(): void {
    const { actor, agent } = this.#turn;
    if (this.#runId === null) return;
    // It may have ended meanwhile; where it can't be ended now, it ends by itself.
    this.#deps.runs.cancel(actor.tenantId, agent.agent.id, this.#runId).catch(() => undefined);
  }

  /** Whoever asked is gone; others may come back for what lasts, unless nobody wants it. */
  #leave(): void {
    if (this.#options.lasting === undefined || this.#isUnwanted) this.#cancelRun();
  }

  cancel(): void {
    if (this.#over) return;
    this.#end('canceled', null);
    this.#gone.abort(new StudioError('client_closed', 'The client closed the connection'));
    this.#drained?.resolve();
    this.#leave();
  }

  stop(): void {
    this.#isUnwanted = true;
    this.cancel();
  }

  drained(): void {
    this.#drained?.resolve();
    this.#drained = null;
  }

  ping(): void {
    if (!this.#over) this.#form.ping();
  }
}

/** Tokens of the models since the chat began: a run that was asked before had used some. */
function usageOf({ usage }: RunSnapshot, { usedBefore }: StartedChat): EngineUsage {
  return {
    promptTokens: usage.prompt_tokens - usedBefore.prompt_tokens,
    completionTokens: usage.completion_tokens - usedBefore.completion_tokens,
    reasoningTokens: null,
    promptTokensDetails: null,
  };
}
