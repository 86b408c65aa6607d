import type { GeneratedTimestamp, Json } from '../ports/columns.ts';

/** Which local model serves an id of the catalogue. */
interface ModelBindingsTable {
  catalogue_id: string;
  local_id: string;
  created_at: GeneratedTimestamp;
}

/** What people said of how an embedding model of this machine is read. */
interface LocalEmbeddersTable {
  local_id: string;
  settings: Json<unknown>;
  changed_at: GeneratedTimestamp;
}

declare module '../ports/tables.ts' {
  interface Tables {
    model_bindings: ModelBindingsTable;
    local_embedders: LocalEmbeddersTable;
  }
}
