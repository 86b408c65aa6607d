import type { Logger } from '../../../kernel/log.ts';

/** Where OpenSearch is, who we are there, and how tables are made. */
export interface OpenSearchOptions {
  /** Address of the cluster, or of what spreads requests over its nodes. */
  readonly url: string;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /** Certificates and keys in PEM. */
  readonly tls?: {
    readonly ca?: string | undefined;
    readonly cert?: string | undefined;
    readonly key?: string | undefined;
  };
  /** What the names of all our indices and aliases begin with. */
  readonly prefix: string;
  readonly shards: number;
  readonly replicas: number;
  /** `lucene` keeps whole vectors in a graph; `faiss` 32 times smaller ones in memory, and whole ones on disk. */
  readonly engine: 'lucene' | 'faiss';
  /** Tables of one family that lie in one index at most; with 1 each has its own. */
  readonly tablesPerIndex: number;
  /** A shard of an index of one table holds no more rows than this when it is made. */
  readonly rowsPerShard: number;
  /** A table with more rows than this gets an index of its own. */
  readonly ownIndexRows: number;
  /** How long a write may be under way that began before its table moved, and a search; a test may not wait so long. */
  readonly graceMs?: number;
  readonly searchGraceMs?: number;
  /** Of a table with no more rows than this, what was removed while it moved is taken away while it is held. */
  readonly heldRows?: number;
  /** After this time another process ends the move of a table that one has begun and not ended. */
  readonly resumeMs?: number;
  readonly log: Logger;
}

/** A version of a server as numbers. */
export type Version = readonly [major: number, minor: number];

/** Versions that we work with: from the first one that the adapter was tried with, before the next major one. */
export const SUPPORTED = { from: [3, 5], before: [4, 0] } as const satisfies Record<string, Version>;

export const isBefore = (a: Version, b: Version): boolean => a[0] < b[0] || (a[0] === b[0] && a[1] < b[1]);
