import type { ConsoleAction } from '@ai-studio/contract/console/roles.ts';
import type { Address } from '../../console-kit/address.ts';
import type { CountedCalls } from '../../console-kit/allowance.ts';
import type { AnyCall } from '../../console-kit/route.ts';
import type { TalkFileDeps } from '../../console-kit/talk-file.ts';
import type { Catalogue } from '../../models/catalogue.ts';
import type { Originals } from '../../retrieval/index.ts';
import type { AgentFileStore, AgentRuns, LifecycleDeps, RunFileStore, SessionScope, ToolServers } from '../index.ts';

/** What runs of agents work with in the console. */
export interface AgentRunsDeps {
  readonly runs: AgentRuns;
  readonly files: AgentFileStore;
  readonly runFiles: RunFileStore;
  /** Largest file. */
  readonly maxBytes: number;
  /** Where files lie until they are kept. */
  readonly folder: string;
}

/** What the routes of agents work with. */
export interface AgentRouteDeps extends CountedCalls, TalkFileDeps {
  readonly catalogue: Catalogue;
  readonly address: Address;
  /** Building and reviewing of agents. */
  readonly agents: Pick<LifecycleDeps, 'servers' | 'files'>;
  /** Servers whose tools agents may call. */
  readonly toolServers: ToolServers;
  /** Runs of agents, and the files of their messages. */
  readonly agentRuns: AgentRunsDeps;
  /** The pages that answers cite. */
  readonly collections: { readonly originals: Originals };
}

/** How an agent is reached: below which path, by whom, and what of its sessions whoever asks may see. */
export interface AgentRouteScope {
  readonly root: string;
  readonly access: ConsoleAction;
  readonly scopeOf: (call: AnyCall) => SessionScope | Promise<SessionScope>;
}
