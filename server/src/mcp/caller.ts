import type { CallContext } from '../kernel/actor.ts';

/** What a caller may use, by the scopes of keys. */
export type McpScope = 'retrieval' | 'utilities' | 'agents';

/** Who calls, and what they may. */
export interface McpCaller {
  readonly ctx: CallContext;
  readonly scopes: ReadonlySet<McpScope>;
  /** Address of the service as the caller reaches it, without a slash at its end. */
  readonly site: string;
}

/** Pages of the console, which people open to see what an answer stands on. */
export const collectionUrl = ({ site }: Pick<McpCaller, 'site'>, collectionId: string): string =>
  `${site}/console/collections/${collectionId}`;
export const documentUrl = (
  caller: Pick<McpCaller, 'site'>,
  { collectionId, documentId }: { readonly collectionId: string; readonly documentId: string },
): string => `${collectionUrl(caller, collectionId)}/documents/${documentId}`;
