import type { NodeKind, NodeOf } from '@ai-studio/contract/agents/definition.ts';
import type { DocumentMaker } from '@ai-studio/documents';
import type { RunFile } from '@ai-studio/contract/agents/run.ts';
import type { SearchRequest, SearchResult } from '@ai-studio/contract/retrieval/search.ts';
import { type Actor, type CallContext, noRights, type Principal } from '../../kernel/actor.ts';
import type { TenantId } from '../../kernel/context.ts';
import type { Logger } from '../../kernel/log.ts';
import type { Database } from '../../ports/database.ts';
import type { Spend } from '../../privacy/index.ts';
import type { NodeContext, ScopeDeps } from '../runs/scope.ts';
import type { RunFileStore } from '../run-files.ts';
import type { ChosenTools, ReadDocument, Tool } from '../tools/index.ts';
import type { ModelDeps } from './model/call-model.ts';

/** What nodes work with. */
export interface NodeDeps {
  readonly db: Database;
  /** Asks models. */
  readonly models: ModelDeps;
  readonly search: (ctx: CallContext, request: SearchRequest) => Promise<{ readonly result: SearchResult }>;
  /** Reads a file of a run. Rejects with StudioError, which says why it cannot be read. */
  readonly readDocument: (
    tenantId: TenantId,
    file: RunFile,
    signal: AbortSignal,
    onPage?: (done: number, total: number | null) => void,
  ) => Promise<ReadDocument>;
  /** Makes files of Word and Hancom Office. Rejects with StudioError for a text that takes too much. */
  readonly makeDocument: DocumentMaker['make'];
  /** Masks personal values. `types`: null for all. */
  readonly mask: (
    actor: Principal,
    given: { readonly text: string; readonly types: readonly string[] | null; readonly onTokens: Spend },
  ) => Promise<{ readonly text: string; readonly found: number }>;
  readonly openTools: (ctx: CallContext, chosen: ChosenTools) => Promise<readonly Tool[]>;
  /** Files that nodes make, and the bytes of those that messages brought. */
  readonly files: RunFileStore;
  readonly log: Logger;
}

/** What nodes that hold others need, too. */
export interface NodeRunDeps extends NodeDeps {
  readonly scopes: ScopeDeps;
}

/** Runs nodes of one kind. Resolves with the results. */
export type NodeRunner<K extends NodeKind> = (
  deps: NodeRunDeps,
  context: NodeContext<NodeOf<K>>,
) => Promise<Readonly<Record<string, unknown>>> | Readonly<Record<string, unknown>>;

const seesAll: Actor['rights'] = new Set(['collections.all']);

/**
 * In what context a run searches and calls tools: in the collections that its version sees, among the documents that whoever pays may read, with their
 * models. What programs are answered is shown to all who build the agent, so documents with readers of their own are not there for it. Throws StudioError.
 */
export async function callContextOf({ models }: NodeDeps, { execution, scope }: NodeContext): Promise<CallContext> {
  const { actor, row, signal } = execution;
  const rights = scope.flow.seesAll ? seesAll : noRights;
  return {
    actor: {
      ...(await models.actorOf(actor, [])),
      ...actor,
      rights,
      ...(row.is_shown ? { openDocumentsOnly: true } : {}),
    },
    requestId: row.id,
    signal,
    priority: row.priority,
  };
}
