/** Why a model cannot be used. */
export type FailureKind =
  /** There is no such model, or its file is gone. */
  | 'absent'
  /** The file is damaged or is no GGUF. */
  | 'corrupt'
  /** llama.cpp does not know the architecture. */
  | 'architecture'
  /** There is not enough memory for it. */
  | 'memory'
  /** The process ended by itself. */
  | 'crashed'
  /** llama.cpp itself cannot be loaded. */
  | 'runtime'
  | 'stopping';

const advice: Readonly<Record<FailureKind, string>> = {
  absent:
    'Run `studio models pull NAME` to download one, `studio models import FILE` to take in a GGUF file, or put it into the folder models of the data folder; `studio models list` shows what there is.',
  corrupt: 'Remove it with `studio models remove` and copy or download it again.',
  architecture: 'Use another model, or a version of the service with a newer llama.cpp.',
  memory:
    'Use a smaller model or quantisation, a smaller local_models.context_length or parallel, or a larger local_models.memory_budget.',
  crashed: 'The log of the service says more.',
  runtime: '`studio doctor` says more.',
  stopping: '',
};

/** Failures that waiting does not mend. */
const permanent: ReadonlySet<FailureKind> = new Set(['absent', 'corrupt', 'architecture', 'runtime']);
/** Retry-After of failures that only a person can mend. */
const PERMANENT_RETRY_SECONDS = 30;

/** No model can be given now. The message is for callers. */
export class ModelUnavailable extends Error {
  /** When they should try again; null where nobody knows. */
  readonly retryAfterSeconds: number | null;

  constructor(message: string, retryAfterSeconds: number | null = null) {
    super(message);
    this.name = 'ModelUnavailable';
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** A model that cannot be used, with what to do about it. */
export class ModelFailure extends ModelUnavailable {
  readonly reason: FailureKind;

  constructor(reason: FailureKind, sentence: string, retryAfterSeconds = 5) {
    const ended = /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
    const text = `${ended} ${advice[reason]}`.trim();
    super(text, permanent.has(reason) ? PERMANENT_RETRY_SECONDS : retryAfterSeconds);
    this.reason = reason;
  }
}

/** The failure between processes. */
export interface FailureMessage {
  readonly message: string;
  readonly retryAfterSeconds: number | null;
}

export const toFailureMessage = (error: unknown): FailureMessage =>
  error instanceof ModelUnavailable
    ? { message: error.message, retryAfterSeconds: error.retryAfterSeconds }
    : { message: 'The model cannot be used at the moment.', retryAfterSeconds: 5 };

export const fromFailureMessage = ({ message, retryAfterSeconds }: FailureMessage): ModelUnavailable =>
  new ModelUnavailable(message, retryAfterSeconds);
