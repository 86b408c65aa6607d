import type { ConnectorSettings } from '@ai-studio/contract/retrieval/connector.ts';
import type { RateLimits } from '../kernel/rate-limits.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import type { Connector } from '../ports/connector.ts';
import type { RetrievalDeps } from '../retrieval/index.ts';

/** Opens a source. Throws StudioError `invalid_request` for settings or secrets that can't be right. */
export type OpenConnector = (
  settings: ConnectorSettings,
  secrets: Readonly<Record<string, string>> | null,
  /** What listings tell beside documents; nothing when left out. */
  tells?: { readonly tellsReaders: boolean },
) => Connector;

/** What the operator allows. */
export interface ConnectorLimits {
  /** Folders below which sources may lie. */
  readonly folders: readonly string[];
  /** Connectors of a tenant. */
  readonly perTenant: number;
  /** Shortest time between two runs by schedule. */
  readonly minMinutes: number;
  /** Documents of a connector. */
  readonly maxDocuments: number;
}

/** What connectors work with. */
export interface ConnectorDeps {
  readonly limits: ConnectorLimits;
  readonly retrieval: RetrievalDeps;
  readonly open: OpenConnector;
  readonly box: SecretBox;
  /** Of the configuration, where a key or a tenant has none. */
  readonly defaultLimits: RateLimits;
  /** Folder in which a fetched document lies for the time of its upload. */
  readonly folder: string;
  /** Largest document in bytes. */
  readonly maxBytes: number;
}

/** What the secrets of a connector are sealed for. */
export const secretPurpose = (tenantId: string, id: string): string => `connector/${tenantId}/${id}`;
