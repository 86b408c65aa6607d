import type { GeneratedTimestamp } from '../ports/columns.ts';

/** Which local model serves an id of the catalogue. */
interface ModelBindingsTable {
  catalogue_id: string;
  local_id: string;
  created_at: GeneratedTimestamp;
}

declare module '../ports/tables.ts' {
  interface Tables {
    model_bindings: ModelBindingsTable;
  }
}
