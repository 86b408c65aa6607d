import { z } from 'zod';
import { described } from '../described.ts';

const bytes = (what: string) => z.number().min(0).describe(`${what}, in bytes`);
const count = (what: string) => z.int().min(0).describe(what);

/** Watermarks of the disks of OpenSearch, the first one first. */
export const watermarks = ['low', 'high', 'flood_stage'] as const;
export const Watermark = z
  .enum(watermarks)
  .describe(
    'A watermark of disks: beyond low a node takes no new shards, beyond high it gives some away, beyond flood_stage nothing is written',
  );
export type Watermark = z.infer<typeof Watermark>;

/** What the operator of the search index should know or do: as values, which the console and `studio doctor` put into words. */
export const IndexAdvice = z
  .discriminatedUnion('kind', [
    described('Parts of the index are not served', { kind: z.literal('parts_missing') }),
    described('Copies of the index are missing', { kind: z.literal('copies_missing') }),
    described('The cluster has nearly as many shards as it takes', {
      kind: z.literal('many_shards'),
      shards: count('Shards that it has'),
      most: count('Shards that it takes'),
    }),
    described('A disk of the cluster is beyond a watermark', {
      kind: z.literal('disk_beyond'),
      node: z.string().describe('Name of the node'),
      used: z.number().min(0).max(1).describe('How full it is, from 0 to 1'),
      watermark: Watermark,
    }),
    described('Indices have other numbers of shards than they should', {
      kind: z.literal('other_shards'),
      indices: count('How many'),
    }),
    described('Indices are there that no collection is searched in', {
      kind: z.literal('left_over'),
      indices: count('How many: of moves that go on, or were cut off'),
    }),
    described('Files take much more room than what is in them', {
      kind: z.literal('much_obsolete'),
      stored: bytes('What the files take'),
      live: bytes('What is in them'),
    }),
    described('Tables lie in many small pieces', {
      kind: z.literal('many_pieces'),
      tables: count('Tables that do'),
    }),
    described('Rows are searched one by one', {
      kind: z.literal('not_indexed'),
      rows: count('How many'),
    }),
    described('The disk is nearly full', {
      kind: z.literal('disk_low'),
      free: bytes('What is free'),
    }),
  ])
  .describe('What the operator of the search index should know or do');
export type IndexAdvice = z.infer<typeof IndexAdvice>;

const ClusterNode = described('A node that holds parts of the index', {
  name: z.string().describe('Its name'),
  shards: count('Shards that it holds, also those of others'),
  used: z.number().min(0).max(1).nullable().describe('How full its disk is, from 0 to 1; null where it does not say'),
  free_bytes: bytes('What is free on its disk').nullable(),
  total_bytes: bytes('The size of its disk').nullable(),
  beyond: Watermark.nullable().describe('The last watermark that its disk is beyond; null where it is beyond none'),
});

export const SearchCluster = described('A search index in OpenSearch', {
  version: z.string().describe('Version of OpenSearch'),
  status: z
    .enum(['green', 'yellow', 'red'])
    .nullable()
    .describe(
      'Of our indices: yellow where copies are missing, red where parts are not served; null where there are none',
    ),
  indices: count('Indices of ours'),
  shards: count('Shards of ours that are served, copies too'),
  missing_shards: count('Shards of ours that are not, copies too'),
  wanted: described('How indices are made', {
    shards: count('Shards of an index at least'),
    replicas: count('Copies of each shard besides'),
  }),
  moves: count('Indices of ours that no collection is searched in (yet, or any more): of moves and changes of shards'),
  watermarks: z
    .record(Watermark, z.string())
    .nullable()
    .describe('Watermarks as the cluster has them, such as 85% or 10gb; null where it does not say'),
  nodes: z.array(ClusterNode).describe('Nodes of the cluster'),
});
export type SearchCluster = z.infer<typeof SearchCluster>;

export const SearchTables = described('A search index in files of its own (LanceDB)', {
  place: z.enum(['folder', 'object_storage']).describe('Where the files are'),
  stored_bytes: bytes('What the files take, obsolete ones too'),
  files: count('How many they are'),
  versions: count('Versions of tables that are kept'),
  pieces: count('Pieces (fragments) that the rows lie in'),
  small_pieces: count('Small ones of them, which the next maintenance joins'),
  not_indexed: count('Rows that are searched one by one until the next maintenance'),
  looked_into: count('Tables that the figures but files and their sizes are of: the largest ones'),
  free_bytes: bytes('What is free on the disk; null for object storage').nullable(),
  total_bytes: bytes('The size of the disk; null for object storage').nullable(),
});
export type SearchTables = z.infer<typeof SearchTables>;

export const SearchIndexState = described('Reply of GET /search-index, for whoever looks after the installation', {
  kind: z.enum(['embedded', 'opensearch']).describe('What keeps the search index'),
  host: z.string().nullable().describe('Where OpenSearch is; null for files'),
  trouble: z.string().nullable().describe('Why it cannot be used, in English; null where it can'),
  looked_at: z.iso.datetime().describe('Time of this answer, ISO 8601 in UTC'),
  tables: count('Tables, of which each collection has one'),
  rows: count('Rows of all tables'),
  bytes: bytes('What the rows take, with copies'),
  cluster: SearchCluster.nullable().describe('For OpenSearch that can be used; null else'),
  files: SearchTables.nullable().describe('For files that can be read; null else'),
  advice: z.array(IndexAdvice).describe('What the operator should know or do'),
});
export type SearchIndexState = z.infer<typeof SearchIndexState>;
