import type { Annotation, OutputItem, Response, ResponseEventType } from '@ai-studio/contract/responses/response.ts';
import type { ChatInference, ChatResult, RunningChat } from '../inference/index.ts';
import { CONTEXT_LENGTH_EXCEEDED, httpStatuses } from '../kernel/errors.ts';
import { fromJsonText, type JsonText } from '../kernel/json-text.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import type { EngineUsage } from '../ports/engine.ts';
import { toStudioError } from '../ports/failure.ts';
import { type Fields, inTermsOfResponses } from './chat-body.ts';
import { addUsage, createEnvelope, noUsage, type ResponseState } from './envelope.ts';
import type { HalfTurn } from './half-turn.ts';
import type { Tell } from './hosted-items.ts';
import { ResponseOutput } from './output.ts';
import { MAX_TURNS, type Plan, TurnRefused } from './plan.ts';
import type { AdmittedChat } from './admitted-chat.ts';
import { flatTools } from './tool-names.ts';
import { runTools, type PendingTurn, toPending } from './tool-turn.ts';
import type { Source } from './tools/sources.ts';
import { isTooLong } from './truncation.ts';

export interface RunDeps {
  readonly box: SecretBox;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A response as it ended. */
export interface EndedResponse {
  readonly status: Response['status'];
  /** JSON whose characters are bytes (latin1). */
  readonly rendered: string;
  /** Reads its items, with what the caller did not ask for. */
  readonly items: () => readonly OutputItem[];
}

/** Where an answer goes. Text is latin1: characters are the bytes to send. */
export interface ResponseTarget {
  /** Whole events of the stream, the last of them with this number; the first opens it. */
  write(bytes: string, lastSequence: number): void;
  /** Keeps a response that has ended. Resolves with whether it can be read later. */
  keep(ended: EndedResponse): Promise<boolean>;
  /** All of it was written. */
  end(ended: EndedResponse): Promise<void> | void;
  /** It failed before anything was sent. Where it is left out, that is told as a response that failed. */
  fail?(error: unknown): void;
  /**
   * A turn was refused, or failed; `begun`: after something came of it. Returns what the response fails with; null where another process, or
   * this one, goes on later.
   */
  postpone?(error: unknown, begun: boolean): unknown;
  /** Keeps how far it is, with the events so far. Left out where nobody would go on with it. */
  checkpoint?(progress: Progress): Promise<void>;
}

/** How far a response is; another process goes on from it. */
export interface Progress {
  /** Its items, whole. */
  readonly items: readonly string[];
  /** Messages of its turns. */
  readonly turns: readonly Fields[];
  /** How many turns there were. */
  readonly asked: number;
  readonly usage: EngineUsage;
  /** Calls of tools of the service. */
  readonly calls: number;
  readonly sources: readonly Source[];
  /** The last turn, where tools that it called have not ended. */
  readonly pending: PendingTurn | null;
}

export interface RunningResponse {
  /** The caller is gone, or another process goes on: the model is stopped at once, and nothing is told. */
  cancel(): void;
  /** Ends in the middle, with this failure. */
  terminate(why: unknown): void;
  /** Ends in the middle, as its caller wants it: what there is of it is kept. */
  stop(): void;
  /** Says that it goes on, where nothing was sent for a while. */
  ping(): void;
  /** Once all is sent, counted and stored; with what it failed with. */
  readonly ended: Promise<{ readonly error: unknown }>;
}

/** What a run begins with. */
export interface RunStart {
  /** Id of the model that was asked for. */
  readonly model: string;
  /** The first turn; null where it is yet to be admitted. */
  readonly admitted: AdmittedChat | null;
  /** What was done before. */
  readonly progress: Progress | null;
  /** What was told of the turn that comes. */
  readonly half?: HalfTurn | null;
  /** Number of the next event. */
  readonly sequence: number;
  /** What was told before: nothing, that it waits, or that it is being made. */
  readonly opened: 'no' | 'queued' | 'told';
}

const SEAL_PURPOSE = 'thinking of responses';

/** What tells of an end; of one that was cancelled there is no event of its own. */
const endEvents: Partial<Record<Response['status'], ResponseEventType>> = {
  completed: 'response.completed',
  failed: 'response.failed',
};

/** Why a response failed, in words of the interface. */
function failureOf(error: unknown): NonNullable<Response['error']> {
  const { code, message, reason } = toStudioError(error);
  if (reason === CONTEXT_LENGTH_EXCEEDED) return { code: reason, message };
  const status = httpStatuses[code];
  return { code: status >= 500 ? 'server_error' : status === 429 ? 'rate_limit_exceeded' : 'invalid_prompt', message };
}

/** A response under way: turns of the model, and between them the tools that it calls of those that the service runs. */
export class ResponseRun implements RunningResponse {
  readonly #deps: RunDeps;
  readonly #plan: Plan;
  readonly #target: ResponseTarget;
  readonly #stream: boolean;
  readonly #envelope: (state: ResponseState) => string;
  readonly #output: ResponseOutput;
  readonly #turns: Fields[];
  /** The call of the last turn that was begun. */
  #inference: ChatInference | null = null;
  #running: RunningChat | null = null;
  #usage: EngineUsage;
  #calls: number;
  #asked: number;
  #canceled = false;
  /** Of the turn under way. */
  #came: 'nothing' | 'text' | 'call' = 'nothing';
  #isAgent = false;
  readonly #tools = new AbortController();
  readonly #ended = Promise.withResolvers<{ readonly error: unknown }>();
  #sequence: number;
  #bytes = '';
  #opened: RunStart['opened'];
  /** What the answer cites, where whoever answers says so. */
  #sources: readonly Annotation[] | null = null;
  #over = false;

  constructor(deps: RunDeps, plan: Plan, target: ResponseTarget, start: RunStart) {
    const { model, admitted, progress, sequence, opened } = start;
    const { prepared, book, tools } = plan;
    const { request } = prepared;
    this.#deps = deps;
    this.#plan = plan;
    this.#target = target;
    this.#stream = request.stream === true;
    this.#sequence = sequence;
    this.#opened = opened;
    this.#turns = [...(progress?.turns ?? [])];
    this.#usage = progress?.usage ?? noUsage;
    this.#calls = progress?.calls ?? 0;
    this.#asked = progress?.asked ?? 0;
    const { id, createdAt, conversationId } = prepared;
    this.#envelope = createEnvelope({ id, createdAt, conversationId, model, request });
    const { include, reasoning } = request;
    const isSummary = Boolean(reasoning?.summary ?? reasoning?.generate_summary);
    const seal = (thinking: JsonText) => deps.box.seal(fromJsonText(thinking), SEAL_PURPOSE);
    const functions = flatTools(request.tools ?? []);
    const hosted = new Map(tools.map((tool) => [tool.name, tool]));
    this.#output = new ResponseOutput(
      {
        nameOf: (name) => functions.get(name)?.of ?? { name, namespace: null },
        hostedOf: (name) => hosted.get(name),
        include: new Set(include),
        mayCall: () => {
          const may = this.#calls < plan.maxCalls;
          if (may) this.#calls++;
          return may;
        },
        annotate: (text) => this.#sources ?? (tools.length === 0 ? [] : book.annotationsOf(fromJsonText(text))),
        thinking: isSummary ? 'summary' : 'content',
        seal: include?.includes('reasoning.encrypted_content') === true ? seal : null,
        tell: this.#stream ? this.#tell : () => undefined,
      },
      progress?.items,
      start.half,
    );
    const hasWork = plan.approved.length > 0 || progress !== null;
    if (admitted !== null && !hasWork) this.#start(admitted);
    else {
      admitted?.inference.settle();
      void this.#guarded(() => this.#resume(progress));
    }
  }

  get ended(): Promise<{ readonly error: unknown }> {
    return this.#ended.promise;
  }

  cancel(): void {
    this.#canceled = true;
    this.#tools.abort(new Error('nobody waits for the response any more'));
    this.#running?.cancel();
  }

  ping(): void {
    if (this.#over || !this.#stream) return;
    this.#open();
    this.#flush();
    this.#target.write(': ping\n\n', this.#sequence - 1);
  }

  terminate(why: unknown): void {
    if (this.#over) return;
    this.#fail(why);
    this.cancel();
  }

  stop(): void {
    if (this.#over) return;
    this.#over = true;
    this.#running?.stop();
    this.cancel();
    void this.#tellEnd({ status: 'cancelled' }, null);
  }

  /** Does what comes next; its failure ends the response. */
  async #guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (this.#over) return;
      if (this.#canceled) return this.#settle(null);
      const refused = error instanceof TurnRefused ? error : null;
      if (refused === null) return this.#fail(error);
      this.#inference = refused.inference;
      this.#failOrPostpone(refused.cause, false);
    }
  }

  /** Ends with the failure of a turn, unless that is made again later. */
  #failOrPostpone(error: unknown, begun: boolean): void {
    const failure = this.#target.postpone ? this.#target.postpone(error, begun) : error;
    if (failure === null) this.#settle(null);
    else this.#fail(failure);
  }

  #start({ inference, run, isAgent }: AdmittedChat): void {
    this.#inference = inference;
    this.#isAgent = isAgent;
    this.#asked++;
    this.#came = 'nothing';
    const sources = (annotations: readonly Annotation[]) => void (this.#sources = annotations);
    const take = (event: Parameters<ResponseOutput['take']>[0]) => {
      if (this.#over) return;
      if (event.type === 'tool_call') this.#came = 'call';
      else if (this.#came === 'nothing' && event.type === 'text') this.#came = 'text';
      if (event.type === 'text' || event.type === 'tool_call') this.#open();
      this.#output.take(event);
      if (this.#output.hasDiverged) queueMicrotask(() => this.#running?.cancel());
    };
    if (this.#canceled) inference.cancel();
    this.#running = run({ take, sources }, (result) => void this.#guarded(() => this.#endTurn(result)));
  }

  /** Begins where an earlier process left it, or with the calls that were approved. */
  async #resume(progress: Progress | null): Promise<void> {
    this.#open();
    const { approved } = this.#plan;
    // What was told so far is kept with it: whoever goes on tells nothing of it again.
    if (progress === null) await this.#checkpoint(null);
    if (progress?.pending) await this.#runTools(progress.pending, new Map());
    else if (approved.length > 0 && this.#asked === 0 && this.#turns.length === 0) {
      const calls = approved.map((call) => this.#output.begin(call));
      await this.#runTools(toPending('', false, calls), new Map(calls.map((call) => [call.id, call])));
    }
    if (progress?.pending?.isLast === true) return this.#complete();
    await this.#nextTurn();
  }

  /** `further`: messages of this turn alone. */
  async #nextTurn(further: readonly Fields[] = []): Promise<void> {
    const admitted = await this.#plan.admit({
      turns: [...this.#turns, ...further],
      number: this.#asked,
      callsAreSpent: this.#calls >= this.#plan.maxCalls,
    });
    this.#start(admitted);
  }

  /** What follows a turn: its tools and the next one, the same with fewer items, or the end. */
  async #endTurn({ outcome, error, usage }: ChatResult): Promise<void> {
    if (this.#over) return;
    const { hasDiverged } = this.#output;
    if (this.#canceled || (outcome === 'canceled' && !hasDiverged)) return this.#settle(error);
    if (outcome === 'error' && isTooLong(error) && !this.#canceled && this.#plan.shorten()) {
      this.#asked--;
      return this.#nextTurn();
    }
    this.#usage = addUsage(this.#usage, usage);
    if (outcome === 'error') {
      // Nobody can go on with half a call that was told; and an agent, whose run has failed, may have done something.
      if (this.#isAgent || (this.#stream && this.#came === 'call')) return this.#fail(error);
      return this.#failOrPostpone(error, this.#came !== 'nothing');
    }
    const { continuation } = this.#output;
    if (continuation !== null) {
      this.#output.endReplay();
      return this.#nextTurn(continuation);
    }
    const { callsHosted, finishReason } = this.#output;
    // A model that calls on and on, also where it has to answer, has had its turns.
    if (!callsHosted || finishReason === 'length' || this.#asked >= MAX_TURNS) return this.#complete();
    const { text, calls, callsFunctions } = this.#output.endTurn();
    const pending = toPending(fromJsonText(text), callsFunctions, calls);
    await this.#runTools(pending, new Map(calls.map((call) => [call.id, call])));
    // What the caller has to do or to decide comes before the next turn.
    return pending.isLast ? this.#complete() : this.#nextTurn();
  }

  /** Runs the tools of a turn; their results are messages of the next one. */
  async #runTools(pending: PendingTurn, live: Parameters<typeof runTools>[0]['live']): Promise<void> {
    const messages = await runTools({
      responseId: this.#plan.prepared.id,
      tools: this.#plan.tools,
      output: this.#output,
      live,
      pending,
      signal: this.#tools.signal,
      tell: this.#stream ? this.#tell : () => undefined,
      checkpoint: (turn) => this.#checkpoint(turn),
    });
    this.#turns.push(...messages);
    await this.#checkpoint(null, pending.isLast);
  }

  /** Keeps how far it is. */
  async #checkpoint(pending: PendingTurn | null, isLast = false): Promise<void> {
    if (this.#target.checkpoint === undefined || isLast) return;
    this.#flush();
    await this.#target.checkpoint({
      items: this.#output.whole,
      turns: this.#turns,
      asked: this.#asked,
      usage: this.#usage,
      calls: this.#calls,
      sources: this.#plan.book.all,
      pending,
    });
  }

  readonly #flush = (): void => {
    if (this.#bytes === '') return;
    const bytes = this.#bytes;
    this.#bytes = '';
    this.#target.write(bytes, this.#sequence - 1);
  };

  /** One event of the stream; what comes in one turn is written at once. */
  readonly #tell: Tell = (type, members) => {
    if (this.#bytes === '') queueMicrotask(this.#flush);
    this.#bytes += `event: ${type}\ndata: {"type":"${type}","sequence_number":${this.#sequence++},${members}}\n\n`;
  };

  #open(): void {
    const before = this.#opened;
    if (before === 'told') return;
    this.#opened = 'told';
    if (this.#stream) {
      const response = this.#render({ status: 'in_progress', output: '[]', store: this.#plan.store });
      if (before === 'no') this.#tell('response.created', `"response":${response}`);
      this.#tell('response.in_progress', `"response":${response}`);
    }
    const { tools, unlisted } = this.#plan;
    for (const label of unlisted)
      this.#output.list(
        label,
        tools.filter(({ server }) => server?.label === label),
      );
  }

  async #complete(): Promise<void> {
    this.#open();
    const { finishReason } = this.#output;
    const reason =
      finishReason === 'length' ? 'max_output_tokens' : finishReason === 'content_filter' ? finishReason : null;
    const status = reason === null ? 'completed' : 'incomplete';
    const completedAt = Math.floor(this.#deps.now() / 1000);
    await this.#tellEnd({ status, incomplete: reason && { reason }, completedAt }, null);
  }

  #shown(error: unknown): unknown {
    const inTerms = inTermsOfResponses(error);
    return this.#inference?.redactError(inTerms) ?? inTerms;
  }

  #fail(error: unknown): void {
    const shown = this.#shown(error);
    this.#over = true;
    if (this.#target.fail !== undefined && (!this.#stream || this.#opened === 'no')) {
      this.#target.fail(shown);
      return this.#settle(error);
    }
    void this.#tellEnd({ status: 'failed', error: failureOf(shown) }, error);
  }

  /** The last event, or the whole answer. `error`: what it failed with. */
  async #tellEnd(
    end: Pick<ResponseState, 'status' | 'error' | 'incomplete' | 'completedAt'>,
    error: unknown,
  ): Promise<void> {
    const isOwn = !this.#over;
    try {
      this.#output.end(end.status === 'completed' ? 'completed' : 'incomplete');
      const { promptTokens, completionTokens } = this.#usage;
      const usage = promptTokens + completionTokens > 0 ? { usage: this.#usage } : {};
      const state = { ...end, ...usage, output: this.#output.render() };
      let ended = this.#asEnded(state, this.#plan.store);
      const isKept = await this.#target.keep(ended);
      // The service may have ended it meanwhile.
      if (isOwn && this.#over) return;
      this.#over = true;
      if (isKept !== this.#plan.store) ended = this.#asEnded(state, isKept);
      if (this.#stream) this.#tell(endEvents[end.status] ?? 'response.incomplete', `"response":${ended.rendered}`);
      this.#flush();
      await this.#target.end(ended);
      this.#settle(error);
    } catch (failure) {
      this.#settle(failure);
    }
  }

  /** As it stands, with the model that answers: it may be another one than was asked for. */
  #render(state: ResponseState): string {
    const model = this.#inference?.chat?.model.id;
    return this.#envelope(model === undefined ? state : { ...state, model });
  }

  #asEnded(state: Omit<ResponseState, 'store'>, store: boolean): EndedResponse {
    const read = (json: string) => JSON.parse(Buffer.from(json, 'latin1').toString('utf8')) as OutputItem;
    const items = () => this.#output.whole.map(read);
    return { status: state.status, rendered: this.#render({ ...state, store }), items };
  }

  #settle(error: unknown): void {
    this.#over = true;
    this.#ended.resolve({ error });
  }
}
