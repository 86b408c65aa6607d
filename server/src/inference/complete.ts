import { chatReplyId } from '../kernel/ids.ts';
import type { CallPriority } from '../kernel/priority.ts';
import type { CatalogueModel } from '../models/catalogue.ts';
import { opensThinkingInPrompt } from '../models/prompt-opened.ts';
import type { ChatEvent, ChatRun, EngineUsage } from '../ports/engine.ts';
import { asPromptError } from './prompt-error.ts';
import { type ReasoningSplit, splitReasoning } from './reply/reasoning.ts';
import type { ReasoningMemory } from './reply/reasoning-memory.ts';
import { type Restore, type RestoredReply, restoreReply } from './reply/restore.ts';
import type { ReplyShape } from './reply/shape.ts';
import { cutAtStops } from './reply/stop.ts';
import { createStreamWriter } from './reply/stream.ts';
import { type UnparsedCalls, findUnparsedCalls } from './reply/unparsed-calls.ts';
import { UsageCounter } from './reply/usage-counter.ts';
import { createTextStreamWriter, createWholeText, type Echoes } from './reply/text.ts';
import { WholeReply } from './reply/whole.ts';
import { droppedOf, forgetPassed } from './request/body.ts';
import type { PreparedChat } from './request/prepare.ts';
import type { ChatRouter, RouteRequest } from './routing/index.ts';

/** Where a reply goes. All text is latin1: characters are the bytes to send. */
export interface ChatOutput {
  /** A stream begins: status and headers. Called at most once, before the first `write`. */
  open(): void;
  /** Returns false when the client reads too slowly; `drained` of the running chat is called once it has caught up. */
  write(bytes: string): boolean;
  /** A stream is complete. */
  end(): void;
  /** The whole reply. */
  reply(bytes: string): void;
  /** The chat failed: an error reply before `open`, an error event after it. */
  fail(error: unknown): void;
}

/** How a chat ended, for metering. */
export interface ChatResult {
  readonly outcome: 'ok' | 'error' | 'canceled';
  readonly error: unknown;
  readonly usage: EngineUsage;
  /** Id of the engine that answered, or was tried last. */
  readonly engine: string | null;
  /** Milliseconds from the start to the first event; null when there was none. */
  readonly firstTokenMs: number | null;
  /** Whether something was sent, if only a sign of life. */
  readonly opened: boolean;
}

/** Callbacks at the end of a chat, also after a cancel: first `count`, then `done`, each exactly once. */
export interface ChatEndHandlers {
  /**
   * Called before the client can see the end, which `counted` lets it: what a client received is counted, even if the process then
   * crashes. Where `counted` is never called, neither the client nor `done` is told: another chat goes on in its place.
   */
  count(result: ChatResult, counted: () => void): void;
  /** After the last byte was handed over. */
  done(result: ChatResult): void;
}

export interface RunningChat {
  /** The client is gone: the engine is stopped at once. */
  cancel(): void;
  /** The caller has enough: the engine is stopped at once, and what was held back of the reply is given out before the end. */
  stop(): void;
  /** The client has caught up. */
  drained(): void;
  /** Called by the keep-alive once a stream has been silent; sends a comment line. */
  ping(): void;
  /** Fields of the request that the engine which answers is never given. */
  readonly dropped?: readonly string[];
}

export interface CompleteDeps {
  readonly router: ChatRouter;
  readonly memory: ReasoningMemory;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export interface CompleteOptions {
  readonly requestId: string;
  readonly priority?: CallPriority | undefined;
  readonly session?: string | null;
  /** As of {@link RouteRequest}. */
  readonly affinity?: RouteRequest['affinity'] | undefined;
  readonly toolStream: 'openai' | 'arguments';
  /** Answers as text completions instead; the JSON texts in it are given out first. */
  readonly text?: { readonly echoes: Echoes } | undefined;
  /** Takes the answer as events, in place of bytes for a client: text, thinking and calls of tools, of a chat that streams. */
  readonly events?: ((event: ChatEvent) => void) | undefined;
  /** The model was given other words for some of the request: they are turned back in its answer. */
  readonly restore?: Restore | undefined;
}

const NO_USAGE: EngineUsage = {
  promptTokens: 0,
  completionTokens: 0,
  reasoningTokens: null,
  promptTokensDetails: null,
};

const NO_KEYS: ReplyShape['reasoningKeys'] = [];

function shapeOf(chat: PreparedChat, toolStream: ReplyShape['toolStream'], nowMs: number): ReplyShape {
  const { keys } = chat.model.reasoning;
  return {
    id: chatReplyId(),
    created: Math.floor(nowMs / 1000),
    modelJson: chat.modelJson,
    choices: chat.choices,
    reasoningKeys: chat.thinking === false ? NO_KEYS : keys,
    reasoningNullKeys: keys,
    toolStream,
    includeUsage: chat.includeUsage,
    logprobs: chat.logprobs,
  };
}

/** The end of the pipeline: events become bytes of a stream or of a whole reply. */
interface Delivery {
  event(event: ChatEvent): void;
  /** Hands over at once what waits to be written. */
  flush(): void;
  finish(usage: EngineUsage): void;
}

class WholeDelivery implements Delivery {
  readonly #reply: ReturnType<typeof createWholeText> | WholeReply;
  readonly #output: ChatOutput;

  constructor(shape: ReplyShape, text: CompleteOptions['text'], output: ChatOutput) {
    this.#reply = text ? createWholeText(shape, text.echoes) : new WholeReply(shape);
    this.#output = output;
  }

  event(event: ChatEvent): void {
    this.#reply.event(event);
  }

  flush(): void {
    // A whole reply is handed over at its end.
  }

  finish(usage: EngineUsage): void {
    this.#output.reply(this.#reply.render(usage));
  }
}

/** What a stream's delivery asks of its chat. */
interface StreamOwner {
  openOutput(): void;
  /** The client reads too slowly. */
  onBackpressure(): void;
}

/** Joins what comes in one tick into one write. */
class StreamDelivery implements Delivery {
  readonly #writer: ReturnType<typeof createStreamWriter>;
  readonly #output: ChatOutput;
  readonly #owner: StreamOwner;
  #bytes = '';
  #opened = false;
  #scheduled = false;
  readonly #flush = () => {
    this.#scheduled = false;
    this.flush();
  };

  constructor(shape: ReplyShape, text: CompleteOptions['text'], output: ChatOutput, owner: StreamOwner) {
    this.#writer = text ? createTextStreamWriter(shape, text.echoes) : createStreamWriter(shape);
    this.#output = output;
    this.#owner = owner;
  }

  event(event: ChatEvent): void {
    if (event.type === 'error') return this.flush();
    if (!this.#opened) {
      this.#opened = true;
      this.#owner.openOutput();
      this.#bytes = this.#writer.open();
    }
    this.#bytes += this.#writer.event(event);
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(this.#flush);
  }

  flush(): void {
    if (this.#bytes === '') return;
    const out = this.#bytes;
    this.#bytes = '';
    if (!this.#output.write(out)) this.#owner.onBackpressure();
  }

  finish(usage: EngineUsage): void {
    this.#bytes += this.#writer.close(usage);
    this.flush();
    this.#output.end();
  }
}

/** Hands events on as they are, to a part of the service. */
class EventDelivery implements Delivery {
  readonly #take: (event: ChatEvent) => void;
  readonly #withThinking: boolean;
  readonly #owner: StreamOwner;

  constructor(take: (event: ChatEvent) => void, withThinking: boolean, owner: StreamOwner) {
    this.#take = take;
    this.#withThinking = withThinking;
    this.#owner = owner;
  }

  event(event: ChatEvent): void {
    if (event.type === 'error') return;
    if (event.type === 'text' && event.channel === 'reasoning' && !this.#withThinking) return;
    this.#owner.openOutput();
    this.#take(event);
  }

  flush(): void {
    // Nothing waits here.
  }

  finish(): void {
    // The result of the chat reports the end.
  }
}

/** The engine of an address, whose id is `engine/address`. */
function engineName(id: string): string {
  const end = id.indexOf('/');
  return end < 0 ? id : id.slice(0, end);
}

/** Whether the model may call tools in its reply. */
const callsTools = ({ body }: PreparedChat): boolean =>
  body.peek('tools') !== undefined && body.peek('tool_choice') !== 'none';

/** Name of a model at its engine. */
function servedName({ engines, id }: CatalogueModel, engineId: string): string {
  const name = engineName(engineId);
  return engines.find(({ engine }) => engine === name)?.model ?? id;
}

/** A chat under way: engine → usage counter → reasoning split → unparsed tool calls → stop strings → delivery. A class, as thousands are open at one time. */
class Completion implements RunningChat, StreamOwner {
  readonly #deps: CompleteDeps;
  readonly #chat: PreparedChat;
  readonly #output: ChatOutput;
  /** Answers as a text completion. */
  readonly #asText: boolean;
  readonly #end: ChatEndHandlers;
  readonly #startedMs: number;
  readonly #delivery: Delivery;
  readonly #usageCounter: UsageCounter;
  readonly #split: ReasoningSplit;
  /** Where the model may call tools. */
  readonly #calls: UnparsedCalls | null;
  readonly #restored: RestoredReply | null;
  #run: ChatRun | undefined;
  #heldTimer: NodeJS.Timeout | null = null;
  #engine: string | null = null;
  /** Whether that engine tells thinking and calls from answers by itself. */
  #separates = false;
  #firstTokenMs: number | null = null;
  #opened = false;
  #over = false;
  dropped: readonly string[] = [];

  constructor(
    deps: CompleteDeps,
    chat: PreparedChat,
    { toolStream, text, restore, events }: CompleteOptions,
    output: ChatOutput,
    end: ChatEndHandlers,
  ) {
    this.#deps = deps;
    this.#chat = chat;
    this.#output = output;
    this.#asText = text !== undefined;
    this.#end = end;
    this.#startedMs = deps.now();
    const shape = shapeOf(chat, toolStream, this.#startedMs);
    this.#delivery = events
      ? new EventDelivery(events, chat.thinking !== false, this)
      : chat.stream
        ? new StreamDelivery(shape, text, output, this)
        : new WholeDelivery(shape, text, output);
    this.#usageCounter = new UsageCounter(chat.estimatedPromptTokens);
    this.#restored = restore ? restoreReply(restore, this.#deliver) : null;
    const cut = cutAtStops(chat.stop, chat.choices, this.#stopped, this.#restored?.sink ?? this.#deliver);
    const hasTools = callsTools(chat);
    const isSeparated = () => this.#separates;
    this.#calls = hasTools ? findUnparsedCalls({ tools: () => chat.body.request.tools ?? [], isSeparated }, cut) : null;
    this.#split = splitReasoning(
      {
        memoryKey: () => deps.memory.keyOf(this.#engine ?? '', chat.model.id, chat.thinking),
        memory: deps.memory,
        wish: {
          expected: chat.thinking,
          byDefault: chat.model.reasoning.default === 'on',
          opensInPrompt: () =>
            (chat.model.reasoning.format === 'open' && chat.thinking !== false) ||
            opensThinkingInPrompt(servedName(chat.model, this.#engine ?? '')),
        },
        format: chat.model.reasoning.format,
        isSeparated,
        isWhole: !chat.stream,
        onHeld: this.#onHeld,
        stops: chat.stop,
        isJson: chat.body.peek('response_format') !== undefined,
        hasTools,
        controlTokens: chat.model.control_tokens,
      },
      this.#calls?.sink ?? cut,
    );
  }

  start({ requestId, priority, session = null, affinity }: CompleteOptions): void {
    const { model, choices, stream, body, instructedBody, thinking, maxTokens, ownLimit, prompts } = this.#chat;
    const promptEstimate = ownLimit ? undefined : this.#chat.promptEstimate;
    this.#run = this.#deps.router.run(
      {
        bindings: model.engines,
        choices,
        call: {
          requestId,
          priority,
          session,
          stream,
          body,
          thinking,
          maxTokens,
          promptEstimate,
          contextLength: model.context_length,
        },
        instructedBody,
        prompts,
        modelId: model.id,
        affinity,
        /** Once anything was sent, another engine can no longer take over. */
        mayRetry: () => !this.#opened,
        onTarget: (id, { separates = false, drops }) => {
          this.#engine = id;
          this.#separates = separates;
          this.dropped = droppedOf(body, drops);
          forgetPassed(this.#chat.extras);
        },
      },
      this.#receive,
    );
  }

  cancel(): void {
    if (this.#over) return;
    this.#run?.abort();
    this.#settle('canceled', null);
  }

  stop(): void {
    if (this.#over) return;
    this.#run?.abort();
    this.#split.cut();
    this.#calls?.flush();
    // What was held back may have held a stop string, which ends the reply by itself.
    if (this.#over) return;
    this.#restored?.flush();
    this.#delivery.flush();
    this.#settle('canceled', null);
  }

  drained(): void {
    this.#run?.resume();
  }

  ping(): void {
    if (this.#over) return;
    this.openOutput();
    this.#output.write(': ping\n\n');
  }

  openOutput(): void {
    if (this.#opened) return;
    this.#opened = true;
    this.#output.open();
  }

  onBackpressure(): void {
    this.#run?.pause();
  }

  readonly #receive = (event: ChatEvent): void => {
    if (this.#over) return;
    if (this.#firstTokenMs === null && event.type !== 'error') this.#firstTokenMs = this.#deps.now() - this.#startedMs;
    this.#usageCounter.count(event);
    this.#split.sink(event);
  };

  readonly #deliver = (event: ChatEvent): void => {
    if (this.#over) return;
    this.#delivery.event(event);
    if (event.type === 'end') this.#finish();
    else if (event.type === 'error') {
      const { error } = event;
      this.#settle('error', error, () => this.#output.fail(this.#asText ? asPromptError(error) : error));
    }
  };

  readonly #onHeld = (milliseconds: number): void => {
    this.#heldTimer ??= setTimeout(() => {
      this.#heldTimer = null;
      this.#split.overdue();
    }, milliseconds);
  };

  /** Every choice was ended here, before the engine did: it need not run on. */
  readonly #stopped = (): void => {
    if (this.#chat.stream) return this.#endEarly();
    // A reply that came whole ends by itself, with its usage, before this turn of the loop is over.
    queueMicrotask(() => {
      if (!this.#over) this.#endEarly();
    });
  };

  #endEarly(): void {
    this.#run?.abort();
    this.#finish();
  }

  #finish(): void {
    this.#settle('ok', null, ({ usage }) => this.#delivery.finish(usage));
  }

  /** Ends the chat; `notifyClient` lets the client know. */
  #settle(outcome: ChatResult['outcome'], error: unknown, notifyClient?: (result: ChatResult) => void): void {
    this.#over = true;
    if (this.#heldTimer) clearTimeout(this.#heldTimer);
    // A call that failed before anything came has cost its caller nothing.
    const unanswered = outcome === 'error' && this.#firstTokenMs === null;
    const result = {
      outcome,
      error,
      usage: unanswered ? NO_USAGE : this.#usageCounter.usage(),
      engine: this.#engine,
      firstTokenMs: this.#firstTokenMs,
      opened: this.#opened,
    };
    this.#end.count(result, () => {
      try {
        notifyClient?.(result);
      } finally {
        // Whoever waits for the end does so for ever otherwise.
        this.#end.done(result);
      }
    });
  }
}

/** Runs a prepared chat on an engine and sends its reply to `output`. */
export function complete(
  deps: CompleteDeps,
  chat: PreparedChat,
  options: CompleteOptions,
  output: ChatOutput,
  end: ChatEndHandlers,
): RunningChat {
  const running = new Completion(deps, chat, options, output, end);
  running.start(options);
  return running;
}
