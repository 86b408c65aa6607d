import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
// @ts-expect-error A script without types.
import { startOpenSearch } from '../../../tools/opensearch.mjs';
import { makeCollection, readDocument, uploadReady, within, wordHits } from '../support/retrieval.ts';
import { startService, type Service } from '../support/service.ts';
import { startLoad } from './load.ts';

// A service on a cluster of three nodes, of which one at a time has troubles while documents come, go and are found. The service asks the third.

interface Nodes {
  url(at: number): string;
  pause(at: number): void;
  resume(at: number): void;
  kill(at: number): Promise<void>;
  start(at: number): void;
  /** Resolves once all have found each other. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

const root = join(import.meta.dirname, '../../..');
const AWAY_MS = 10_000;
/** What is accepted while a node was away is there within this time after it is back. */
const BACK_MS = 300_000;

let folder: string;
let nodes: Nodes;
let service: Service;

async function call(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(nodes.url(2) + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  const said = (await answer.json()) as Record<string, unknown>;
  expect(answer.status, `${method} ${path}: ${JSON.stringify(said)}`).toBeLessThan(300);
  return said;
}
const health = async (): Promise<unknown> => (await call('GET', '/_cluster/health/drill-i-*?timeout=1s'))['status'];
const untilHealth = (wanted: string) => within(async () => expect(await health()).toBe(wanted), BACK_MS);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'opensearch-nodes-'));
  nodes = (await startOpenSearch({
    root,
    folder: join(root, '.runtime/opensearch'),
    data: join(folder, 'data'),
    nodes: 3,
    apart: true,
  })) as Nodes;
  const search = { url: nodes.url(2), prefix: 'drill', shards: 2, replicas: 1, collections_per_index: 1 };
  service = await startService({ config: { limits: { requests_per_minute: null }, search } });
});
afterAll(async () => {
  await service?.close();
  await nodes?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Puts all parts on some nodes, with so many further copies of each. */
async function pin(names: string | null, replicas: number): Promise<void> {
  const settings = { 'routing.allocation.require._name': names, number_of_replicas: replicas };
  await call('PUT', '/drill-i-*/_settings', { index: settings });
}

test.each<[string, { readonly refuses: boolean; readonly trouble: () => Promise<void> }]>([
  [
    'is killed, the first and so the manager of the cluster, and started again',
    {
      refuses: false,
      async trouble() {
        await nodes.kill(0);
        await wait(AWAY_MS);
        nodes.start(0);
      },
    },
  ],
  [
    'stands still, is left out, and goes on',
    {
      refuses: false,
      async trouble() {
        nodes.pause(1);
        await wait(2 * AWAY_MS);
        nodes.resume(1);
      },
    },
  ],
  [
    'is slow: it stands still for most of each second',
    {
      refuses: false,
      async trouble() {
        for (let at = 0; at < 15; at++) {
          nodes.pause(1);
          await wait(700);
          nodes.resume(1);
          await wait(300);
        }
      },
    },
  ],
  [
    'has the only copy of all parts, and is killed: the index is red',
    {
      refuses: true,
      async trouble() {
        await pin('Node 2', 0);
        await untilHealth('green');
        // What moved there has arrived.
        await wait(3_000);
        await nodes.kill(1);
        await untilHealth('red');
        await wait(AWAY_MS);
        nodes.start(1);
        await nodes.ready();
        await pin(null, 1);
      },
    },
  ],
  [
    'has a full disk by the measure of the cluster, as all have, and room again',
    {
      refuses: false,
      async trouble() {
        const marks = (low: string | null, high: string | null, flood: string | null) =>
          call('PUT', '/_cluster/settings', {
            transient: {
              'cluster.routing.allocation.disk.threshold_enabled': true,
              'cluster.routing.allocation.disk.watermark.low': low,
              'cluster.routing.allocation.disk.watermark.high': high,
              'cluster.routing.allocation.disk.watermark.flood_stage': flood,
            },
          });
        const blocked = async () =>
          JSON.stringify(await call('GET', '/drill-i-*/_settings')).includes('"read_only_allow_delete":"true"');
        await marks('0.1%', '0.2%', '0.3%');
        await within(async () => expect(await blocked()).toBe(true), 90_000);
        await wait(AWAY_MS);
        await marks('99.7%', '99.8%', '99.9%');
        await within(async () => expect(await blocked()).toBe(false), 90_000);
      },
    },
  ],
])('a node %s: errors are 503, nothing is lost, nothing of others is found', async (_, { refuses, trouble }) => {
  const { collection_id: collection } = await makeCollection(service);
  const { collection_id: other } = await makeCollection(service, { name: 'other' });
  await uploadReady(service, collection, 'first.md', '공통 처음 안내');
  await uploadReady(service, other, 'other.md', '공통 남의 안내');
  const load = startLoad(service, collection, other);
  await wait(3_000);
  await trouble();
  await nodes.ready();
  await untilHealth('green');
  await wait(2_000);
  await load.end();
  if (refuses) for (const [mode, times] of Object.entries(load.refused)) expect(times, mode).toBeGreaterThan(0);
  expect(load.kept.size).toBeGreaterThan(10);
  expect(load.removed.size).toBeGreaterThan(1);
  for (const [word, id] of load.kept) {
    await within(async () => expect((await readDocument(service, id)).state).toBe('ready'), BACK_MS);
    expect(await wordHits(service, collection, word), word).toHaveLength(1);
  }
  for (const word of load.removed) expect(await wordHits(service, collection, word)).toEqual([]);
  // Neither lost nor doubled, and nothing of what was removed is left.
  await within(async () => {
    const aliases = Object.values(await call('GET', '/_alias/drill-t-*')).flatMap((one) =>
      Object.keys((one as { aliases: object }).aliases),
    );
    const alias = aliases.find((name) => name.includes(collection));
    await call('POST', `/${alias}/_refresh`);
    expect((await call('GET', `/${alias}/_count`))['count']).toBe(load.kept.size + 1);
  }, BACK_MS);
  expect(await wordHits(service, other, '공통')).toHaveLength(1);
  expect(service.output()).not.toContain('was lost');
});
