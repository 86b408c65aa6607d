/** Which endpoints a child serves. */
export type ModelKind = 'chat' | 'embedding' | 'rerank';

/** How the vectors of the tokens become one vector of a text. */
export type Pooling = 'mean' | 'cls' | 'last';

/**
 * Flags of a child's Node.js. Weights and contexts lie outside this heap; within it are requests and their prompts. Should
 * it run full, only this process ends.
 */
export const CHILD_FLAGS: readonly string[] = ['--max-old-space-size=1024'];

/** A llama-server of llama.cpp that runs a model in place of the bundled runtime. */
export interface ServerSettings {
  /** Path of the program. */
  readonly binary: string;
  /** The file by which the model takes images; null for none. */
  readonly projector: string | null;
  /** Flags after those that the service gives, so that they count over them. */
  readonly args: readonly string[];
}

/** Settings of a child, sent to it once over IPC as `{type: 'start', settings}`. */
export interface ChildSettings {
  /** The GGUF file; of a split model the first part. */
  readonly modelPath: string;
  /** Name of the model in replies. */
  readonly modelId: string;
  readonly kind: ModelKind;
  /** Unix socket (or pipe) to listen on. */
  readonly socketPath: string;
  /** Tokens of prompt and reply together, of each request. */
  readonly contextLength: number;
  /** Requests that are worked on at one time. */
  readonly parallel: number;
  readonly threads: number;
  /** Of a model for vectors or scores: texts that are read side by side. Beyond `threads` it takes the cores of the service, as far as that leaves them idle. */
  readonly lanes?: number;
  /** `auto` or true: what the runtime finds; `off` or false: none; a number: layers given to the GPU; else the name of a GPU type. */
  readonly gpu: string | number | boolean;
  /** Folder whose node_modules hold the node-llama-cpp to use, for a GPU build; null for the service's own. */
  readonly runtimeDir: string | null;
  /** Choices that may wait for a free place before requests are refused. */
  readonly maxQueue: number;
  /** Most prompt tokens read in one step while nobody else is being answered. */
  readonly batch?: number;
  /** Of an embedding model, over what its file says. */
  readonly pooling?: Pooling | null;
  /** Of an embedding model whose file does not say; where this does not either, that of the mean, or of the last token where those before see none after. */
  readonly assumedPooling?: Pooling | null;
  /** Whether vectors of an embedding model are made of length 1; true when left out. */
  readonly normalize?: boolean;
  /** Keep everything in sliding-window layers too: more memory, but earlier turns can always be reused. */
  readonly swaFullCache?: boolean;
  /** What runs the model; the bundled runtime when null or left out. */
  readonly server?: ServerSettings | null;
}

/**
 * Whether a model may run on a GPU. The packages of the service have a build for one on macOS alone: elsewhere `auto` finds none
 * where no other folder is named.
 */
export function mayUseGpu({ gpu, runtimeDir }: Pick<ChildSettings, 'gpu' | 'runtimeDir'>): boolean {
  if (gpu === false || gpu === 'off' || gpu === 'none' || gpu === 0) return false;
  const named = typeof gpu === 'string' && gpu !== 'auto';
  return named || runtimeDir !== null || process.platform === 'darwin';
}

/** Why a model could not be loaded. */
export type LoadFailureKind = 'absent' | 'corrupt' | 'architecture' | 'memory' | 'runtime';

/** A load that failed; the message is a sentence for people. */
export class LoadFailure extends Error {
  readonly kind: LoadFailureKind;

  constructor(kind: LoadFailureKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'LoadFailure';
    this.kind = kind;
  }
}

/** What a child says of the model that it has loaded. */
export interface ReadyInfo {
  readonly architecture: string;
  readonly contextLength: number;
  readonly trainContextLength: number;
  readonly parallel: number;
  /** Family of the chat template; null for a model that does not chat. */
  readonly family: string | null;
  readonly tools: boolean;
  readonly thinking: 'none' | 'optional' | 'always';
  /** Length of its vectors. */
  readonly dimensions: number;
  /** Memory of weights, context and work space together. */
  readonly memoryBytes: number;
  readonly gpu: string | false;
}

/** From the parent to the child. */
export type ParentMessage = { readonly type: 'start'; readonly settings: ChildSettings } | { readonly type: 'stop' };

/** From the child to the parent. */
export type ChildMessage =
  | { readonly type: 'progress'; readonly fraction: number }
  | { readonly type: 'ready'; readonly info: ReadyInfo }
  | { readonly type: 'activity'; readonly busy: number }
  | { readonly type: 'failed'; readonly kind: LoadFailureKind; readonly message: string }
  | { readonly type: 'log'; readonly level: 'debug' | 'info' | 'warn' | 'error'; readonly message: string };
