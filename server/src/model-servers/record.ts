import type { EngineTrouble } from '../ports/engine.ts';
import type { ModelServerModel } from './tables.ts';
import type { ServedModel, ServingEngine } from '../models/served.ts';

/** A model of a connected server. */
export interface ConnectedModel extends ServedModel {
  /** ISO 8601. */
  readonly boundAt: string;
}

/** A server that was connected in the console. Plain data, as it is sent between processes. */
export interface ConnectedServer extends ServingEngine {
  readonly id: string;
  readonly baseUrl: string;
  readonly hasApiKey: boolean;
  /** Decrypted; null where the server needs none, or it cannot be decrypted. */
  readonly apiKey: string | null;
  /** Why the server cannot be used; null where it can. */
  readonly problem: string | null;
  /** The problem by name. */
  readonly trouble: EngineTrouble | null;
  readonly models: readonly ConnectedModel[];
  /** Grows with each change. */
  readonly version: number;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** Purpose of a sealed key: it can't be opened in the row of another server. */
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
