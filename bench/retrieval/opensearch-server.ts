import { join } from 'node:path';
import type { OpenSearchOptions } from '../../server/src/adapters/distributed/opensearch-index/options.ts';
import type { Logger } from '../../server/src/kernel/log.ts';
// @ts-expect-error A script without types.
import { installOpenSearch, startOpenSearch } from '../../tools/opensearch.mjs';

export const quiet: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => quiet };

export interface BenchServer {
  readonly url: string;
  readonly pid: number;
  /** Sends a request past the adapter. Throws Error for an answer that is an error. */
  // oxlint-disable-next-line typescript/no-explicit-any -- JSON of another server
  ask(method: string, path: string, body?: object | string): Promise<any>;
  close(): Promise<void>;
}

/** Starts an OpenSearch that keeps its data in `folder`, with a heap as Java names it (`1g`); installs it first where it is not there. */
export async function openServer(folder: string, heap = '1g'): Promise<BenchServer> {
  const root = join(import.meta.dirname, '../..');
  const installed = join(root, '.runtime/opensearch');
  await installOpenSearch(root, installed);
  const data = join(folder, 'data');
  const server = (await startOpenSearch({ root, folder: installed, data, isMeasured: true, heap })) as Omit<
    BenchServer,
    'ask'
  >;
  return {
    url: server.url,
    pid: server.pid,
    close: () => server.close(),
    async ask(method, path, body) {
      const type = typeof body === 'string' ? 'application/x-ndjson' : 'application/json';
      const answer = await fetch(server.url + path, {
        method,
        headers: { 'content-type': type },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await answer.text();
      if (!answer.ok || text.includes('"errors":true')) throw new Error(`${method} ${path}: ${text.slice(0, 500)}`);
      return JSON.parse(text);
    },
  };
}

export const optionsOf = (url: string, prefix: string, more: Partial<OpenSearchOptions> = {}): OpenSearchOptions => ({
  url,
  prefix,
  shards: 1,
  replicas: 0,
  engine: 'lucene',
  tablesPerIndex: 100,
  ownIndexRows: 10_000_000,
  rowsPerShard: 5_000_000,
  log: quiet,
  ...more,
});
