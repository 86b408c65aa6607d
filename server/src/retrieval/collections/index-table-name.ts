import { hexId } from '../../kernel/ids.ts';
import type { TableShape } from '../../ports/search-index.ts';
import { ANALYZER_VERSION } from '../analyzer/index.ts';

/** A name for a table of the index that no other has: of the collection, and of chance. */
export const newTableName = (collectionId: string): string => `c-${collectionId}-${hexId().slice(0, 12)}`;

/** The collection of a table; null for a name that is none of ours. */
export const collectionOfTable = (table: string): string | null =>
  /^c-([0-9a-f]{32})-[0-9a-f]{12}$/.exec(table)?.[1] ?? null;

/** What a table of a tenant is made with: it may lie beside others of the tenant, whose terms are made as its own. */
export const tableShape = (tenantId: string, dimension: number): TableShape => ({
  dimension,
  family: `${tenantId}-${ANALYZER_VERSION}`,
});
