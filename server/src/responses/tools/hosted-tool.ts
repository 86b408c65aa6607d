import type { FileSearchResult } from '@ai-studio/contract/responses/items.ts';
import type { KeyScope } from '../../identity/index.ts';
import type { CallContext } from '../../kernel/actor.ts';
import type { ToolCallOptions, ToolParameters, ToolResult } from '../../agents/index.ts';
import type { SourceBook } from './sources.ts';

/** A tool that the service runs. */
export interface HostedTool {
  readonly kind: 'file_search' | 'web_search' | 'mcp';
  /** Name by which the model knows it. */
  readonly name: string;
  readonly description: string;
  readonly parameters: ToolParameters;
  /** Of tools of servers. */
  readonly server: { readonly label: string; readonly tool: string; readonly asks: boolean } | null;
  /** Checks the arguments and runs it. What goes wrong is told in the result; rejects with the signal's reason, and where the database is away. */
  call(args: unknown, options: ToolCallOptions): Promise<ToolResult>;
}

/** A tool before it has its name. */
export type NamelessTool = Omit<HostedTool, 'name'> & {
  /** The name that it would have by itself. */
  readonly ownName: string;
};

/** What a search of collections gives as data. */
export interface FileSearchData {
  readonly queries: readonly string[];
  readonly results: readonly FileSearchResult[];
}
/** What a search of the web gives as data. */
export interface WebSearchData {
  readonly query: string;
  readonly sources: readonly { readonly type: 'url'; readonly url: string }[];
}

/** The caller of tools, and what they found so far. */
export interface ToolCaller {
  readonly ctx: CallContext;
  readonly scopes: ReadonlySet<KeyScope>;
  readonly book: SourceBook;
}

/** What a model that gets numbered passages is told of them. */
export const CITING =
  'Results are numbered. Right after each statement that comes from one, write its number in brackets, such as [1].';
