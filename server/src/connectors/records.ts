import type { Connector } from '@ai-studio/contract/retrieval/connector.ts';
import type { Selectable } from 'kysely';
import type { Tables } from '../ports/database.ts';
import { runRecord } from './run-rows.ts';

export type ConnectorRow = Selectable<Tables['connectors']>;

/** The record of a connector, given the number of its documents and its newest run. */
export const connectorRecord = (
  row: ConnectorRow,
  documents: number,
  last: Selectable<Tables['connector_runs']> | undefined,
): Connector => ({
  connector_id: row.id,
  collection_id: row.collection_id,
  name: row.name,
  settings: row.settings,
  has_secrets: row.secrets !== null,
  every_minutes: row.every_minutes,
  max_documents: row.max_documents,
  access: row.access,
  groups: row.groups.map((group) => ({ ...group, members: [...group.members] })),
  paused: row.paused,
  removing: row.removing,
  next_at: row.paused ? null : (row.next_at?.toISOString() ?? null),
  documents,
  last_run: last === undefined ? null : runRecord(last),
});
