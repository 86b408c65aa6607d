import type { ModelKind } from '@ai-studio/contract/models.ts';
import type { Generated } from 'kysely';
import type { Json, GeneratedTimestamp } from '../ports/columns.ts';

/** Model servers of the OpenAI format that were connected in the console. They serve all tenants. */
interface ModelServersTable {
  id: string;
  /** Name of its engine. */
  name: string;
  base_url: string;
  /** Sealed; see kernel/secret-box.ts. */
  sealed_api_key: string | null;
  /** The kind of server, where it was recognised. */
  dialect: string | null;
  models: Json<ModelServerModel[]>;
  /** Grows with each change. */
  version: Generated<number>;
  created_at: GeneratedTimestamp;
}

/** Addresses of engines, of the configuration or connected, that get no new calls. */
interface EngineDrainsTable {
  engine: string;
  /** Without secrets. */
  url: string;
  drained_at: GeneratedTimestamp;
}

/** What a connected server offers, and under which id of the catalogue. */
export interface ModelServerModel {
  remote_id: string;
  id: string;
  kind: ModelKind;
  /** As the server said. */
  context_length: number | null;
  /** Since when it serves this id, ISO 8601: of a server and a local model the later one counts. */
  bound_at: string;
}

declare module '../ports/tables.ts' {
  interface Tables {
    model_servers: ModelServersTable;
    engine_drains: EngineDrainsTable;
  }
}
