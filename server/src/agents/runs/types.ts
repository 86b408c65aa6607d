import type { AgentDefinition } from '@ai-studio/contract/agents/definition.ts';
import type {
  Citation,
  RunEvent,
  RunFailure,
  RunInput,
  RunPart,
  RunState,
  RunUsage,
} from '@ai-studio/contract/agents/run.ts';
import type { Principal } from '../../kernel/actor.ts';
import type { TenantId } from '../../kernel/context.ts';
import type { CallPriority } from '../../kernel/priority.ts';

// What surfaces (A2A, the console) ask of runs.

/** The session of a context that the holder of a key names by a text of their own: it begins with the first message that names it. */
export interface OwnContext {
  readonly ownContextId: string;
  readonly owner: string;
}

/** What is to be run. */
export interface RunRequest {
  readonly agentId: string;
  /** Null for a draft. */
  readonly versionId: string | null;
  readonly definition: AgentDefinition;
  readonly sessionType: 'api' | 'chat' | 'test';
  /** A session of the same tenant, agent and, in the console, person; left out: a new one. */
  readonly session?: { readonly id: number } | { readonly contextId: string } | OwnContext;
  /**
   * Unique for the agent as long as the configuration says; null: never looked at. `hash` is of what the message says. `always`: it is of
   * the service's own making, and known for two days, whatever the configuration says.
   */
  readonly message: { readonly id: string; readonly hash: string; readonly always?: boolean } | null;
  readonly input: RunInput;
  /** A run that waits for an answer (`input-required`): it goes on with this input, as it was begun. */
  readonly continues?: string;
  /** How soon its models are to serve it; `interactive` when left out. */
  readonly priority?: CallPriority | undefined;
}

/** A run as it stands. */
export interface RunSnapshot {
  readonly id: string;
  readonly agentId: string;
  readonly versionId: string | null;
  readonly sessionId: number;
  readonly contextId: string;
  readonly sessionType: 'api' | 'chat' | 'test';
  readonly state: RunState;
  readonly input: RunInput;
  readonly answer: string;
  readonly question: string | null;
  readonly citations: readonly Citation[];
  /** What the answer brings beside its text, once the run has ended or asks. */
  readonly parts: readonly RunPart[];
  readonly failure: RunFailure | null;
  readonly usage: RunUsage;
  readonly lastSeq: number;
  readonly createdAt: Date;
  /** When its state began. */
  readonly stateAt: Date;
  readonly endedAt: Date | null;
}

export interface StartedRun {
  readonly run: RunSnapshot;
  /** The message had been sent before: this is the run that it began, under way or ended. Nothing was run anew. */
  readonly joined: boolean;
}

export interface FollowOptions {
  /** Goes on while the run waits for an answer. */
  readonly pastQuestions?: boolean;
}

/** The runs of agents, on whatever process they run. */
export interface AgentRuns {
  /**
   * Stores a run and has it begin soon; resolves once it is stored. Throws RunError, and StudioError `rate_limited`,
   * `unavailable` while the service stops.
   */
  start(actor: Principal, request: RunRequest): Promise<StartedRun>;
  /** A run of the tenant and agent. Errors: `not_found`. */
  read(tenantId: TenantId, agentId: string, runId: string): Promise<RunSnapshot>;
  /**
   * The events of a run after `after`, as they happen, each once, whatever process it runs on. Ends after the event that says
   * an end state or, unless `pastQuestions`, `input-required`. Throws the signal's reason. Nobody's leaving changes the run.
   */
  follow(runId: string, after: number, signal: AbortSignal, options?: FollowOptions): AsyncGenerator<RunEvent, void>;
  /** Ends a run, mid-token; resolves once it has ended. Errors: `not_found`; `conflict` where it had ended before. */
  cancel(tenantId: TenantId, agentId: string, runId: string): Promise<RunSnapshot>;
  /** Begins to run what waits. */
  open(): Promise<void>;
  /** Ends; runs under way are taken up by another process or the next start. Safe to repeat. */
  close(): Promise<void>;
}
