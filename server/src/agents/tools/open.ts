import type { DocumentMaker } from '@ai-studio/documents';
import type { ToolChoice } from '@ai-studio/contract/agents/definition.ts';
import type { RunFile } from '@ai-studio/contract/agents/run.ts';
import type { CallContext } from '../../kernel/actor.ts';
import { StudioError } from '../../kernel/errors.ts';
import type { TenantId } from '../../kernel/context.ts';
import type { Logger } from '../../kernel/log.ts';
import { isDatabaseUnavailable } from '../../ports/database.ts';
import { EngineError } from '../../ports/engine.ts';
import type { RetrievalDeps } from '../../retrieval/index.ts';
import { checkArguments } from './arguments.ts';
import type { UncheckedTool } from './built-in/built-in.ts';
import { calculator } from './built-in/calculator.ts';
import { currentTime } from './built-in/current-time.ts';
import { type ReadDocument, parseDocument } from './built-in/parse-document.ts';
import { MAX_MADE_FILE_BYTES, type RunFileStore } from '../run-files.ts';
import { writeDocumentTool } from './built-in/write-document.ts';
import { searchCollection } from './built-in/search-collection.ts';
import { uniqueNames } from './names.ts';
import { type Tool, type ToolCallOptions, type ToolResult, failedCall } from './tool.ts';

/** A tool of a server that people connected. */
export interface ServedTool extends UncheckedTool {
  /** Name of the server, which tells tools of one name apart. */
  readonly server: string;
}

/** The tools of the tool servers of a tenant. */
export interface ServedTools {
  /**
   * Tools of a server, by the names that it gave them; all where `names` is empty. Throws StudioError `not_found` for a server that is not the
   * tenant's or is gone, and for a tool that it has not; `unavailable` where its secrets cannot be opened.
   */
  find(tenantId: TenantId, serverId: string, names: readonly string[]): Promise<readonly ServedTool[]>;
}

/** Tools that were chosen, and the files of the run that parse_document may read. */
export interface ChosenTools {
  readonly choices: readonly ToolChoice[];
  readonly files: readonly RunFile[];
}

/** What tools work with. */
export interface ToolDeps {
  readonly retrieval: RetrievalDeps;
  readonly served: ServedTools;
  /** Reads a file of a run. Rejects with StudioError, which says why it cannot be read. */
  readonly readDocument: (tenantId: TenantId, file: RunFile, signal: AbortSignal) => Promise<ReadDocument>;
  /** Makes files of Word and Hancom Office. Rejects with StudioError. */
  readonly makeDocument: DocumentMaker['make'];
  readonly files: Pick<RunFileStore, 'read'>;
  /** IANA name of the time zone that counts where a model names none. */
  readonly timeZone: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Logger;
}

const BROKEN = 'The tool failed; its failure was written down for the operator';

/** The message of an error for a model; details of an unexpected error go to the log only. */
function errorMessageOf(error: unknown, tool: string, log: Logger): string {
  if (error instanceof StudioError && error.code !== 'internal') return error.message;
  if (error instanceof EngineError)
    return error.detail ?? 'A model that the tool needs cannot be reached at the moment';
  log.error({ err: error, tool }, 'agent tool call failed');
  return BROKEN;
}

/** Checks the arguments of a call and makes it. What goes wrong is told in the result. Rejects with the signal's reason, and where the database is away. */
export async function callChecked(
  tool: UncheckedTool,
  args: unknown,
  options: ToolCallOptions,
  log: Logger,
): Promise<ToolResult> {
  options.signal.throwIfAborted();
  const checked = checkArguments(tool.parameters, args);
  if (!checked.ok) return failedCall(checked.message);
  try {
    return await tool.run(checked.value, options);
  } catch (error) {
    options.signal.throwIfAborted();
    // No model need be told: the run goes on later.
    if (isDatabaseUnavailable(error)) throw error;
    return failedCall(errorMessageOf(error, tool.name, log));
  }
}

async function resolveTools(
  deps: ToolDeps,
  ctx: CallContext,
  choice: ToolChoice,
  files: readonly RunFile[],
): Promise<readonly UncheckedTool[]> {
  const { tenantId } = ctx.actor;
  switch (choice.kind) {
    case 'search_collection':
      return [await searchCollection(deps.retrieval, ctx, choice.collections)];
    case 'parse_document':
      return [parseDocument(files, (file, signal) => deps.readDocument(tenantId, file, signal))];
    case 'write_document':
      return [
        writeDocumentTool(files, {
          makeDocument: deps.makeDocument,
          readBytes: (file) => deps.files.read(tenantId, file, MAX_MADE_FILE_BYTES),
        }),
      ];
    case 'calculator':
      return [calculator];
    case 'current_time':
      return [currentTime(deps.timeZone, deps.now)];
    case 'server':
      return deps.served.find(tenantId, choice.server, choice.tools);
  }
}

/**
 * The tools that were chosen, ready to be called; in the order of the choices. Nothing is asked of tool servers before the first call. Throws
 * StudioError `not_found` for a server or tool that is gone, `unavailable` where secrets cannot be opened, and the signal's reason.
 */
export async function openTools(
  deps: ToolDeps,
  ctx: CallContext,
  { choices, files }: ChosenTools,
): Promise<readonly Tool[]> {
  const opened: UncheckedTool[] = [];
  for (const choice of choices) {
    ctx.signal.throwIfAborted();
    opened.push(...(await resolveTools(deps, ctx, choice, files)));
  }
  const names = uniqueNames(
    opened.map((tool) => ({ name: tool.name, server: 'server' in tool ? String(tool.server) : null })),
  );
  return opened.map((tool, i) => ({
    name: names[i] ?? tool.name,
    description: tool.description,
    parameters: tool.parameters,
    call: (args, options) => callChecked(tool, args, options, deps.log),
  }));
}
