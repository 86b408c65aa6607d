import { readdir, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  createOpenSearchIndex,
  type OpenSearchOptions,
} from '../../src/adapters/distributed/opensearch-index/index.ts';
import { silent } from '../support/postgres.ts';
import type { SearchIndex } from '../../src/ports/search-index.ts';
import type { IndexHost } from './search-index.ts';

/** How long the server may take to look at files that were cut: it tries to open them several times. */
const NOTICE_MS = 60_000;
const LOOK_MS = 100;

/** Options of an index on a server of a test. */
export const optionsFor = (url: string, prefix: string, more: Partial<OpenSearchOptions> = {}): OpenSearchOptions => ({
  url,
  prefix,
  shards: 1,
  replicas: 0,
  engine: 'lucene',
  tablesPerIndex: 100,
  ownIndexRows: 50_000,
  rowsPerShard: 5_000_000,
  log: silent,
  ...more,
});

async function ask(url: string, method: string, path: string): Promise<unknown> {
  const answer = await fetch(url + path, { method });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** Files of a shard that hold rows. */
const isData = (name: string): boolean => /\.(?:cfs|fdt|tim|doc|vec)$/.test(name);

/** Cuts the files of an index in half, as a broken disk leaves them. */
async function cutFiles(url: string, folder: string, index: string): Promise<void> {
  const { [index]: found } = (await ask(url, 'GET', `/${index}/_settings`)) as Record<
    string,
    { readonly settings: { readonly index: { readonly uuid: string } } }
  >;
  await ask(url, 'POST', `/${index}/_flush?force=true`);
  await ask(url, 'POST', `/${index}/_close`);
  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.includes(found?.settings.index.uuid ?? ' ') || !isData(name)) continue;
    const { size } = await stat(join(folder, name));
    await truncate(join(folder, name), Math.floor(size / 2));
  }
  await ask(url, 'POST', `/${index}/_open?wait_for_active_shards=0`);
}

/**
 * Whether the server has noticed that files of the index are cut. False where it still holds the lock of a shard that it has closed, which on a
 * busy machine it sometimes never gives back: that says nothing about files that are broken.
 */
async function isNoticed(url: string, index: string): Promise<boolean> {
  const path = `/_cat/shards/${index}?format=json&h=unassigned.details`;
  for (const end = Date.now() + NOTICE_MS; Date.now() < end; await delay(LOOK_MS)) {
    const shards = (await ask(url, 'GET', path)) as readonly { readonly 'unassigned.details': string | null }[];
    const details = shards.map((shard) => shard['unassigned.details'] ?? '').join();
    if (details.includes('CorruptIndexException')) return true;
    if (details.includes('ShardLockObtainFailedException')) return false;
  }
  return false;
}

/** An index whose tables all belong to one family: they lie beside each other. */
export const inFamily = (index: SearchIndex, family = 'a'): SearchIndex => ({
  ...index,
  createTable: (table, shape) => index.createTable(table, { ...shape, family }),
});

/** The index behind the alias of a table. */
async function indexBehind(url: string, prefix: string, table: string): Promise<string> {
  const [index] = Object.keys((await ask(url, 'GET', `/_alias/${prefix}-t-${table}`)) as object);
  if (index === undefined) throw new Error(`${table} lies nowhere`);
  return index;
}

/** A cluster that several indices may be opened on; `folder` is where its nodes keep their data. */
export function openSearchHost(
  url: string,
  folder: string,
  prefix: string,
  { isShared = false, ...more }: Partial<OpenSearchOptions> & { readonly isShared?: boolean },
): IndexHost {
  return {
    open: () => {
      const index = createOpenSearchIndex(optionsFor(url, prefix, more));
      return isShared ? inFamily(index) : index;
    },
    destroy: async (table) => void (await ask(url, 'DELETE', `/${await indexBehind(url, prefix, table)}`)),
    async damage(table) {
      const behind = await indexBehind(url, prefix, table);
      await cutFiles(url, folder, behind);
      return isNoticed(url, behind);
    },
    close: async () => void (await ask(url, 'DELETE', `/${prefix}-i-*`)),
  };
}
