import type { RunFile } from '@ai-studio/contract/agents/run.ts';
import type { Principal } from '../../kernel/actor.ts';
import type { Database } from '../../ports/database.ts';
import type { AgentRuns } from '../runs/types.ts';
import type { ReadRunFile } from './parts.ts';
import type { PushConfigs } from './push/configs.ts';

/** Bytes of a file that came with a message. */
export interface IncomingFileBytes {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Buffer;
}

export interface A2aDeps {
  readonly db: Database;
  readonly runs: AgentRuns;
  readonly push: PushConfigs;
  /** Bytes of a file of a run. */
  readonly readFile: ReadRunFile;
  /** Keeps a file of a message to this agent. */
  readonly storeFile: (actor: Principal, agentId: string, file: IncomingFileBytes) => Promise<RunFile>;
  /**
   * Fetches a file that a message names, behind the guard for addresses of users. Throws {@link A2aError} `params` for one that
   * cannot be fetched.
   */
  readonly fetchFile: (url: string, signal: AbortSignal) => Promise<{ readonly bytes: Buffer; readonly type: string }>;
}
