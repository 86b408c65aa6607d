import type {
  Citation,
  RunEvent,
  RunEventBody,
  RunFailure,
  RunPart,
  RunState,
} from '@ai-studio/contract/agents/run.ts';
import { EMPTY_JSON_TEXT, fromJsonText, type JsonText } from '../../kernel/json-text.ts';
import { LeaseLost } from '../../jobs/worker.ts';
import { storable } from './json.ts';
import type { Step } from './steps.ts';

/** How a run stands, where it changes. */
export interface RunChange {
  readonly state: RunState;
  readonly question?: string | null;
  readonly failure?: RunFailure | null;
  /** The run ends, or waits for a person: it is no process's any more. */
  readonly over?: {
    readonly citations: readonly Citation[];
    readonly parts: readonly RunPart[];
    readonly ended: boolean;
  };
}

/** What a run has to write. All of it is written at once, or nothing. */
export interface LogBatch {
  readonly events: readonly RunEvent[];
  readonly steps: readonly Step[];
  readonly change: RunChange | null;
  /** Whether a step ended. */
  readonly progressed: boolean;
  /** Of the last event. */
  readonly lastSeq: number;
  readonly answer: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly spentMs: number;
}

/** Schedules the writing of a log: soon, or at once where `urgent`. */
export interface LogWriter {
  scheduleWrite(log: RunLog, urgent: boolean): void;
}

interface RunLogState {
  readonly id: string;
  readonly claim: string;
  /** Of the last event that is written. */
  readonly lastSeq: number;
  /** The answer so far. */
  readonly answer: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly spentMs: number;
}

const isHighSurrogate = (text: string) => /[\ud800-\udbff]$/.test(text);

/** The log of a run that this process runs. What is added has its place at once, and is told of once it is written. */
export class RunLog {
  readonly id: string;
  readonly claim: string;
  promptTokens: number;
  completionTokens: number;
  /** The first piece of an answer is not made to wait. */
  hasText = false;
  #seq: number;
  #answer: string;
  #json: JsonText = EMPTY_JSON_TEXT;
  #half = '';
  #events: RunEvent[] = [];
  #steps = new Map<string, Step>();
  #change: RunChange | null = null;
  #progressed = false;
  #lost = false;
  #writing = 0;
  #waiting: { readonly resolve: () => void; readonly reject: (error: Error) => void }[] = [];
  readonly #logWriter: LogWriter;
  readonly #spentBeforeMs: number;
  readonly #startedMs = performance.now();
  #stoppedMs: number | null = null;

  constructor(
    logWriter: LogWriter,
    { id, claim, lastSeq, answer, promptTokens, completionTokens, spentMs }: RunLogState,
  ) {
    this.#logWriter = logWriter;
    this.id = id;
    this.claim = claim;
    this.#seq = lastSeq;
    this.#answer = answer;
    this.promptTokens = promptTokens;
    this.completionTokens = completionTokens;
    this.#spentBeforeMs = spentMs;
  }

  /** The answer so far. */
  get answer(): string {
    this.#settleText(false);
    return this.#answer;
  }

  get lost(): boolean {
    return this.#lost;
  }

  /** Time that the run has worked, in milliseconds. */
  get spentMs(): number {
    return Math.round(this.#spentBeforeMs + (this.#stoppedMs ?? performance.now()) - this.#startedMs);
  }

  /** The run works no more: from here on it only waits until all is written. */
  stopClock(): void {
    this.#stoppedMs ??= performance.now();
  }

  /** Adds a piece of the answer. Cheap: pieces are joined until they are written. */
  text(json: JsonText): void {
    if (json === '') return;
    const first = !this.hasText;
    this.hasText = true;
    // Joined by the engine of JavaScript without copying.
    this.#json = (this.#json + json) as JsonText;
    this.#logWriter.scheduleWrite(this, first);
  }

  /** What was added so far is a whole: half a character that is left has no other half. */
  endText(): void {
    this.#settleText(true);
  }

  event(body: RunEventBody): void {
    this.#settleText(false);
    this.#push(body);
    this.#logWriter.scheduleWrite(this, false);
  }

  /** The step is written as it is when the log is. */
  step(step: Step): void {
    this.#steps.set(step.key, step);
    if (step.state !== 'running') this.#progressed = true;
    this.#logWriter.scheduleWrite(this, false);
  }

  /** Says and writes a new state; at once where the run is over. */
  change(change: RunChange): void {
    const { state, question, failure } = change;
    this.#settleText(true);
    this.#push({ type: 'state', state, ...(question ? { question } : {}), ...(failure ? { failure } : {}) });
    this.#change = change;
    this.#logWriter.scheduleWrite(this, change.over !== undefined);
  }

  /** Resolves once all that was added is written. Rejects with LeaseLost. */
  written(): Promise<void> {
    if (this.#lost) return Promise.reject(new LeaseLost());
    if (this.#isClean() && this.#writing === 0) return Promise.resolve();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ resolve, reject });
    this.#logWriter.scheduleWrite(this, true);
    return promise;
  }

  /** Takes what is to be written now. Must be followed by {@link wrote} or {@link lose}. */
  take(): LogBatch {
    this.#settleText(false);
    const taken: LogBatch = {
      events: this.#events,
      // As they are now: a step that goes on is written again later.
      steps: [...this.#steps.values()].map((step) => ({ ...step })),
      change: this.#change,
      progressed: this.#progressed,
      lastSeq: this.#seq,
      answer: this.#answer,
      promptTokens: this.promptTokens,
      completionTokens: this.completionTokens,
      spentMs: this.spentMs,
    };
    this.#events = [];
    this.#steps = new Map();
    this.#change = null;
    this.#progressed = false;
    this.#writing++;
    return taken;
  }

  wrote(): void {
    this.#writing--;
    if (!this.#isClean() || this.#writing > 0) return;
    for (const { resolve } of this.#waiting.splice(0)) resolve();
  }

  lose(): void {
    this.#lost = true;
    this.#writing = 0;
    for (const { reject } of this.#waiting.splice(0)) reject(new LeaseLost());
  }

  #isClean(): boolean {
    return this.#events.length === 0 && this.#steps.size === 0 && this.#change === null && this.#json === '';
  }

  #settleText(whole: boolean): void {
    if (this.#json === '' && (this.#half === '' || !whole)) return;
    let text = this.#half + (this.#json === '' ? '' : fromJsonText(this.#json));
    this.#json = EMPTY_JSON_TEXT;
    this.#half = '';
    if (!whole && isHighSurrogate(text)) {
      this.#half = text.slice(-1);
      text = text.slice(0, -1);
    }
    const said = storable(text);
    if (said === '') return;
    this.#answer += said;
    this.#push({ type: 'text', text: said });
  }

  #push(body: RunEventBody): void {
    this.#events.push({ ...body, seq: ++this.#seq, at: new Date().toISOString() });
  }
}
