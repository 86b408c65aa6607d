import type { IndexAdvice, SearchIndexState } from '@ai-studio/contract/console/search-index.ts';
import { probeSearch } from '../../compose/search-server.ts';
import type { Config } from '../../config/index.ts';
import { commandLog } from '../with-database.ts';
import { fail, ok, warn, type Finding } from './finding.ts';

const GIB = 1024 ** 3;
const sizeOf = (bytes: number): string => `${(bytes / GIB).toFixed(1)} GiB`;
const indices = (count: number): string => (count === 1 ? 'An index' : `${count} indices`);

/** What beyond a watermark does not happen any more. */
const beyond = {
  low: 'it takes no new shards',
  high: 'it gives shards away',
  flood_stage: 'nothing is written to the indices on it',
} as const;

/** Advice in words: what was found, and what to do. The console has its own, in its languages. */
function wordsOf(advice: IndexAdvice): readonly [text: string, advice: string] {
  switch (advice.kind) {
    case 'parts_missing':
      return [
        'does not serve all of our indices',
        'GET _cluster/allocation/explain tells why. What is broken is made anew from the database by itself; what lies on a node that is away comes back with it.',
      ];
    case 'copies_missing':
      return ['lacks copies of our indices', 'Each copy needs a node of its own.'];
    case 'many_shards':
      return [
        `It has ${advice.shards} of at most ${advice.most} shards: each index takes search.shards times (1 + search.replicas)`,
        'Add a node, or raise cluster.max_shards_per_node.',
      ];
    case 'disk_beyond':
      return [
        `The disk of node ${advice.node} is full to ${Math.round(advice.used * 100)} %: ${beyond[advice.watermark]}`,
        'Add room or a node.',
      ];
    case 'other_shards':
      return [
        `${indices(advice.indices)} of one collection has another number of shards than search.shards and search.rows_per_shard say`,
        '"studio search reshard" makes it anew; the service goes on meanwhile.',
      ];
    case 'left_over':
      return [
        `${indices(advice.indices)} that no collection is searched in: of a move that goes on since more than an hour, or was cut off`,
        'Where no move goes on, "studio search reshard" removes it.',
      ];
    case 'much_obsolete':
      return [
        `Its files take ${sizeOf(advice.stored)}, what is in them ${sizeOf(advice.live)}`,
        'Obsolete files are removed 15 minutes after they are; where that stays so, look into the log for "maintenance failed".',
      ];
    case 'many_pieces':
      return [
        `${advice.tables === 1 ? 'A table lies' : `${advice.tables} tables lie`} in many small pieces, so searches read many files`,
        'They are joined after writes; where that stays so, look into the log for "maintenance failed".',
      ];
    case 'not_indexed':
      return [
        `${advice.rows} rows are searched one by one, which takes longer`,
        'The next maintenance, after writes, puts them into the structures.',
      ];
    case 'disk_low':
      return [
        `${sizeOf(advice.free)} are free for it, less than joining its files may need`,
        'Make room: without it the index grows, and documents wait.',
      ];
  }
}

/** The figures in one line. */
function summary({ tables, rows, bytes, files }: SearchIndexState): string {
  const table = `${tables} ${tables === 1 ? 'table' : 'tables'}`;
  if (files === null) return `${table}, ${rows} rows, ${sizeOf(bytes)} with copies`;
  return `${table}, ${rows} rows, ${sizeOf(bytes)}; its files take ${sizeOf(files.stored_bytes)}`;
}

function clusterFindings(state: SearchIndexState): Finding[] {
  const [subject, host] = ['OpenSearch', state.host ?? ''];
  const { cluster, trouble, advice } = state;
  if (trouble !== null || cluster === null)
    return [
      fail(
        subject,
        `${host} cannot be used: ${trouble}`,
        'Is it running, and are the account and the files of certificates in search right? docs/guide/search.md shows a role that is enough.',
      ),
    ];
  const where = `${host} (${cluster.version})`;
  const whole = advice.find(({ kind }) => kind === 'parts_missing' || kind === 'copies_missing');
  const rest = advice.filter((one) => one !== whole).map((one) => warn(subject, ...wordsOf(one)));
  if (whole === undefined) return [ok(subject, `${where} keeps the search index: ${summary(state)}`), ...rest];
  const [text, what] = wordsOf(whole);
  return [(whole.kind === 'parts_missing' ? fail : warn)(subject, `${where} ${text}`, what), ...rest];
}

/** How the search index fares, where there is one, or OpenSearch is configured for it. */
export async function checkSearch(config: Config): Promise<Finding[]> {
  const state = await probeSearch(config, commandLog());
  if (state.kind === 'opensearch') return clusterFindings(state);
  const subject = 'Search index';
  if (state.trouble !== null)
    return [
      warn(subject, `It cannot be looked at: ${state.trouble}`, 'Is the object storage there, and are its keys right?'),
    ];
  if (state.tables === 0) return [];
  return [ok(subject, summary(state)), ...state.advice.map((one) => warn(subject, ...wordsOf(one)))];
}
