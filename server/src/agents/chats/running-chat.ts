import type { Citation, RunEvent, RunFailure } from '@ai-studio/contract/agents/run.ts';
import type { ChatOutput, ChatResult, RunningChat } from '../../inference/index.ts';
import type { Principal } from '../../kernel/actor.ts';
import { type ErrorCode, StudioError } from '../../kernel/errors.ts';
import { chatReplyId } from '../../kernel/ids.ts';
import { followTask } from '../a2a/follow.ts';
import type { Deployed } from '../lifecycle/runnable.ts';
import type { RunSnapshot } from '../runs/types.ts';
import { annotationsOf } from './annotations.ts';
import { rememberConversation } from './conversation.ts';
import { AGENT_MODEL, type AgentChat } from './read-chat.ts';
import { type StartChatDeps, type StartedChat, startChat } from './start-chat.ts';
import { createChunkLines, renderChatReply } from './write-chat.ts';

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

const failureOf = (failure: RunFailure | undefined): StudioError =>
  new StudioError(
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

/**
 * A chat that an agent answers: its run is started and followed, and told as a chat is. When its client goes away the run ends, as nobody
 * could ask for it.
 */
export class AgentAnswer implements RunningChat {
  readonly #deps: AgentChatDeps;
  readonly #turn: ChatTurn;
  readonly #output: ChatOutput;
  readonly #done: (result: ChatResult) => void;
  readonly #lines: ReturnType<typeof createChunkLines>;
  readonly #head;
  readonly #gone = new AbortController();
  readonly #startedMs: number;
  #runId: string | null = null;
  #content = '';
  #citations: readonly Citation[] = [];
  #firstTokenMs: number | null = null;
  #opened = false;
  #over = false;
  #drained: PromiseWithResolvers<void> | null = null;

  constructor(deps: AgentChatDeps, turn: ChatTurn, output: ChatOutput, done: (result: ChatResult) => void) {
    this.#deps = deps;
    this.#turn = turn;
    this.#output = output;
    this.#done = done;
    this.#startedMs = deps.now();
    const created = Math.floor(this.#startedMs / 1000);
    this.#head = { id: chatReplyId(), created, model: AGENT_MODEL + turn.chat.slug };
    this.#lines = createChunkLines(this.#head);
  }

  /** Never rejects. */
  async run(): Promise<void> {
    try {
      const { actor, agent, chat } = this.#turn;
      const started = await startChat(this.#deps, actor, agent, chat);
      this.#runId = started.run.id;
      if (this.#gone.signal.aborted) return this.#cancelRun();
      await this.#follow(started);
      await this.#finish(started);
    } catch (error) {
      if (this.#over) return;
      this.#output.fail(error);
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
    if (this.#turn.chat.stream) this.#write(this.#lines.text(text));
  }

  #open(): void {
    if (this.#opened) return;
    this.#opened = true;
    this.#output.open();
    this.#output.write(this.#lines.open());
  }

  #write(bytes: string): void {
    if (this.#over) return;
    this.#open();
    if (!this.#output.write(bytes)) this.#drained ??= Promise.withResolvers();
  }

  /** The conversation is known before its client can go on with it. */
  async #finish({ run: started }: StartedChat): Promise<void> {
    const { actor, agent, chat } = this.#turn;
    const { runs, db, address } = this.#deps;
    const run = await runs.read(actor.tenantId, agent.agent.id, started.id);
    const said = [...chat.history, { role: 'user' as const, text: chat.text }];
    const turns = [...said, { role: 'assistant' as const, text: this.#content }];
    await rememberConversation(db, actor, { agentId: agent.agent.id, runId: run.id }, turns);
    if (this.#over) return;
    const annotations = annotationsOf(this.#content, this.#citations, address());
    const usage = usageOf(run, started);
    if (chat.stream) {
      if (annotations.length > 0) this.#write(this.#lines.annotations(annotations));
      this.#write(this.#lines.end(chat.includeUsage ? usage : null));
      this.#output.end();
    } else this.#output.reply(renderChatReply(this.#head, { content: this.#content, annotations, usage }));
    this.#end('ok', null);
  }

  #end(outcome: ChatResult['outcome'], error: unknown): void {
    if (this.#over) return;
    this.#over = true;
    const none = { promptTokens: 0, completionTokens: 0, reasoningTokens: null, promptTokensDetails: null };
    // What models took was metered by the run.
    this.#done({
      outcome,
      error,
      usage: none,
      engine: null,
      firstTokenMs: this.#firstTokenMs,
      opened: this.#opened,
    });
  }

  #cancelRun(): void {
    const { actor, agent } = this.#turn;
    if (this.#runId === null) return;
    // It may have ended meanwhile; where it can't be ended now, it ends by itself.
    this.#deps.runs.cancel(actor.tenantId, agent.agent.id, this.#runId).catch(() => undefined);
  }

  cancel(): void {
    if (this.#over) return;
    this.#end('canceled', null);
    this.#gone.abort(new StudioError('client_closed', 'The client closed the connection'));
    this.#drained?.resolve();
    this.#cancelRun();
  }

  stop(): void {
    this.cancel();
  }

  drained(): void {
    this.#drained?.resolve();
    this.#drained = null;
  }

  ping(): void {
    if (this.#over) return;
    this.#open();
    this.#output.write(': ping\n\n');
  }
}

/** Tokens of the models since the chat began: a run that was asked before had used some. */
function usageOf({ usage }: RunSnapshot, { usage: before }: RunSnapshot) {
  const prompt_tokens = usage.prompt_tokens - before.prompt_tokens;
  const completion_tokens = usage.completion_tokens - before.completion_tokens;
  const total_tokens = prompt_tokens + completion_tokens;
  return { prompt_tokens, total_tokens, completion_tokens, prompt_tokens_details: null };
}
