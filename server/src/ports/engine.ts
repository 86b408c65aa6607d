import type { ChatRequest } from '@ai-studio/contract/chat/request.ts';
import type { FinishReason } from '@ai-studio/contract/chat/reply.ts';
import type { CallPriority } from '../kernel/priority.ts';
import type { JsonText } from '../kernel/json-text.ts';

export type { FinishReason };

/** What an engine reports of a call. Counts are tokens; null where the engine did not say. */
export interface EngineUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly reasoningTokens: number | null;
  readonly promptTokensDetails: Record<string, unknown> | null;
}

/**
 * What happens in a chat call, whatever the engine and whatever the wire. Text travels as {@link JsonText}
 * so that a delta of an OpenAI-format server reaches the client without being decoded.
 * Order: any number of text / tool events per choice, one `finish` per choice, at most one `usage`, then `end`;
 * or `error` at any point, after which nothing follows.
 */
export type ChatEvent =
  | {
      readonly type: 'text';
      readonly choice: number;
      /** Where the engine put it: `reasoning` only when the engine itself separated it from the answer. */
      readonly channel: 'content' | 'reasoning';
      readonly json: JsonText;
      /** The OpenAI-format `logprobs` object that goes with this piece, as the engine gave it. */
      readonly logprobs?: Record<string, unknown>;
    }
  | {
      readonly type: 'tool_call';
      readonly choice: number;
      readonly call: number;
      readonly id: string;
      readonly name: string;
    }
  | { readonly type: 'tool_arguments'; readonly choice: number; readonly call: number; readonly json: JsonText }
  | {
      readonly type: 'finish';
      readonly choice: number;
      readonly reason: FinishReason;
      /** The stop string that ended the choice, where the engine said so. */
      readonly stop: string | null;
    }
  | { readonly type: 'usage'; readonly usage: EngineUsage }
  | { readonly type: 'end'; readonly systemFingerprint: string | null; readonly promptLogprobs?: unknown }
  | { readonly type: 'error'; readonly error: EngineError };

/** Receives the events of one call, in order, never after `end` or `error`. Must not throw. */
export type ChatSink = (event: ChatEvent) => void;

/**
 * Why a call failed.
 * - `refused`: the engine says the request is wrong (its 400, 413, 422); another engine would say the same.
 * - `unavailable`: not reachable, limited (429), overloaded (503), crashed, or cut in the middle. Another address may do.
 * - `timeout`: one of the time limits ran out.
 * - `protocol`: an answer that is not of the format, or a stream without its end.
 */
export type EngineFailureKind = 'refused' | 'unavailable' | 'timeout' | 'protocol';

/** Which time limit ran out. */
export type TimeLimit = 'connect' | 'first_token' | 'whole_reply' | 'between_tokens' | 'total';

/** What an engine said as it refused a request that is too long, in tokens; null for what it did not say. */
export interface ContextRefusal {
  /** Tokens of prompt and reply together that the model has room for. */
  readonly contextLength: number | null;
  readonly promptTokens: number | null;
  /** False where the prompt has at least so many tokens: some servers stop to count where there is no more room. */
  readonly isExact: boolean;
  /** Tokens of the reply that were asked for. */
  readonly completionTokens: number | null;
  /** The most that a reply may be asked for, whatever the prompt. */
  readonly maxCompletionTokens: number | null;
}

const TOO_MANY_REQUESTS = 429;

/** Lengths of a text that an embedding model does not read whole, in tokens; null where the engine did not say. */
export interface TooLong {
  readonly given: number | null;
  readonly limit: number | null;
}

export class EngineError extends Error {
  readonly kind: EngineFailureKind;
  /** HTTP status of the engine, when there was one. */
  readonly status: number | null;
  /** For `refused`: what the engine said, fit for the caller to read. */
  readonly detail: string | null;
  /** The request field an engine complained of, when it said. */
  readonly param: string | null;
  readonly limit: TimeLimit | null;
  /** Seconds that the engine asked to wait (its Retry-After). */
  readonly retryAfterSeconds: number | null;
  /** For `refused`: a text to embed is too long; null for any other reason. */
  readonly tooLong: TooLong | null;
  /** For `refused`: the request is too long for the model. */
  readonly context: ContextRefusal | null;
  /** The engine is well, and has more calls than it can take for now. */
  readonly busy: boolean;

  constructor(
    kind: EngineFailureKind,
    message: string,
    more: {
      status?: number | null;
      detail?: string | null;
      param?: string | null;
      limit?: TimeLimit | null;
      retryAfterSeconds?: number | null;
      tooLong?: TooLong | null;
      context?: ContextRefusal | null;
      busy?: boolean;
      cause?: unknown;
    } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = 'EngineError';
    this.kind = kind;
    this.status = more.status ?? null;
    this.detail = more.detail ?? null;
    this.param = more.param ?? null;
    this.limit = more.limit ?? null;
    this.retryAfterSeconds = more.retryAfterSeconds ?? null;
    this.tooLong = more.tooLong ?? null;
    this.context = more.context ?? null;
    this.busy = more.busy ?? false;
  }

  /** The engine is healthy and rate-limits this caller or this model. */
  get isRateLimit(): boolean {
    return this.status === TOO_MANY_REQUESTS;
  }
}

/** Fields to set (a JSON value) or to leave out (undefined) at the top level of a request body. */
export type BodyEdits = Readonly<Record<string, unknown>>;

/** Bytes to send: latin1 characters that stand for them, or such and bytes in pieces that need not be joined. */
export type EncodedBody = string | readonly (Buffer | string)[];

/** A chat request, read by engines that understand it and re-sent by engines that forward it. */
export interface ChatBody {
  /**
   * Value of a top-level field as an engine would get it, without decoding the whole body. Right for numbers, booleans
   * and for whether the field is there (undefined where it is not, or is null); text beyond ASCII is not decoded.
   */
  peek(field: string): unknown;
  /** The request after validation: `developer` is `system`, earlier reasoning is gone, nulls are left out. Made on first use. */
  readonly request: ChatRequest;
  /**
   * The request as OpenAI-format JSON, with the edits that the model's profile asks for and those given here.
   * Where nothing needs to change these are the client's own bytes. `extras` are fields beyond the interface that go on as they
   * stand; all others are left out.
   */
  encode(edits: BodyEdits, extras?: ReadonlySet<string>): EncodedBody;
}

/** What calls of all kinds are told apart by. */
interface EngineCall {
  readonly requestId: string;
  /** Its turn where calls wait; `interactive` when left out. */
  readonly priority?: CallPriority | undefined;
}

export interface ChatCall extends EngineCall {
  /** The conversation it belongs to, visible ASCII, for a router that may stand behind the address; null where nobody said. */
  readonly session?: string | null | undefined;
  /** The engine's own name of the model. */
  readonly model: string;
  /** Whether pieces are wanted as they are made. When false an engine may deliver everything at the end. */
  readonly stream: boolean;
  readonly body: ChatBody;
  /** Whether the model should think, where the profile or the request decides it; null leaves it to the model. */
  readonly thinking: boolean | null;
  /** The length limit that applies (reasoning plus answer), in tokens; null when the engine's own rest of the context applies. */
  readonly maxTokens: number | null;
  /** Tokens of prompt and reply together that the model has room for. An engine that counts tokens refuses what goes beyond. */
  readonly contextLength: number;
  /** Set where the limit is not the caller's wish: by it an engine finds what is left of its context where that is less. */
  readonly promptEstimate?: PromptEstimate | undefined;
}

/** How many tokens a prompt may have, by its bytes. Images are not counted. */
export interface PromptEstimate {
  /** Never more tokens than these. */
  readonly bytes: number;
  /** So few, or fewer, only in the rarest case. */
  readonly low: number;
  readonly likely: number;
  /** So many, or more, only in the rarest case. */
  readonly high: number;
  /** Images are tokens that nobody can tell by their bytes. */
  readonly hasImages: boolean;
}

/** A call under way. */
export interface ChatRun {
  /** Stops the engine at once; no event follows. Safe to repeat. */
  abort(): void;
  /** Holds the engine's output back while the client reads slowly. */
  pause(): void;
  resume(): void;
  /**
   * The engine has not begun: the model is being loaded, or the call waits for its place there. The time to the first token counts
   * from the end of that; the engine itself limits how long it may take.
   */
  readonly waiting?: boolean;
}

export interface EmbedCall extends EngineCall {
  readonly model: string;
  readonly input: readonly string[];
  /** Wanted length of the vectors; null for the model's own. */
  readonly dimensions: number | null;
  readonly signal: AbortSignal;
}

export interface EmbedResult {
  /** One vector an input, in order, all of one length. */
  readonly vectors: readonly (readonly number[] | Float32Array)[];
  readonly promptTokens: number;
}

/** What an engine does with texts that are too long for one of its embedding models. */
export interface EmbedderLimits {
  /** Tokens of a text that the model reads, special ones counted; null where the engine does not say. */
  readonly maxTokens: number | null;
  /** Whether longer texts may be cut without a word; else they are refused. */
  readonly cutsSilently: boolean;
}

/** Text or a chat as the tokens of a model. */
export interface TokenizeCall {
  readonly requestId: string;
  readonly model: string;
  /** A text, with the tokens that begin and end texts or without; or the prompt of a chat by the model's template. */
  readonly prompt:
    | { readonly text: string; readonly special: boolean }
    | { readonly chat: ChatBody; readonly edits: BodyEdits };
  /** Whether the text of each token is wanted. */
  readonly texts: boolean;
  readonly signal: AbortSignal;
}

export interface Tokenized {
  readonly count: number;
  readonly tokens: readonly number[];
  /** The text of each; null where they were not wanted, or are not told. */
  readonly texts: readonly string[] | null;
}

export interface DetokenizeCall {
  readonly requestId: string;
  readonly model: string;
  readonly tokens: readonly number[];
  readonly signal: AbortSignal;
}

export interface RerankCall extends EngineCall {
  readonly model: string;
  readonly query: string;
  readonly documents: readonly string[];
  readonly signal: AbortSignal;
}

export interface RerankResult {
  /** How well each document answers the query, 0 to 1, in the order of the documents. */
  readonly scores: readonly number[];
  readonly promptTokens: number;
}

/** A transcription of an audio file. */
export interface TranscribeCall extends EngineCall {
  readonly model: string;
  /** Path of the file, which may be of any container; its name as the caller has it tells nothing for sure. */
  readonly path: string;
  readonly name: string;
  /** Such as `ko`; null: to be found out. */
  readonly language: string | null;
  readonly prompt: string | null;
  readonly temperature: number | null;
  /** Whether times of words are wanted; an engine that has none refuses. */
  readonly words: boolean;
  /** Whether it is written down in English, whatever was spoken; an engine that can't refuses. */
  readonly translate?: boolean;
  readonly signal: AbortSignal;
  /** Called with the progress, by engines that split the recording: at the beginning, and after each segment. */
  readonly onProgress?: (progress: TranscribeProgress) => void;
}

/** Progress of a transcription; times in seconds. */
export interface TranscribeProgress {
  /** Of the recording. */
  readonly seconds: number;
  readonly done: number;
  /** The segment transcribed last; null at the beginning, and where there were no words. */
  readonly segment: SpokenSegment | null;
}

/** A transcribed segment; times in seconds. */
export interface SpokenSegment {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface TranscribeResult {
  readonly text: string;
  /** As the engine found it, such as `ko`; null where it did not say. */
  readonly language: string | null;
  /** Null where the engine did not say. */
  readonly seconds: number | null;
  /** With times in seconds; null where the engine gives none. */
  readonly segments: readonly SpokenSegment[] | null;
  /** Where they were wanted, with times in seconds. */
  readonly words?: readonly { readonly word: string; readonly start: number; readonly end: number }[];
}

export type SpeechFormat = 'wav' | 'mp3' | 'opus' | 'flac' | 'pcm' | 'aac';

export interface SpeakCall extends EngineCall {
  readonly model: string;
  readonly input: string;
  /** Null for the model's own. */
  readonly voice: string | null;
  /** 0.5 to 2. */
  readonly speed: number;
  readonly format: SpeechFormat;
  readonly signal: AbortSignal;
}

/** Sound as it is made: bytes of the wanted format, or pieces of sound that are encoded by the service. */
export type SpeakResult =
  | { readonly type: 'bytes'; readonly parts: AsyncIterable<Uint8Array> }
  | { readonly type: 'sound'; readonly sampleRate: number; readonly parts: AsyncIterable<Float32Array> };

/** A voice as calls name it. */
export interface EngineVoice {
  readonly id: string;
  /** For people. */
  readonly name: string;
}

/** What user messages of a model may hold besides text, as its server said. */
export interface EngineInputs {
  readonly images: boolean;
  readonly audio: boolean;
}

/** One model as an engine lists it. */
export interface EngineModel {
  readonly name: string;
  readonly contextLength: number | null;
  /** Left out where the server does not say it. */
  readonly inputs?: EngineInputs;
}

/** What an engine can't do, so that the service does it instead. */
export interface EngineTraits {
  /** Several choices in one call (`n`). When false the service makes n calls. */
  readonly choices: boolean;
  /** The engine says which stop string ended a reply. When false the service looks for stop strings itself. */
  readonly reportsStop: boolean;
  /** The engine tells thinking and tool calls from answers by itself: what it gives as an answer is one, whatever it looks like. */
  readonly separates?: boolean;
  /** Fields of the interface that it is never given, as it refuses them or has no use for them; none when left out. */
  readonly drops?: readonly string[];
}

/** Why an engine does not answer, by name: for surfaces that have words of their own. */
export interface EngineTrouble {
  readonly code:
    | 'engine_refuses'
    | 'engine_unknown_host'
    | 'engine_no_route'
    | 'engine_no_tls'
    | 'engine_protocol'
    | 'engine_slow'
    | 'engine_broken'
    | 'engine_key'
    | 'engine_busy'
    | 'engine_failed'
    | 'engine_redirects'
    | 'engine_model_unknown'
    | 'engine_closed_address'
    | 'engine_missing'
    | 'engine_key_sealed'
    | 'engine_name_taken'
    | 'engine_drained'
    | 'engine_unwell';
  /** What the words name: `status`. */
  readonly values: Readonly<Record<string, string | number>>;
}

export interface Health {
  readonly ok: boolean;
  /** Why not, for people. */
  readonly reason: string | null;
  /** The same by its name, where the engine knows it. */
  readonly trouble?: EngineTrouble;
}

/**
 * A model server at one address, or an engine inside the service. Errors are {@link EngineError}.
 * An engine that lacks a capability leaves the method out.
 */
export interface Engine {
  /** Unique name, such as `gov/0` for the first address of the engine `gov`. */
  readonly id: string;
  readonly kind: 'openai' | 'llama' | 'speech' | 'builtin';
  readonly traits: EngineTraits;
  /** Those of one of its models, where they differ. */
  traitsOf?(model: string): EngineTraits;
  /** Starts a call. Never throws: failures arrive as an `error` event, always after this function has returned. */
  chat?(call: ChatCall, sink: ChatSink): ChatRun;
  embed?(call: EmbedCall): Promise<EmbedResult>;
  /** What is known of the lengths of an embedding model; asked of the server once in a while. An engine without it refuses long texts. */
  embedderLimits?(model: string, signal: AbortSignal): Promise<EmbedderLimits>;
  /** Tokens of each text by the model's own tokenizer, special ones counted; null where the server does not count. */
  countTokens?(model: string, texts: readonly string[], signal: AbortSignal): Promise<readonly number[] | null>;
  /** Null where the server has no tokenizer that can be asked for this. */
  tokenize?(call: TokenizeCall): Promise<Tokenized | null>;
  /** The text of tokens; null as above. */
  detokenize?(call: DetokenizeCall): Promise<string | null>;
  rerank?(call: RerankCall): Promise<RerankResult>;
  transcribe?(call: TranscribeCall): Promise<TranscribeResult>;
  /** Resolves once the first sound is there. */
  speak?(call: SpeakCall): Promise<SpeakResult>;
  /** Voices of a text-to-speech model; none where nobody tells. */
  voices?(model: string, signal: AbortSignal): Promise<readonly EngineVoice[]>;
  /**
   * Tokens of prompt and reply together that the server said it has room for; null where that is not known, or not yet: it is asked in
   * the background, and again now and then.
   */
  contextLength?(model: string): number | null;
  /** What the server said that messages may hold; null where it does not say so, or was not asked yet. Asked with the length. */
  inputs?(model: string): EngineInputs | null;
  /** Calls that wait for their turn, where it has them wait. */
  readonly waiting?: number;
  /** Whether a call that began now would have to wait, or be refused; left out where that is not known. */
  readonly isFull?: boolean;
  /** The failure of a call that began now, where that is known already: too many wait. Null otherwise. */
  readonly refusal?: EngineError | null;
  health(signal: AbortSignal): Promise<Health>;
  models(signal: AbortSignal): Promise<readonly EngineModel[]>;
  /** Ends connections and children. Safe to repeat. */
  close(): Promise<void>;
}
