import type { EngineTrouble } from '../ports/engine.ts';
import type { ModelServerModel } from './tables.ts';
import type { ServedModel, ServingEngine } from '../models/served.ts';

/** A model of a connected server, with the moment since when it serves its id. */
export interface ConnectedModel extends ServedModel {
  /** ISO 8601. */
  readonly boundAt: string;
}

/** A server that was connected in the console, as the processes of the installation know it. Plain data: it travels between them. */
export interface ConnectedServer extends ServingEngine {
  readonly id: string;
  readonly baseUrl: string;
  readonly hasApiKey: boolean;
  /** Opened; null where it needs none, or where it cannot be opened. */
  readonly apiKey: string | null;
  /** Why it cannot be used; null where it can. */
  readonly problem: string | null;
  /** The same by its name. */
  readonly trouble: EngineTrouble | null;
  readonly models: readonly ConnectedModel[];
  /** Grows with each change. */
  readonly version: number;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** What a sealed key is for: the key of one server is of no use in the row of another. */
export const sealPurpose = (id: string) => `model_servers:${id}`;

export const toModel = (row: ModelServerModel): ConnectedModel => ({
  remoteId: row.remote_id,
  id: row.id,
  kind: row.kind,
  contextLength: row.context_length,
  boundAt: row.bound_at,
});

export const toRow = (model: ConnectedModel): ModelServerModel => ({
  remote_id: model.remoteId,
  id: model.id,
  kind: model.kind,
  context_length: model.contextLength,
  bound_at: model.boundAt,
});
