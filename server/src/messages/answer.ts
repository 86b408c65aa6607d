import type { MessagesReply } from '@ai-studio/contract/messages/reply.ts';
import type { MessagesRequest } from '@ai-studio/contract/messages/request.ts';
import type {
  AdmittedAnswer,
  AnswerTarget,
  ChatInference,
  ChatResult,
  CountPrompt,
  OpenChat,
  PreparedChat,
  RunningAnswer,
  RunningChat,
} from '../inference/index.ts';
import type { Actor } from '../kernel/actor.ts';
import { invalidRequest, StudioError } from '../kernel/errors.ts';
import { hexId } from '../kernel/ids.ts';
import { fromJsonText, type JsonText, toJsonText } from '../kernel/json-text.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import type { ChatEvent, EngineUsage } from '../ports/engine.ts';
import type { AgentChats } from '../agents/index.ts';
import {
  countedFirst,
  type FindFile,
  namesAgent,
  type ReadFile,
  refuseTools,
  toJsonBytes,
  withinTexts,
} from '../responses/index.ts';
import { type ChatBody, chatBodyOf, ignoredByAgents, inTermsOfMessages, maxTokensOf } from './chat-body.ts';
import { withDocumentTexts } from './documents.ts';
import { MessageOutput } from './output.ts';
import { readCountRequest, readRequest } from './read-request.ts';

export interface MessagesDeps {
  readonly openChat: OpenChat;
  readonly countPrompt: CountPrompt;
  readonly readFile: ReadFile;
  /** Null where files are not kept by id. */
  readonly findFile: FindFile | null;
  readonly box: SecretBox;
  /** Agents that answer in place of models, for callers to whom they are models. */
  readonly agents: Pick<AgentChats, 'open' | 'takesFiles'>;
}

/** Who asks, in which request. */
export interface MessageCall {
  readonly actor: Actor;
  /** Whether agents are models to the key. */
  readonly agentModels: boolean;
  readonly requestId: string;
  /** Milliseconds since 1970. */
  readonly startedMs: number;
  /** The conversation that the request names, by which its address is chosen; null where it names none. */
  readonly session?: string | null;
  readonly signal: AbortSignal;
  /** Told of the call as soon as it is open, as refusals count too. */
  readonly onOpen: (inference: ChatInference) => void;
  /** The body that tells of a failure. */
  readonly failure: (error: unknown) => object;
}

const SEAL_PURPOSE = 'thinking of messages';

const NO_USAGE: EngineUsage = {
  promptTokens: 0,
  completionTokens: 0,
  reasoningTokens: null,
  promptTokensDetails: null,
};

function usageOf({ promptTokens, completionTokens, promptTokensDetails }: EngineUsage): MessagesReply['usage'] {
  const kept = promptTokensDetails?.['cached_tokens'];
  const cached = typeof kept === 'number' ? Math.min(kept, promptTokens) : 0;
  return {
    input_tokens: promptTokens - cached,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached,
    output_tokens: completionTokens,
    service_tier: 'standard',
  };
}

/** What answers a message. */
interface Turn {
  /** Id of the model that was asked for, or of the agent. */
  readonly model: string;
  /** An estimate; 0 where none can be made. */
  readonly promptTokens: number;
  readonly isAgent: boolean;
  /** Names of fields that change nothing, as the request calls them. */
  readonly ignored: readonly string[];
  run(events: (event: ChatEvent) => void, done: (result: ChatResult) => void): RunningChat;
}

interface Plan {
  readonly request: MessagesRequest;
  readonly inference: ChatInference;
  readonly turn: Turn;
  /** A failure in terms of the request. */
  readonly explain: (error: unknown) => unknown;
  readonly failure: MessageCall['failure'];
  readonly box: SecretBox;
}

/** An answer under way. */
class Run implements RunningAnswer {
  readonly #plan: Plan;
  readonly #target: AnswerTarget;
  readonly #stream: boolean;
  readonly #output: MessageOutput;
  readonly #running: RunningChat;
  readonly #ended = Promise.withResolvers<ChatResult>();
  readonly #id = `msg_${hexId()}`;
  #bytes = '';
  #opened = false;
  #over = false;

  constructor(plan: Plan, target: AnswerTarget) {
    const { request, turn, box } = plan;
    this.#plan = plan;
    this.#target = target;
    this.#stream = request.stream === true;
    const { thinking } = request;
    this.#output = new MessageOutput({
      seal: (text: JsonText) => box.seal(fromJsonText(text), SEAL_PURPOSE),
      showsThinking: !(thinking && 'display' in thinking && thinking.display === 'omitted'),
      tell: this.#stream ? this.#tell : () => undefined,
    });
    this.#running = turn.run(this.#take, (result) => this.#finish(result));
  }

  get ended(): Promise<ChatResult> {
    return this.#ended.promise;
  }

  cancel(): void {
    this.#running.cancel();
  }

  ping(): void {
    if (this.#over || !this.#stream) return;
    this.#open();
    this.#tell('ping', '');
  }

  terminate(why: unknown): void {
    if (this.#over) return;
    this.#fail(why);
    this.cancel();
  }

  readonly #take = (event: ChatEvent): void => {
    if (this.#over) return;
    if (event.type === 'text' || event.type === 'tool_call') this.#open();
    this.#output.take(event);
  };

  readonly #flush = (): void => {
    if (this.#bytes === '') return;
    const bytes = this.#bytes;
    this.#bytes = '';
    this.#target.write(bytes);
  };

  /** One event of the stream; what comes in one turn is written at once. */
  readonly #tell = (type: string, members: string): void => {
    if (this.#bytes === '') queueMicrotask(this.#flush);
    this.#bytes += `event: ${type}\ndata: {"type":"${type}"${members === '' ? '' : `,${members}`}}\n\n`;
  };

  #open(): void {
    if (this.#opened || !this.#stream) return;
    this.#opened = true;
    const { promptTokens } = this.#plan.turn;
    const message = this.#render('[]', { ...NO_USAGE, promptTokens }, { reason: null, stop: null });
    this.#tell('message_start', `"message":${message}`);
    this.#tell('ping', '');
  }

  #render(
    content: string,
    usage: EngineUsage,
    { reason, stop }: { readonly reason: MessagesReply['stop_reason']; readonly stop: string | null },
  ): string {
    const { inference, turn } = this.#plan;
    // Another one may answer than was asked for.
    const model = inference.chat?.model.id ?? turn.model;
    const head = toJsonBytes({ id: this.#id, type: 'message', role: 'assistant', model });
    const tail = toJsonBytes({ stop_reason: reason, stop_sequence: stop, usage: usageOf(usage) });
    return `${head.slice(0, -1)},"content":${content},${tail.slice(1)}`;
  }

  #finish(result: ChatResult): void {
    try {
      if (this.#over) return;
      if (result.outcome === 'canceled') this.#over = true;
      else if (result.outcome === 'error') this.#fail(result.error);
      else this.#complete(result.usage);
    } finally {
      this.#ended.resolve(result);
    }
  }

  #complete(usage: EngineUsage): void {
    const { request } = this.#plan;
    this.#open();
    this.#over = true;
    const isCut = usage.completionTokens < maxTokensOf(request);
    const ended = this.#output.ended(request.stop_sequences ?? [], isCut);
    if (!this.#stream) return this.#target.reply(this.#render(this.#output.render(), usage, ended));
    this.#output.end();
    const delta = toJsonBytes({ stop_reason: ended.reason, stop_sequence: ended.stop });
    this.#tell('message_delta', `"delta":${delta},"usage":${toJsonBytes(usageOf(usage))}`);
    this.#tell('message_stop', '');
    this.#flush();
    this.#target.end();
  }

  #fail(error: unknown): void {
    this.#over = true;
    const { inference, explain, failure } = this.#plan;
    const shown = inference.redactError(explain(error));
    if (!this.#opened) return this.#target.fail(shown);
    this.#bytes += `event: error\ndata: ${toJsonBytes(failure(shown))}\n\n`;
    this.#flush();
    this.#target.end();
  }
}

/** Opens the chat of a call, which counts as a request from then on. */
function open(deps: MessagesDeps, { actor, requestId, startedMs, session, onOpen }: MessageCall): ChatInference {
  // As the interface has it, an answer may end where the context does.
  const inference = deps.openChat({ actor, requestId, endpoint: 'messages', startedMs, session, softLimit: true });
  onOpen(inference);
  return inference;
}

/** Admits the chat of a request whose form was checked. Rejects with StudioError in terms of the request. */
async function admitChat(
  deps: MessagesDeps,
  call: MessageCall,
  inference: ChatInference,
  request: Parameters<typeof chatBodyOf>[0],
): Promise<Pick<Plan, 'explain'> & { readonly chat: PreparedChat }> {
  const { body, explain } = await readChat(deps, call, inference, request);
  const admit = (fields: object) => inference.admit(Buffer.from(JSON.stringify(fields)));
  try {
    const chat = await admit(body).catch((error: unknown) => {
      // More than the model has room for is all that it has.
      if (!(error instanceof StudioError) || error.param !== 'max_tokens') throw error;
      const { max_tokens: _, ...rest } = body;
      return admit(rest);
    });
    return { chat, explain };
  } catch (error) {
    throw explain(error);
  }
}

/** The chat of a request whose form was checked, with its documents as text unless they stay files. Rejects with StudioError in terms of the request. */
async function readChat(
  deps: MessagesDeps,
  { actor, requestId, signal }: MessageCall,
  inference: ChatInference,
  request: Parameters<typeof chatBodyOf>[0],
  keepsFiles = false,
): Promise<Pick<Plan, 'explain'> & Pick<ChatBody, 'body'>> {
  const ctx = { actor, requestId, signal };
  const { readFile, findFile } = countedFirst(deps, () => inference.countRequest());
  const messages = await withDocumentTexts(request.messages, {
    readText: withinTexts((bytes, name) => readFile(actor, bytes, name, ctx)),
    findFile: findFile && ((id) => findFile(ctx, id)),
    keepsFiles,
  });
  signal.throwIfAborted();
  const { body, places } = chatBodyOf(request, messages);
  return { body, explain: (error) => inTermsOfMessages(error, places) };
}

async function admitModel(
  deps: MessagesDeps,
  call: MessageCall,
  inference: ChatInference,
  request: MessagesRequest,
): Promise<Pick<Plan, 'turn' | 'explain'>> {
  const { chat, explain } = await admitChat(deps, call, inference, request);
  const turn: Turn = {
    model: chat.model.id,
    promptTokens: chat.estimatedPromptTokens,
    isAgent: false,
    ignored: [],
    run: (events, done) => inference.run(chat, { events }, done),
  };
  return { turn, explain };
}

/** An agent answers as it does in chats; what it cites stands below its text. */
async function admitAgent(
  deps: MessagesDeps,
  call: MessageCall,
  inference: ChatInference,
  request: MessagesRequest,
): Promise<Pick<Plan, 'turn' | 'explain'>> {
  refuseTools(request.tools);
  const takesFiles = await deps.agents.takesFiles(call.actor.tenantId, request.model ?? '');
  const { body, explain } = await readChat(deps, call, inference, request, takesFiles);
  try {
    const chat = await deps.agents.open(call.actor, body);
    if (chat === null) throw invalidRequest('The model is not an agent', 'model');
    await inference.countRequest();
    const turn: Turn = {
      model: chat.model,
      promptTokens: 0,
      isAgent: true,
      ignored: ignoredByAgents(chat.ignored),
      run(events, done) {
        const listener = {
          text: (text: string) => events({ type: 'text', choice: 0, channel: 'content', json: toJsonText(text) }),
          sources: () => events({ type: 'finish', choice: 0, reason: 'stop', stop: null }),
        };
        return chat.tell(listener, done, { sourcesInText: true });
      },
    };
    return { turn, explain };
  } catch (error) {
    throw explain(error);
  }
}

/** Checks a request and admits the chat that answers it. Rejects with StudioError. */
export async function admitMessage(deps: MessagesDeps, call: MessageCall, body: unknown): Promise<AdmittedAnswer> {
  const inference = open(deps, call);
  const { request, ignored } = readRequest(body);
  const admit = call.agentModels && namesAgent(request) ? admitAgent : admitModel;
  const admitted = await admit(deps, call, inference, request);
  const { model, isAgent } = admitted.turn;
  const plan = { ...admitted, request, inference, failure: call.failure, box: deps.box };
  return {
    inference,
    model,
    isAgent,
    ignored: [...ignored, ...admitted.turn.ignored],
    stream: request.stream === true,
    run: (target) => new Run(plan, target),
  };
}

/** How many tokens the prompt of a request has. */
export interface CountedPrompt {
  readonly tokens: number;
  /** Names of fields that nobody knows. */
  readonly ignored: readonly string[];
}

/** Counts the tokens of a request as its model does; it is no use of the model. Rejects with StudioError. */
export async function countMessageTokens(deps: MessagesDeps, call: MessageCall, body: unknown): Promise<CountedPrompt> {
  const inference = open(deps, call);
  const { request, ignored } = readCountRequest(body);
  if (call.agentModels && namesAgent(request))
    throw invalidRequest(
      'What the models of an agent are told is not known before it answers: it has no count',
      'model',
    );
  const { chat } = await admitChat(deps, call, inference, request);
  try {
    const { count } = await deps.countPrompt(chat, call);
    return { tokens: count, ignored };
  } finally {
    inference.settle();
  }
}
