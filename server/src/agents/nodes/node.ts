import type { NodeKind, NodeOf, ToolChoice } from '@ai-studio/contract/agents/definition.ts';
import type { RunFile } from '@ai-studio/contract/agents/run.ts';
import type { SearchRequest, SearchResult } from '@ai-studio/contract/retrieval/search.ts';
import type { TenantId } from '../../kernel/context.ts';
import type { Logger } from '../../kernel/log.ts';
import type { Database } from '../../ports/database.ts';
import type { ModelCaller } from '../../privacy/index.ts';
import type { Caller } from '../../retrieval/index.ts';
import type { NodeContext, ScopeDeps } from '../runs/scope.ts';
import type { ReadDocument, Tool, ToolCaller } from '../tools/index.ts';
import type { AskDeps } from './model/ask.ts';

/** What nodes work with. */
export interface NodeDeps {
  readonly db: Database;
  /** Asks models. */
  readonly models: AskDeps;
  readonly search: (caller: Caller, request: SearchRequest) => Promise<{ readonly result: SearchResult }>;
  /** Reads a file of a run. Rejects with StudioError, which says why it cannot be read. */
  readonly readDocument: (tenantId: TenantId, file: RunFile, signal: AbortSignal) => Promise<ReadDocument>;
  /** Masks personal values. `types`: null for all. */
  readonly mask: (
    asker: ModelCaller,
    text: string,
    types: readonly string[] | null,
  ) => Promise<{ readonly text: string; readonly found: number }>;
  readonly openTools: (
    caller: ToolCaller,
    choices: readonly ToolChoice[],
    how: { readonly signal: AbortSignal },
  ) => Promise<readonly Tool[]>;
  readonly log: Logger;
}

/** What nodes that hold others need, too. */
export interface NodeRunDeps extends NodeDeps {
  readonly scopes: ScopeDeps;
}

/** Runs nodes of one kind. Resolves with the results. */
export type NodeRunner<K extends NodeKind> = (
  means: NodeRunDeps,
  context: NodeContext<NodeOf<K>>,
) => Promise<Readonly<Record<string, unknown>>> | Readonly<Record<string, unknown>>;

/** Who searches and calls tools in a run: with the eyes of its version, and the models of whoever pays. Throws StudioError. */
export async function toolCallerOf({ models }: NodeDeps, { execution, scope }: NodeContext): Promise<ToolCaller> {
  const { caller } = execution;
  const { allowedModels } = await models.actorOf(caller, []);
  return { ...caller, allowedModels, administers: scope.flow.seesAll, files: scope.flow.input.files };
}
