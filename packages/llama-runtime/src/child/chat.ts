import { overloaded, badRequest, toApiError } from './api-error.ts';
import { type PreparedChat, prepareChat, samplingOf } from './chat-request.ts';
import { type Choice, type ChoiceEvent, createChoice } from './choice.ts';
import type { ChatFormat, ReplyGrammar } from './chat-format.ts';
import { createLogprobMeter } from './logprobs.ts';
import type { LoadedModel } from './model.ts';
import type { NativeBindings, NativeContext, NativeGrammarState } from './native.ts';
import { type ReplyHead, chunkWriter, gatherChoice, newHead, usageOf } from './reply.ts';
import { createSampler } from './sampling.ts';
import type { Scheduler, Ticket } from './scheduler.ts';
import type { Priority } from './turns.ts';

/** Where a reply goes. */
export interface ReplySink {
  /** One event of a stream; the first one begins the reply. */
  chunk(json: string): void;
  /** The stream is complete. */
  done(): void;
  /** A whole reply. */
  whole(json: string): void;
  fail(error: unknown): void;
}

export interface ChatOptions {
  readonly modelId: string;
  readonly bindings: NativeBindings;
  readonly model: LoadedModel;
  readonly context: NativeContext;
  readonly contextLength: number;
  readonly dialogue: ChatFormat;
  readonly scheduler: Scheduler;
}

/** Chat completions of one loaded model. */
export interface Chat {
  /** Starts a reply to a body; what is wrong with it goes to the sink too. Aborting the signal ends it within one step. */
  reply(body: unknown, sink: ReplySink, signal: AbortSignal, priority: Priority): void;
}

type Listener = (choice: number, event: ChoiceEvent) => void;

export function createChat(options: ChatOptions): Chat {
  const { bindings, model, context, contextLength, dialogue, scheduler, modelId } = options;
  const { vocabulary, native } = model;

  const grammarStateFactory = (wanted: ReplyGrammar | null): (() => NativeGrammarState) | null => {
    if (wanted === null) return null;
    try {
      const grammar = new bindings.AddonGrammar(wanted.text, { addonExports: bindings, rootRuleName: 'root' });
      return () => new bindings.AddonGrammarEvaluationState(native, grammar);
    } catch {
      throw badRequest('The schema is too complex for a grammar.', wanted.param);
    }
  };

  const acceptInGrammar = (state: NativeGrammarState, token: number) => {
    bindings.AddonSampler.acceptGrammarEvaluationStateToken(state, token);
  };

  const createChoices = (prepared: PreparedChat, listen: Listener): readonly Choice[] => {
    const { request, rendered, prompt, topLogprobs } = prepared;
    const sampling = samplingOf(request, vocabulary);
    const createGrammarState = grammarStateFactory(prepared.grammar);
    return Array.from({ length: prepared.choices }, (_, index) =>
      createChoice({
        context,
        vocabulary,
        prompt,
        createSampler: () => createSampler({ bindings, model: native, vocabulary, prompt, request: sampling(index) }),
        createMeter:
          topLogprobs === null
            ? null
            : () => createLogprobMeter({ bindings, model: native, vocabulary, top: topLogprobs }),
        createParser: () => dialogue.parser({ thinkingOpen: rendered.thinkingOpen, tools: prepared.tools }),
        createGrammarState,
        grammarCoversThinking: prepared.grammar?.whole ?? false,
        acceptInGrammar,
        mayThink: prepared.mayThink,
        templateStops: rendered.stops,
        stops: prepared.stops,
        maxTokens: prepared.maxTokens,
        minTokens: request.min_tokens ?? 0,
        parallelTools: request.parallel_tool_calls !== false,
        emit: (event) => listen(index, event),
      }),
    );
  };

  const run = (prepared: PreparedChat, sink: ReplySink, signal: AbortSignal, priority: Priority): void => {
    let tickets: readonly Ticket[] = [];
    let choices: readonly Choice[] = [];
    let open = prepared.choices;
    let cachedTokens = 0;
    const abort = () => {
      for (const ticket of tickets) ticket.abort();
    };
    const output = outputOf(prepared, newHead(modelId), sink);
    const listen: Listener = (index, event) => {
      if (signal.aborted || open === 0) return;
      if (event.type === 'error') {
        open = 0;
        abort();
        sink.fail(event.error);
        return;
      }
      if (event.type === 'start' && index === 0) cachedTokens = event.cachedTokens;
      output.event(index, event);
      if (event.type !== 'finish' || --open > 0) return;
      signal.removeEventListener('abort', abort);
      output.end(() =>
        usageOf(
          prepared.prompt.length,
          cachedTokens,
          choices.map(({ counts }) => counts),
        ),
      );
    };
    choices = createChoices(prepared, listen);
    const taken = scheduler.add(choices, priority);
    if (!taken) {
      for (const choice of choices) choice.close();
      throw overloaded();
    }
    tickets = taken;
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
  };

  return {
    reply(body, sink, signal, priority) {
      try {
        run(prepareChat(body, { dialogue, vocabulary, contextLength }), sink, signal, priority);
      } catch (error) {
        sink.fail(toApiError(error));
      }
    },
  };
}

interface Output {
  event: Listener;
  end(usage: () => ReturnType<typeof usageOf>): void;
}

function outputOf({ request, choices }: PreparedChat, head: ReplyHead, sink: ReplySink): Output {
  if (request.stream === true) {
    const writer = chunkWriter(head, sink.chunk);
    return {
      // The start of a choice is sent with its first piece: until then a failure can still be an HTTP status.
      event: deferStart(writer.event),
      end(usage) {
        if (request.stream_options?.include_usage === true) writer.usage(usage());
        sink.done();
      },
    };
  }
  const gathered = Array.from({ length: choices }, (_, index) => gatherChoice(index));
  return {
    event: (index, event) => gathered[index]?.event(event),
    end: (usage) =>
      sink.whole(
        JSON.stringify({
          ...head,
          object: 'chat.completion',
          choices: gathered.map((choice) => choice.result()),
          usage: usage(),
        }),
      ),
  };
}

function deferStart(next: Listener): Listener {
  const starts = new Map<number, ChoiceEvent>();
  return (index, event) => {
    if (event.type === 'start') {
      starts.set(index, event);
      return;
    }
    const start = starts.get(index);
    if (start) {
      starts.delete(index);
      next(index, start);
    }
    next(index, event);
  };
}
