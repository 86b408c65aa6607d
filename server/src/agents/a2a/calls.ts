import type { RunState } from '@ai-studio/contract/agents/run.ts';

// What callers ask for, the same for both forms.

/** A file of a message: its bytes, or where they are. */
export interface IncomingFile {
  readonly name: string;
  readonly mediaType: string;
  readonly content: { readonly bytes: Buffer } | { readonly url: string };
}

export interface IncomingMessage {
  readonly id: string;
  /** Of a task that waits for an answer; null: a new task. */
  readonly taskId: string | null;
  readonly contextId: string | null;
  /** Text parts, joined by new lines. */
  readonly text: string;
  readonly files: readonly IncomingFile[];
  /** Data of one data part; of several, their list; null without one. */
  readonly data: unknown;
  /** All that it says, which its hash is of. */
  readonly said: unknown;
}

/** Where the changes of a task are to be told. */
export interface PushConfigInput {
  /** Null: made here. */
  readonly id: string | null;
  readonly url: string;
  /** Goes along as X-A2A-Notification-Token. */
  readonly token: string | null;
  /** Goes along as Authorization. */
  readonly authentication: { readonly scheme: string; readonly credentials: string | null } | null;
}

export interface SendCall {
  readonly message: IncomingMessage;
  /** chat_session_id */
  readonly sessionId: number | null;
  /** Answer at once, with the task as it stands. */
  readonly atOnce: boolean;
  /** Null: all. */
  readonly historyLength: number | null;
  /** Media types that the caller takes; null: all. */
  readonly outputModes: readonly string[] | null;
  readonly push: PushConfigInput | null;
}

export interface ListCall {
  readonly contextId: string | null;
  /** `none`: a state that no task has. */
  readonly state: RunState | 'none' | null;
  readonly size: number;
  readonly after: string | null;
  readonly changedSince: Date | null;
  readonly historyLength: number | null;
  readonly artifacts: boolean;
}

/** A request whose form and parameters are right. */
export type A2aCall =
  | ({ readonly verb: 'send' | 'stream' } & SendCall)
  | { readonly verb: 'get'; readonly taskId: string; readonly historyLength: number | null }
  | ({ readonly verb: 'list' } & ListCall)
  | { readonly verb: 'cancel'; readonly taskId: string }
  | { readonly verb: 'subscribe'; readonly taskId: string; readonly after: number | null }
  | { readonly verb: 'push-set'; readonly taskId: string; readonly push: PushConfigInput }
  | { readonly verb: 'push-get'; readonly taskId: string; readonly configId: string | null }
  | { readonly verb: 'push-list'; readonly taskId: string }
  | { readonly verb: 'push-delete'; readonly taskId: string; readonly configId: string }
  | { readonly verb: 'card' };
