import { chatReplyId } from '../kernel/ids.ts';
import type { ChatEvent, ChatRun, EngineUsage } from '../ports/engine.ts';
import { type ReasoningMemory, splitReasoning } from './reply/reasoning.ts';
import type { ReplyShape } from './reply/shape.ts';
import { cutAtStops } from './reply/stop.ts';
import { createStreamWriter } from './reply/stream.ts';
import { createTally } from './reply/tally.ts';
import { createTextStreamWriter, createWholeText } from './reply/text.ts';
import { createWholeReply } from './reply/whole.ts';
import type { PreparedChat } from './request/prepare.ts';
import type { ChatRouter } from './routing/index.ts';

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
}

export interface RunningChat {
  /** The client is gone: the engine is stopped at once. */
  cancel(): void;
  /** The client has caught up. */
  drained(): void;
  /** Called by the keep-alive once a stream has been silent; sends a comment line. */
  ping(): void;
}

export interface CompleteDeps {
  readonly router: ChatRouter;
  readonly memory: ReasoningMemory;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export interface CompleteOptions {
  readonly requestId: string;
  readonly toolStream: 'openai' | 'arguments';
  /** Answers as text completions instead; the JSON text in it is given out first. */
  readonly text?: { readonly echo: string };
}

function shapeOf(chat: PreparedChat, toolStream: ReplyShape['toolStream'], nowMs: number): ReplyShape {
  const { keys } = chat.model.reasoning;
  return {
    id: chatReplyId(),
    created: Math.floor(nowMs / 1000),
    model: chat.model.id,
    choices: chat.choices,
    reasoningKeys: chat.thinking === false ? [] : keys,
    reasoningNullKeys: keys,
    toolStream,
    includeUsage: chat.includeUsage,
  };
}

/** The end of the pipeline: events become bytes of a stream or of a whole reply. */
interface Delivery {
  event(event: ChatEvent): void;
  finish(usage: EngineUsage): void;
}

function deliverWhole(shape: ReplyShape, text: CompleteOptions['text'], output: ChatOutput): Delivery {
  const reply = text ? createWholeText(shape, text.echo) : createWholeReply(shape);
  return { event: (event) => reply.event(event), finish: (usage) => output.reply(reply.render(usage)) };
}

/** Joins what comes in one tick into one write. */
function deliverStream(
  shape: ReplyShape,
  text: CompleteOptions['text'],
  output: ChatOutput,
  begin: () => void,
  full: () => void,
): Delivery {
  const writer = text ? createTextStreamWriter(shape, text.echo) : createStreamWriter(shape);
  let bytes = '';
  let opened = false;
  let scheduled = false;
  const flush = () => {
    scheduled = false;
    if (bytes === '') return;
    const out = bytes;
    bytes = '';
    if (!output.write(out)) full();
  };
  return {
    event(event) {
      if (event.type === 'error') return flush();
      if (!opened) {
        opened = true;
        begin();
        bytes = writer.open();
      }
      bytes += writer.event(event);
      if (scheduled) return;
      scheduled = true;
      queueMicrotask(flush);
    },
    finish(usage) {
      bytes += writer.close(usage);
      flush();
      output.end();
    },
  };
}

/** Runs a prepared chat on an engine and sends its reply to `output`; `done` is called exactly once, also after a cancel. */
export function complete(
  { router, memory, now }: CompleteDeps,
  chat: PreparedChat,
  { requestId, toolStream, text }: CompleteOptions,
  output: ChatOutput,
  done: (result: ChatResult) => void,
): RunningChat {
  const startedMs = now();
  const shape = shapeOf(chat, toolStream, startedMs);
  let run: ChatRun | undefined;
  let engine: string | null = null;
  let firstTokenMs: number | null = null;
  let opened = false;
  let over = false;

  const settle = (outcome: ChatResult['outcome'], error: unknown = null) => {
    over = true;
    done({ outcome, error, usage: tally.usage(), engine, firstTokenMs });
  };
  const begin = () => {
    if (opened) return;
    opened = true;
    output.open();
  };
  const finish = () => {
    delivery.finish(tally.usage());
    settle('ok');
  };

  const delivery = chat.stream
    ? deliverStream(shape, text, output, begin, () => run?.pause())
    : deliverWhole(shape, text, output);
  const last = (event: ChatEvent) => {
    if (over) return;
    delivery.event(event);
    if (event.type === 'end') finish();
    else if (event.type === 'error') {
      output.fail(event.error);
      settle('error', event.error);
    }
  };
  /** Every choice was ended here, before the engine did: a stream need not run on. A whole reply is here already. */
  const stopped = () => {
    if (!chat.stream) return;
    run?.abort();
    finish();
  };
  const cut = cutAtStops(chat.stop, chat.choices, stopped, last);
  const split = splitReasoning(
    {
      // Engines of one model may differ in this: what was learned of one says nothing of another.
      memoryKey: () => `${engine?.split('/')[0]} ${chat.model.id}`,
      stops: chat.stop.length > 0,
      format: chat.model.reasoning.format,
      expected: chat.thinking === true,
      controlTokens: chat.model.control_tokens,
      memory,
    },
    cut,
  );
  const tally = createTally(chat.estimatedPromptTokens, split);

  run = router.run(
    {
      bindings: chat.model.engines,
      choices: chat.choices,
      call: {
        requestId,
        stream: chat.stream,
        body: chat.body,
        thinking: chat.thinking,
        maxTokens: chat.maxTokens,
        contextLength: chat.model.context_length,
      },
      modelId: chat.model.id,
      /** Once anything was sent, another engine can no longer take over. */
      mayRetry: () => !opened,
      onTarget: (id: string) => {
        engine = id;
      },
    },
    (event) => {
      if (over) return;
      firstTokenMs ??= event.type === 'error' ? null : now() - startedMs;
      tally.sink(event);
    },
  );

  return {
    cancel() {
      if (over) return;
      run.abort();
      settle('canceled');
    },
    drained: () => run.resume(),
    ping() {
      if (over) return;
      begin();
      output.write(': ping\n\n');
    },
  };
}
